"""Lines out of a spreadsheet: columns apart by tabs, semicolons or commas. The first column that is no number is the
name; of the numbers, one is the price, two are quantity and price, of three the last is their product."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from io import StringIO
from typing import Any

from workspace.products.bid import figures
from workspace.toolkit import typed
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.numerals import AmbiguousNumberError
from workspace.toolkit.table import short

MOST = 500
_SIGNS = re.compile(r"[€$£¥]|\b[A-Z]{3}\b")


def lines_of(text: str, currency: str, country: str) -> list[dict[str, Any]]:
    """As `svc_bid_edit` takes them. Raises InvalidInput at `text` for what has no lines in it, and for a number that
    can be two numbers in this country."""
    kind = typed.price_kind(currency, figures.DECIMALS)
    rows = [[cell.strip() for cell in row] for row in _table(text) if any(cell.strip() for cell in row)]
    found = [line for row in rows if (line := _line(row, kind, country)) is not None]
    if not found:
        raise InvalidInput.at("text", "No line has a name and a price: copy these two columns at least")
    if len(found) > MOST:
        raise InvalidInput.at("text", f"At most {MOST} lines")
    return found


def _table(text: str) -> list[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = "\t" if "\t" in first else ";" if ";" in first else ","
    try:
        return list(csv.reader(StringIO(text), delimiter=sign))
    except csv.Error:
        raise InvalidInput.at("text", "These are no rows of a spreadsheet") from None


def _line(cells: list[str], kind: str, country: str) -> dict[str, Any] | None:
    name, numbers, words = "", [], []
    for cell in cells:
        if _number(cell, kind, country) is not None:
            numbers.append(cell)
        elif cell and not name:
            name = cell
        elif cell:
            words.append(cell)
    if not name or not numbers:
        return None  # a heading, or a total
    has_quantity = len(numbers) > 1
    try:
        quantity = _read(numbers[0], typed.QUANTITY, country) if has_quantity else Decimal(1)
        price = _read(numbers[1 if has_quantity else 0], kind, country)
    except ValueError as problem:
        raise InvalidInput.at("text", f"“{short(name)}”: {problem}") from None
    unit = words.pop(0) if has_quantity and words and len(words[0]) <= 12 else ""
    return {
        "name": name,
        "quantity": float(quantity),
        "unit_price": float(price),
        **({"unit": unit} if unit else {}),
        **({"description": " · ".join(words)} if words else {}),
    }


def _number(cell: str, kind: str, country: str) -> Decimal | None:
    """None for a text. A number that can be two is one of them here."""
    try:
        return _read(cell, kind, country)
    except AmbiguousNumberError as found:
        return Decimal(found.whole)
    except ValueError:
        return None


def _read(cell: str, kind: str, country: str) -> Decimal:
    return typed.read(_SIGNS.sub("", cell).strip(), kind, country)
