"""Typesetting with typst in a subprocess, because typst never frees the memory of a long document.

Its input cannot block anything except the subprocess.
"""

from __future__ import annotations

import json
import re
from typing import Any

import typst

from workspace.documents import SOURCES

_UNPRINTABLE = re.compile(r'the text `(".*")` could not be displayed', re.DOTALL)
_ESCAPED_CHARACTER = re.compile(r"\\u\{([0-9a-f]+)\}")


def handle(content: bytes) -> bytes:
    """Typeset the JSON object {layout, sheets}.

    Return a line of JSON followed by the PDFs. The line contains their sizes, or the number of the sheet with
    `unprintable` text.
    """
    request = json.loads(content)
    fonts: dict[tuple[str, ...], Any] = {}
    made = []
    for number, sheet in enumerate(request["sheets"]):
        folders = tuple(sheet["folders"])
        if folders not in fonts:
            fonts[folders] = typst.Fonts(
                include_system_fonts=False, include_embedded_fonts=False, font_paths=list(folders)
            )
        try:
            made.append(_compile_sheet(request["layout"], sheet, fonts[folders]))
        except typst.TypstError as error:
            found = _UNPRINTABLE.search(str(error))
            if found is None:
                raise
            text = _ESCAPED_CHARACTER.sub(lambda part: chr(int(part[1], 16)), found[1][1:-1])
            return json.dumps({"number": number, "unprintable": text}).encode() + b"\n"
    head = json.dumps({"sizes": [len(one) for one in made]}).encode()
    return b"\n".join([head, b"".join(made)])


def _compile_sheet(layout: str, sheet: dict[str, Any], fonts: Any) -> bytes:
    if width := sheet.get("width"):
        return _render_first_page(layout, sheet, fonts, width)
    pdf: bytes = typst.compile(
        layout,
        root=SOURCES,
        font_paths=fonts,
        sys_inputs={"data": sheet["data"], "about": sheet["about"]},
        # for archives, and because it turns a character without a glyph into an error
        pdf_standards=["a-3b"],
        timestamp=sheet["at"],
    )
    return pdf


def _render_first_page(layout: str, sheet: dict[str, Any], fonts: Any, width: int) -> bytes:
    """Return the first page as a PNG with the required width in pixels. `points` is the page's width."""
    made = typst.compile(
        layout,
        root=SOURCES,
        font_paths=fonts,
        sys_inputs={"data": sheet["data"], "about": sheet["about"]},
        format="png",
        ppi=width / sheet["points"] * 72,
    )
    first: bytes = made[0] if isinstance(made, list) else made
    return first
