"""Workbooks (.xlsx, .xls, .ods) as input and output. Their libraries are imported only when needed."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import date, datetime, time
from io import BytesIO, StringIO
from typing import Any
from zipfile import BadZipFile, ZipFile

MAX_CELLS = 2_000_000  # including empty ones
MAX_BYTES = 200_000_000  # limit on the decompressed size
MAX_CELL_CHARACTERS = 32_000  # limit of a cell
_ZIP = b"PK\x03\x04"
_SIGNATURES = (_ZIP, b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, .xls
_TOO_LARGE = "This workbook is too large. Delete rows and columns that you do not need."


def is_workbook(raw: bytes) -> bool:
    return raw.startswith(_SIGNATURES)


def read_text(raw: bytes) -> tuple[str, str]:
    """Return the first nonempty sheet, with tabs between its cells, and a note if there are other sheets.

    Raise ValueError with a human-readable message if the file cannot be read.
    """
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    _check_size(raw)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(raw))
        seen = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
        sheet = next((one for one in map(book.get_sheet_by_name, seen) if one.height), None)
    except (CalamineError, ValueError, OSError) as problem:
        raise ValueError(f"This workbook cannot be read ({problem}). Save it again, or save it as CSV UTF-8.") from None
    if sheet is None:
        raise ValueError("This workbook is empty.")
    if sheet.height * sheet.width > MAX_CELLS:
        raise ValueError(_TOO_LARGE)
    out = StringIO()
    lines = csv.writer(out, delimiter="\t", lineterminator="\n")
    for row in sheet.iter_rows():  # including leading empty rows, to keep the spreadsheet's row numbers
        lines.writerow(map(_format_cell, row))
    note = f"Only the sheet “{sheet.name}” was read." if len(seen) > 1 else ""
    return f"sep=\t\n{out.getvalue()}", note


def build_workbook(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    """Build a workbook with one sheet. Numbers are stored as numbers, and text is never executed as a formula."""
    from xlsxwriter import Workbook

    out = BytesIO()
    book = Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet("Table")
    sheet.freeze_panes(1, 0)
    bold = book.add_format({"bold": True})
    for place, name in enumerate(columns):
        sheet.write_string(0, place, name[:MAX_CELL_CHARACTERS], bold)
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row):
            if isinstance(value, int | float) and not isinstance(value, bool):
                sheet.write_number(number, place, value)
            elif value not in (None, ""):
                sheet.write_string(number, place, str(value)[:MAX_CELL_CHARACTERS])
    sheet.autofit(400)
    book.close()
    return out.getvalue()


def _check_size(raw: bytes) -> None:
    if not raw.startswith(_ZIP):
        return
    try:
        with ZipFile(BytesIO(raw)) as opened:
            size = sum(part.file_size for part in opened.infolist())
    except (BadZipFile, ValueError):
        return  # the parser will report the problem
    if size > MAX_BYTES:
        raise ValueError(_TOO_LARGE)


def _format_cell(value: Any) -> str:
    """Format a cell as its owner would type it, because spreadsheets store whole numbers and days differently."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)
