"""The cells of a workbook (.xlsx, .xls, .ods), read in a child process (see `spreadsheet.py`): a few kilobytes may
unfold to gigabytes, and one cell at the far end of a sheet makes it as large."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

MOST_CHARACTERS = 1_000_000
MOST_CELLS = 500_000  # empty ones among them


def answer(content: bytes) -> bytes:
    """A line of JSON, and the first sheet that holds something as lines of cells with tabs between them. The line is
    {problem: "unreadable", "empty" or "large"}, or {sheet, others}: its name, and how many others there are."""
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        seen = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
        sheet = next((one for one in map(book.get_sheet_by_name, seen) if one.height), None)
    except (CalamineError, ValueError, OSError):
        return _told(problem="unreadable")
    if sheet is None:
        return _told(problem="empty")
    if sheet.height * sheet.width > MOST_CELLS:
        return _told(problem="large")
    out = io.StringIO()
    lines = csv.writer(out, delimiter="\t", lineterminator="\n")
    for cells in _rows(sheet):
        lines.writerow(cells)
        if out.tell() > MOST_CHARACTERS:
            return _told(problem="large")
    return _told(sheet=sheet.name, others=len(seen) - 1) + out.getvalue().encode()


def _rows(sheet: CalamineSheet) -> Iterator[list[str]]:
    """The rows as text. A cell that is merged over several rows of one column holds for each of them."""
    merged = {(top, left): bottom for (top, left), (bottom, right) in sheet.merged_cell_ranges or () if left == right}
    first = sheet.start[1] if sheet.start else 0
    open_cells: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(sheet.iter_rows()):
        cells = [*map(_text, row)]
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


def _told(**said: Any) -> bytes:
    return json.dumps(said).encode() + b"\n"


def _text(value: Any) -> str:
    """A cell as its owner would type it: spreadsheets hold whole numbers and days as something else."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
