"""A parser for rows that an owner pastes into a proposal from a spreadsheet, a CSV file or an email.

Tabs or semicolons separate columns. If there are columns, the first cell that is not a number is the name. A single
number is the price, two are quantity and price, and a third is their product. In any other row, the last number is the
price.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from workspace.lib import money, number_fields
from workspace.lib.errors import InvalidInputError
from workspace.lib.number_parser import AmbiguousNumberError
from workspace.lib.tabular.csv_table import shorten_text
from workspace.products.bid import messages
from workspace.products.bid.rules import number_input

MAX_ROWS = 500
MAX_ROW_LENGTH = 2000  # characters
_CURRENCY_PATTERN = "|".join(
    [*map(re.escape, sorted(money.CURRENCY_SIGNS.values(), key=len, reverse=True)), *sorted(money.CURRENCIES)]
)
_CURRENCY_MARK = re.compile(rf"(?<!\w)(?:{_CURRENCY_PATTERN})|(?:{_CURRENCY_PATTERN})(?!\w)")
_DIGITS = r"\d[\d.,'’\u00a0\u202f]*"
_AMOUNT_CELL = re.compile(
    rf"(?:{_CURRENCY_PATTERN})?\s?[-−–+]?\s?(?:{_CURRENCY_PATTERN})?\s?[\d.,'’\s]*\d[\d.,'’\s]*[-–]*\s?(?:{_CURRENCY_PATTERN})?"
)
# not part of a word, a time, a date or a percentage
_AMOUNT = re.compile(
    rf"(?<![\w.,:/])(?<!\d-)((?:{_CURRENCY_PATTERN})\s?)?([-−–]?{_DIGITS}[-–]{{0,2}})(\s?(?:{_CURRENCY_PATTERN})(?!\w))?(?![\w%:/]|\s%|-\d)"
)
_CENTS = re.compile(r"[.,]\d{1,2}$")
_QUOTED_CELL = re.compile(r'(?:^|(?<=[\t;,]))"(?:[^"]|"")*+"(?=[\t;,\r\n]|$)', re.MULTILINE)
_PRICE_HEADINGS = frozenset(
    ["price", "unit price", "amount", "rate", "cost", "total", "precio", "precio unitario", "importe", "preis", "summe"]
)


@dataclass(frozen=True, slots=True)
class PastedLines:
    """The result of parsing pasted rows.

    `lines` have the format of `svc_bid_edit`. `rejected_rows` could not be parsed, and `problems` are the messages
    about them.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    rejected_rows: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class _RowError(ValueError):
    """The row cannot be parsed. The message for people says why."""


def parse_rows(text: str, currency: str, country: str) -> PastedLines:
    """Return the lines of pasted text and the rejected rows.

    Raise InvalidInputError at `text` if there are too many lines."""
    folded = _QUOTED_CELL.sub(lambda cell: re.sub(r"\s*[\r\n]+\s*", " ", cell[0]), text)
    rows = [row for row in folded.splitlines() if row.strip()]
    if len(rows) > MAX_ROWS:
        raise InvalidInputError.at_path("text", messages.TOO_MANY_ROWS(most=MAX_ROWS))
    reader = _RowParser(rows, currency, country)
    lines = PastedLines()
    for row in rows:
        try:
            if (line := reader.parse_row(row)) is not None:
                lines.lines.append(line)
        except _RowError as problem:
            lines.rejected_rows.append(row)
            lines.problems.append(str(problem))
    return lines


