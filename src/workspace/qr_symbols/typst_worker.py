"""Rendering of a layout with its data as PDF or image, in a subprocess.

typst never frees the memory of a sheet with many codes."""

import json
from pathlib import Path
from typing import Any

import typst

_FOLDER = Path(__file__).parent
PIXELS_PER_INCH = 110  # of a page as an image, for previews of less than 1,300 pixels in height


def handle(content: bytes) -> bytes:
    """Render the JSON object {layout, data, form} as a PDF, or its first page as a PNG.

    `layout` is the name of a file in this folder."""
    request = json.loads(content)
    options = {"format": "png", "ppi": PIXELS_PER_INCH} if request["form"] == "png" else {}
    made: bytes | list[bytes] = compile_layout(request["layout"], request["data"], **options)
    return made[0] if isinstance(made, list) else made


def compile_layout(layout: str, data: dict[str, Any], **options: Any) -> Any:
    """Return the pages in the form returned by typst.compile, with its `options`."""
    # our fonts, and the machine's for scripts that ours lack
    fonts = typst.Fonts(include_system_fonts=True, include_embedded_fonts=False, font_paths=[_FOLDER / "fonts"])
    return typst.compile(
        _FOLDER / layout,
        root=_FOLDER,
        font_paths=fonts,
        sys_inputs={"data": json.dumps(data)},
        timestamp=0,  # the same codes give the same bytes
        **options,
    )
