"""A plain table that fits the terminal: the longest columns give way, ids stay whole so that they copy."""

from __future__ import annotations

import unicodedata
from typing import Any

from svc.output import cell_text, printable

GAP = "  "
NARROWEST = 8


def table_text(rows: list[Any], width: int | None, bold: bool = False) -> str:
    """Rows of objects (or bare values) under a header; "Nothing here yet." when there are none."""
    if not rows:
        return "Nothing here yet."
    objects = [row if isinstance(row, dict) else {"value": row} for row in rows]
    columns = list(dict.fromkeys(name for row in objects for name in row))
    cells = [[_cell(row.get(name)) for name in columns] for row in objects]
    sizes = [max(_size(line[index]) for line in [columns, *cells]) for index in range(len(columns))]
    if width is not None:
        sizes = _fit(columns, sizes, width)
    shown = [index for index, size in enumerate(sizes) if size]
    lines = [_line([columns[index].upper() for index in shown], [sizes[index] for index in shown])]
    if bold:
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    lines += [_line([line[index] for index in shown], [sizes[index] for index in shown]) for line in cells]
    if len(shown) < len(columns):
        hidden = ", ".join(columns[index] for index in range(len(columns)) if index not in shown)
        lines.append(f"Not shown, for want of room: {hidden} (--output json has everything)")
    return "\n".join(lines)


def _fit(columns: list[str], sizes: list[int], width: int) -> list[int]:
    """Sizes that fit `width`; 0 leaves a column out."""
    sizes = list(sizes)

    def total() -> int:
        used = [size for size in sizes if size]
        return sum(used) + len(GAP) * (len(used) - 1)

    while total() > width:
        free = [
            index
            for index, size in enumerate(sizes)
            if size > NARROWEST and columns[index] != "id" and not columns[index].endswith("_id")
        ]
        if free:
            widest = max(free, key=lambda index: sizes[index])
            sizes[widest] = max(NARROWEST, sizes[widest] - max(1, total() - width) // 2 - 1)
        elif len([size for size in sizes if size]) > 1:
            sizes[max(index for index, size in enumerate(sizes) if size)] = 0
        else:
            break
    return sizes


def _line(texts: list[str], sizes: list[int]) -> str:
    return GAP.join(_pad(text, size) for text, size in zip(texts, sizes, strict=True)).rstrip()


def _pad(text: str, size: int) -> str:
    if _size(text) > size:
        while text and _size(text) > size - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (size - _size(text))


def _cell(value: Any) -> str:
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    return " ".join(printable(cell_text(value)).split())


def _size(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