class _RowParser:
    """A parser for the rows of one paste."""

    def __init__(self, rows: list[str], currency: str, country: str) -> None:
        self.number_kind, self.country = number_fields.price_kind(currency, number_input.MAX_DECIMALS), country
        self.separator = next((mark for mark in "\t;" if any(mark in row for row in rows)), "")
        self.comma_count = 0 if self.separator else self._count_commas(rows)
        self.first_row = rows[0] if rows else ""
        plain = [row for row in rows if self.comma_count and not self._has_decimal_comma(row)]
        # a heading or quotes prove that commas separate columns
        self.is_csv = any(_QUOTED_CELL.search(row) or not re.search(r"\d", row) for row in plain)
        self.is_doubtful = bool(plain)

    def parse_row(self, row: str) -> dict[str, Any] | None:
        """Return the line for a row, or None for a heading. Raise _RowError if the row cannot be parsed."""
        name = f"“{shorten_text(' '.join(row.split()))}”"
        if len(row) > MAX_ROW_LENGTH:
            raise _RowError(messages.ROW_TOO_LONG(row=name))
        cells = self._split_cells(row, name)
        if row is self.first_row and any(cell.casefold() in _PRICE_HEADINGS for cell in cells) and len(cells) > 1:
            return None
        if len(cells) > 1 and (self.separator != ";" or any(map(_is_amount, cells))):
            return self._parse_cells(cells, name)
        return self._parse_text(row.strip(), name)

    def _split_cells(self, row: str, name: str) -> list[str]:
        if self.separator:
            return _split_row(row, self.separator)
        if not self.comma_count or len(_split_row(row, ",")) != self.comma_count + 1:
            return [row]
        if not self.is_csv and self._has_decimal_comma(row):
            if self.is_doubtful:
                raise _RowError(messages.ROW_COMMA_UNCLEAR(row=name))
            return [row]
        return _split_row(row, ",")

    def _count_commas(self, rows: list[str]) -> int:
        """Return how many commas separate the columns of each row, or 0 if commas are not separators."""
        tables = [_split_row(row, ",") for row in rows]
        if any(_QUOTED_CELL.search(row) for row in rows):
            return max(len(cells) for cells in tables) - 1
        body = tables[1:] if len(tables) > 1 and not re.search(r"\d", rows[0]) else tables
        is_table = len({len(cells) for cells in tables}) == 1 and all(self._is_price(cells[-1]) for cells in body)
        return len(tables[0]) - 1 if is_table else 0

    def _has_decimal_comma(self, row: str) -> bool:
        """Return whether a comma in the row can be part of a number in this country."""
        if _QUOTED_CELL.search(row):
            return False
        if re.search(r"[^\d,\s][^,]*\d,\d", row):
            return True
        thousands, mark = r"\d,\d{3}(?!\d)", number_fields.thousands_mark(self.country)
        return bool(re.search(thousands if mark == "," else rf"{thousands}|\d,\d{{1,4}}(?![\d.])", row))

    def _parse_cells(self, cells: list[str], row_name: str) -> dict[str, Any]:
        name, numbers, words = "", [], []
        for cell in cells:
            if _is_amount(cell):
                numbers.append(cell)
            elif cell and not name:
                name = cell
            elif cell:
                words.append(cell)
        if not name:
            raise _RowError(messages.ROW_WITHOUT_NAME(row=row_name))
        if not numbers:
            raise _RowError(messages.ROW_WITHOUT_PRICE(row=row_name))
        has_quantity = len(numbers) > 1
        try:
            quantity = (
                number_fields.parse_field(numbers[0], number_fields.QUANTITY, self.country)
                if has_quantity
                else Decimal(1)
            )
            price = self._parse_price(numbers[1 if has_quantity else 0])
        except ValueError as problem:
            raise _RowError(
                messages.ROW_INVALID(row=f"“{shorten_text(name)}”", problem=str(problem).rstrip("."))
            ) from None
        unit = words.pop(0) if has_quantity and words and len(words[0]) <= 12 else ""
        return _line_fields(name, price, quantity, unit, " · ".join(words))

    def _parse_text(self, row: str, row_name: str) -> dict[str, Any]:
        *_, last = [None, *_AMOUNT.finditer(row)]
        behind = row[last.end() :].strip(" .,;") if last else ""
        if last is None or (behind and not (last[1] or last[3] or _CENTS.search(last[2]))):
            raise _RowError(messages.ROW_WITHOUT_PRICE(row=row_name))
        name = row[: last.start()].rstrip(" \t.,;:=|…·-–—")
        if not name:
            raise _RowError(messages.ROW_WITHOUT_NAME(row=row_name))
        if not last[1] and re.search(r"(?<!\d)\d{1,3} $", row[: last.start()]) and re.match(r"\d{3}(?!\d)", last[2]):
            raise _RowError(messages.ROW_PRICE_UNCLEAR(row=row_name))
        try:
            price = self._parse_price(last[0].strip().rstrip(".,"))
        except ValueError as problem:
            raise _RowError(
                messages.ROW_INVALID(row=f"“{shorten_text(name)}”", problem=str(problem).rstrip("."))
            ) from None
        return _line_fields(name, price, Decimal(1), "", behind)

    def _parse_price(self, text: str) -> Decimal:
        """Parse an amount without its currency symbol. Raise ValueError if it is invalid."""
        return number_fields.parse_field(_CURRENCY_MARK.sub("", text).strip(), self.number_kind, self.country)

    def _is_price(self, cell: str) -> bool:
        try:
            self._parse_price(cell)
        except AmbiguousNumberError:
            return True
        except ValueError:
            return False
        return True


def _is_amount(cell: str) -> bool:
    """Return whether a cell looks like a number. Long cells are text."""
    return len(cell) <= 50 and _AMOUNT_CELL.fullmatch(cell) is not None


def _split_row(row: str, mark: str) -> list[str]:
    try:
        return [" ".join(cell.split()) for cell in next(csv.reader([row], delimiter=mark), [])]
    except csv.Error:
        return [row]


def _line_fields(name: str, price: Decimal, quantity: Decimal, unit: str, description: str) -> dict[str, Any]:
    return {
        "name": " ".join(name.split()),
        "quantity": float(quantity),
        "unit_price": float(price),
        **({"unit": unit} if unit else {}),
        **({"description": description} if description else {}),
    }
