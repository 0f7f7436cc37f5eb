"""A writer for XLSX files with constant memory use.

Each row is written to a temporary file first, and from there to the workbook. Column widths must therefore be set
before the first row, by heading and type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

MAX_CELL_LENGTH = 32_000  # character limit of a cell
Column = tuple[str, str]  # heading, and the type of the content: a question type or the name of a fixed column
_COLUMN_WIDTHS = {
    "submitted": 17, "reference": 12, "status": 10, "version": 9, "id": 30, "date": 12, "time": 9, "number": 12,
    "rating": 9, "scale": 9, "calculated": 12, "yes_no": 9, "consent": 12, "phone": 18, "email": 30, "url": 36,
    "long_text": 48, "address": 36, "contact email": 30,
}  # fmt: skip
_DEFAULT_WIDTH, _MAX_HEADING_WIDTH = (
    24,
    32,
)  # characters: the width of other types, and the maximum width that a heading causes
_DATE_FORMATS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "submitted": ("yyyy-mm-dd hh:mm", datetime.fromisoformat),
    "date": ("yyyy-mm-dd", date.fromisoformat),
    "time": ("hh:mm", time.fromisoformat),
}
_FIRST_DATE = "1900-01-01"  # the first date that a workbook supports


def write_workbook(path: Path, title: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
    """Write a workbook.

    Dates and times, such as `2026-12-24` and `18:30`, are stored as such. Text is never executed as a formula.
    """
    from xlsxwriter import Workbook  # imported late, because it is rarely needed

    book = Workbook(str(path), {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet(title)
    bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    sheet.freeze_panes(1, 0)
    for place, (heading, kind) in enumerate(columns):
        width = max(_COLUMN_WIDTHS.get(kind, _DEFAULT_WIDTH), min(len(heading) + 2, _MAX_HEADING_WIDTH))
        sheet.set_column(place, place, width)
    for place, (heading, _) in enumerate(columns):
        sheet.write_string(0, place, heading[:MAX_CELL_LENGTH], bold)
    formats = {kind: book.add_format({"num_format": shape}) for kind, (shape, _) in _DATE_FORMATS.items()}
    moments = {place: kind for place, (_, kind) in enumerate(columns) if kind in _DATE_FORMATS}
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row):
            if value is None or value == "":
                continue
            if isinstance(value, (int, float)):
                sheet.write_number(number, place, value)
            elif place in moments and (moment := _parse_moment(value, moments[place])) is not None:
                sheet.write_datetime(number, place, moment, formats[moments[place]])
            else:
                sheet.write_string(number, place, str(value)[:MAX_CELL_LENGTH])
    book.close()


def _parse_moment(text: str, kind: str) -> Any:
    """Parse a date or time.

    Return None if a workbook cannot represent it, or if it does not match the question's type.
    """
    shape, read = _DATE_FORMATS[kind]
    if len(text) != len(shape) or (kind != "time" and text < _FIRST_DATE):
        return None
    try:
        return read(text)
    except ValueError:
        return None
