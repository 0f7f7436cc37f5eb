"""The cells of a workbook (.xlsx, .xls, .ods), read in a subprocess (see `workbook_reader.py`).

A few kilobytes may unpack to gigabytes, and a single cell at the far end of a sheet makes the whole sheet huge.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

MAX_CHARACTERS = 1_000_000
MAX_SHEETS = 10  # that are searched for a list
MAX_CELLS = 500_000  # including empty ones


def handle(content: bytes) -> bytes:
    """Return a line of JSON, followed by the sheet with the list as lines of tab-separated cells.

    The line is {problem: "unreadable", "empty" or "large"}, or {sheet, others} with the names of this sheet and of the
    other sheets.
    """
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        seen = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
        sheet = _find_list_sheet(book, seen)
    except (CalamineError, ValueError, OSError):
        return _dump_result(problem="unreadable")
    if sheet is None:
        return _dump_result(problem="empty")
    if sheet.height * sheet.width > MAX_CELLS:
        return _dump_result(problem="large")
    out = io.StringIO()
    lines = csv.writer(out, delimiter="\t", lineterminator="\n")
    for cells in _read_rows(sheet):
        lines.writerow(cells)
        if out.tell() > MAX_CHARACTERS:
            return _dump_result(problem="large")
    return (
        _dump_result(sheet=sheet.name, others=[name for name in seen if name != sheet.name]) + out.getvalue().encode()
    )


def _find_list_sheet(book: CalamineWorkbook, names: list[str]) -> CalamineSheet | None:
    """Return the first sheet with a heading row, or else the first one that is not empty."""
    first = None
    for place, name in enumerate(names):
        if first is not None and place >= MAX_SHEETS:
            break
        sheet = book.get_sheet_by_name(name)
        if sheet.height and _has_heading(sheet):
            return sheet
        first = first or (sheet if sheet.height else None)
    return first


def _has_heading(sheet: CalamineSheet) -> bool:
    """Return whether the first row with several cells contains only words, and other rows follow."""
    if sheet.height * sheet.width > MAX_CELLS:
        return True  # returned so that it is rejected as too large
    rows = ([cell for cell in row if cell not in ("", None)] for row in islice(sheet.iter_rows(), 30))
    heading = next((row for row in rows if len(row) > 1), [])
    are_words = all(isinstance(cell, str) and any(map(str.isalpha, cell)) for cell in heading)
    return bool(heading) and are_words and any(rows)


def _read_rows(sheet: CalamineSheet) -> Iterator[list[str]]:
    """Yield the rows as text. A cell merged over several rows of one column is repeated in each row."""
    merged = {(top, left): bottom for (top, left), (bottom, right) in sheet.merged_cell_ranges or () if left == right}
    first = sheet.start[1] if sheet.start else 0
    open_cells: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(sheet.iter_rows()):
        cells = [*map(_format_cell, row)]
        for place, (last, text) in [*open_cells.items()]:
            if number > last:
                del open_cells[place]
            else:
                cells[place] = cells[place] or text
        if merged:
            for place, text in enumerate(cells):
                if text and (last := merged.get((number, place + first), 0)) > number:
                    open_cells[place] = (last, text)
        yield cells


def _dump_result(**result: Any) -> bytes:
    return json.dumps(result).encode() + b"\n"


def _format_cell(value: Any) -> str:
    """Return a cell as its owner would type it, because spreadsheets store whole numbers and dates differently."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
