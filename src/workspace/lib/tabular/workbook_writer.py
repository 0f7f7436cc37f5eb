"""Writing a table as an XLSX workbook that fits into memory."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from workspace.lib import error_messages
from workspace.lib.errors import TooLargeError
from workspace.lib.tabular import csv_table

MAX_CELL_CHARACTERS = 32_000  # the limit of a cell
MAX_CELLS = 500_000  # about five seconds of CPU time
_MIN_WIDTH, _MAX_WIDTH = 8, 60  # of a column, in characters
# short enough that spreadsheets do not show it in scientific notation, and without leading zeros
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?")


def build_workbook(
    title: str, columns: Sequence[tuple[str, float]], rows: Iterable[Sequence[str | float | None]]
) -> bytes:
    """Build a workbook.

    `columns` are pairs of a heading and a width in characters. Text is never executed as a formula.
    """
    from xlsxwriter import Workbook  # imported late, because it is rarely needed

    out = io.BytesIO()
    # with many rows, each one is written to disk before the next
    large = {"constant_memory": True} if isinstance(rows, Sequence) and len(rows) > 5_000 else {"in_memory": True}
    book = Workbook(out, {**large, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet(title)
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 0)
    for place, (heading, width) in enumerate(columns):
        sheet.set_column(place, place, width)
        sheet.write_string(0, place, heading, bold)
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row):
            if isinstance(value, (int, float)):
                sheet.write_number(number, place, value)
            elif value:
                sheet.write_string(number, place, value[:MAX_CELL_CHARACTERS])
    book.close()
    return out.getvalue()


def build_from_csv(title: str, text: str) -> bytes:
    """Convert a table written by `csv_table.write` to a workbook.

    A column that contains only plain numbers becomes numeric. Apostrophes that prevented formulas are removed, because
    a workbook does not execute text. Raise TooLargeError if it has too many cells.
    """
    read = [[_unescape_formula(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]
    if sum(map(len, read)) > MAX_CELLS:
        raise TooLargeError(error_messages.WORKBOOK_TOO_MANY_CELLS(most=f"{MAX_CELLS:,}"))
    heading, lines = read[0], read[1:]
    places = {place: [row[place] for row in lines if place < len(row)] for place in range(len(heading))}
    columns = [(name, _column_width([name, *places[place][:200]])) for place, name in enumerate(heading)]
    numeric = {place for place, cells in places.items() if all(not one or _NUMBER.fullmatch(one) for one in cells)}
    rows = [[_parse_cell(cell, place in numeric) for place, cell in enumerate(row)] for row in lines]
    return build_workbook(title, columns, rows)


def _column_width(cells: Sequence[str]) -> int:
    return min(max(max(map(len, cells)) + 2, _MIN_WIDTH), _MAX_WIDTH)


def _unescape_formula(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and csv_table.escape_formula(cell[1:]) == cell else cell


def _parse_cell(cell: str, is_number: bool) -> str | float | None:
    if not cell or not is_number:
        return cell or None
    return float(cell) if "." in cell else int(cell)
