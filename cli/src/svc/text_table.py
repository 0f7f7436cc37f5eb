"""A plain table that fits the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from svc.catalog_columns import fit_named, named_in, short_time
from svc.output import cell_text, printable
from svc.table_columns import GAP, Columns


def table_text(rows: list[Any], width: int | None, bold: bool = False, named: Sequence[str] = ()) -> tuple[str, bool]:
    """Rows of objects (or bare values) under a header, and whether columns were left out. Where the width is limited,
    the columns are those that are named, if any are.

    "Nothing here yet." when there are no rows.
    """
    if not rows:
        return "Nothing here yet.", False
    objects = [row if isinstance(row, dict) else {"value": row} for row in rows]
    names = list(dict.fromkeys(name for row in objects for name in row))
    if not names:
        return "Nothing here yet.", False
    known = named_in(objects, named) if width is not None else []
    cells = {name: [_cell(row.get(name)) for row in objects] for name in names}
    cells |= {name: [short_time(cell) for cell in cells[name]] for name in known}
    natural = {name: max(map(_size, [name, *cells[name]])) for name in names}
    if known and width is not None:
        sizes = fit_named(objects, known, natural, width)
    else:
        sizes = Columns(objects).fit(natural, width)
    lines = [_line({name: name.upper() for name in sizes}, sizes)]
    if bold:
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    lines += [_line({name: cells[name][index] for name in sizes}, sizes) for index in range(len(objects))]
    return "\n".join(lines), len(sizes) < len(names)


def _line(texts: dict[str, str], sizes: dict[str, int]) -> str:
    return (" " * GAP).join(_pad(texts[name], size) for name, size in sizes.items()).rstrip()


def _pad(text: str, size: int) -> str:
    if _size(text) > size:
        while text and _size(text) > size - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (size - _size(text))


def _cell(value: Any) -> str:
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    if isinstance(value, list):
        value = ", ".join(map(cell_text, value))
    if value == {}:
        value = ""
    return " ".join(printable(cell_text(value)).split())


def _size(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
