"""Reading CSV as spreadsheets write it: BOMs, UTF-16, Windows-1252, semicolons, `sep=` lines, ragged rows.

The service reads lists by the same rules, so a file is treated in the same way in both places.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

from svc.csv_encoding import decode_text

MAX_CELL_LENGTH = 10_000_000
MAX_PROBLEMS = 20
DELIMITER_NAMES = {"\t": "a tab", ";": "a semicolon", ",": "a comma", "|": "a vertical bar"}
_USUAL_DELIMITERS = ("\t", ";", ",")  # in a tie, the first one wins: it is the least common in text
# Spreadsheets execute these as formulas, also in the full-width and small forms that some convert, and after characters
# that others ignore.
FORMULA = re.compile("(?:[\t\r\n]|[\\s\ufeff\u200b-\u200f\u2060]*[=+\\-@＝＋－＠﹦﹢﹣﹫])")


@dataclass(frozen=True)
class CsvRow:
    """A row.

    `number` is its number in a spreadsheet (the header is row 1). `cells` has as many members as the header. `id` is
    computed from the content and the number of equal rows above, so that it does not change when other rows are edited.
    """

    number: int
    cells: list[str]
    id: str = ""


@dataclass(frozen=True)
class CsvFile:
    """A parsed CSV file. `note` is a hint for the user on how it was read, or ""."""

    header: list[str]
    rows: list[CsvRow]
    delimiter: str
    note: str


def read_csv(raw: bytes) -> CsvFile:
    """Parse the bytes of a file. Raise ValueError with a human-readable message that lists every invalid row."""
    text, note = decode_text(raw)
    delimiter, text = _detect_delimiter(text)
    csv.field_size_limit(MAX_CELL_LENGTH)
    records = _read_records(text, delimiter)
    first = next(records, None)
    if first is None:
        raise ValueError("The file is empty. The first line must contain the column names.")
    header = _parse_header(first[1])
    rows, problems = [], []
    for number, cells in records:
        # spreadsheets end each line with as many empty cells as the header has
        if len(cells) > len(first[1]) or any(cells[len(header) :]):
            problems.append(
                f"Row {number} has {len(cells)} cells, but the header row has {len(header)}. Put cells that contain "
                f"{DELIMITER_NAMES[delimiter]} in quotation marks."
            )
        rows.append(CsvRow(number, (cells + [""] * len(header))[: len(header)]))
    if problems:
        more = [f"And {len(problems) - MAX_PROBLEMS} more."] if len(problems) > MAX_PROBLEMS else []
        raise ValueError("\n".join([*problems[:MAX_PROBLEMS], *more]))
    return CsvFile(header, rows, delimiter, note)


def escape_formula(text: str) -> str:
    """Return a text that a spreadsheet does not execute as a formula.

    It gets a leading apostrophe, which is removed again when it is read.
    """
    return f"'{text}" if FORMULA.match(text.lstrip("'")) else text


def _parse_header(cells: list[str]) -> list[str]:
    while not cells[-1]:
        cells = cells[:-1]
    if "" in cells:
        raise ValueError(f"Column {cells.index('') + 1} has no name in the first line.")
    return cells


def _read_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each non-empty line with its number."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = [_clean_cell(cell) for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as problem:
            raise ValueError(f"Row {number} is not valid CSV ({problem}).") from None
        if any(cells):
            yield number, cells


def _detect_delimiter(text: str) -> tuple[str, str]:
    """Return the delimiter, and the text without a line that declares it.

    Without a declaration, it is the most frequent candidate in the first record outside of quotes.
    """
    begin = text.lstrip()
    line = re.split(r"[\r\n]", begin, maxsplit=1)[0]
    declared = re.fullmatch(r'\s*"?sep=(.)"?\s*', line, re.IGNORECASE)
    if declared:
        if declared[1] not in DELIMITER_NAMES:
            raise ValueError("The first line has an invalid separator. Use sep=; or sep=,")
        return declared[1], begin[len(line) :].removeprefix("\r").removeprefix("\n")
    quoted, counts = False, dict.fromkeys(_USUAL_DELIMITERS, 0)
    for character in begin:
        if character == '"':
            quoted = not quoted
        elif character in "\r\n" and not quoted:
            break
        elif character in counts and not quoted:
            counts[character] += 1
    best = max(counts, key=lambda candidate: counts[candidate])
    return (best if counts[best] else ","), text


def _clean_cell(cell: str) -> str:
    cell = cell.strip(" \t\u00a0\ufeff")
    # Excel preserves leading zeros by writing ="0123".
    zeros = re.fullmatch(r'="([^"]*)"', cell)
    if zeros:
        return zeros[1]
    # Exports put an apostrophe before what a spreadsheet would execute as a formula, including the + of a phone number.
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell.lstrip("'")) else cell
