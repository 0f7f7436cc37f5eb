"""Plain-text tables that fit the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from svc.catalog_columns import filter_filled_columns, fit_columns, format_short_time
from svc.cell_text import format_cell, replace_controls
from svc.table_columns import COLUMN_GAP, Columns


def format_table(
    rows: list[Any], width: int | None, bold: bool = False, column_names: Sequence[str] = ()
) -> tuple[str, bool]:
    """Format rows of objects (or plain values) under a header. Return the text, and whether columns were omitted.

    If the width is limited, only the named columns are shown, if any are given. Without rows, the text is "No entries."
    """
    if not rows:
        return "No entries.", False
    objects = [row if isinstance(row, dict) else {"value": row} for row in rows]
    names = list(dict.fromkeys(name for row in objects for name in row))
    if not names:
        return "No entries.", False
    known = filter_filled_columns(objects, column_names) if width is not None else []
    cells = {name: [_format_cell(row.get(name)) for row in objects] for name in names}
    cells |= {name: [format_short_time(cell) for cell in cells[name]] for name in known}
    natural = {name: max(map(_display_width, [name, *cells[name]])) for name in names}
    if known and width is not None:
        sizes = fit_columns(objects, known, natural, width)
    else:
        sizes = Columns(objects).fit_widths(natural, width)
    lines = [_format_line({name: name.upper() for name in sizes}, sizes)]
    if bold:
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    lines += [_format_line({name: cells[name][index] for name in sizes}, sizes) for index in range(len(objects))]
    return "\n".join(lines), len(sizes) < len(names)


def _format_line(texts: dict[str, str], sizes: dict[str, int]) -> str:
    return (" " * COLUMN_GAP).join(_pad_text(texts[name], size) for name, size in sizes.items()).rstrip()


def _pad_text(text: str, size: int) -> str:
    if _display_width(text) > size:
        while text and _display_width(text) > size - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (size - _display_width(text))


def _format_cell(value: Any) -> str:
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    if isinstance(value, list):
        value = ", ".join(map(format_cell, value))
    if value == {}:
        value = ""
    return " ".join(replace_controls(format_cell(value)).split())


def _display_width(text: str) -> int:
    """Return the number of columns on a terminal. East Asian characters take two, and combining characters none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
