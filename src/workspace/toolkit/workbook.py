"""A table as a workbook (XLSX), small enough for memory: what people open and go on writing in."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

WIDEST = 32_000  # characters that a cell holds


def written(title: str, columns: Sequence[tuple[str, float]], rows: Iterable[Sequence[str | float | None]]) -> bytes:
    """`columns` are headings with their widths in characters. Numbers are numbers; texts are never run as formulas."""
    from xlsxwriter import Workbook  # late: only what is rare pays for it

    out = io.BytesIO()
    book = Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
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
                sheet.write_string(number, place, value[:WIDEST])
    book.close()
    return out.getvalue()
