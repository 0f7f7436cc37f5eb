"""From a layout and its data to a PDF or a picture, in a child process: typst never gives back what a sheet of many
codes takes."""

import json
from pathlib import Path
from typing import Any

import typst

_FOLDER = Path(__file__).parent
PIXELS_PER_INCH = 110  # of a page as a picture: for looking at, under 1,300 pixels high


def handle(content: bytes) -> bytes:
    """{layout, data, form} in JSON become a PDF, or a PNG of the first page; `layout` is a file's name beside this."""
    asked = json.loads(content)
    options = {"format": "png", "ppi": PIXELS_PER_INCH} if asked["form"] == "png" else {}
    made: bytes | list[bytes] = compile_layout(asked["layout"], asked["data"], **options)
    return made[0] if isinstance(made, list) else made


def compile_layout(layout: str, data: dict[str, Any], **options: Any) -> Any:
    """The pages as typst.compile returns them; `options` are its own."""
    # ours, and the machine's for the scripts that ours lacks
    fonts = typst.Fonts(include_system_fonts=True, include_embedded_fonts=False, font_paths=[_FOLDER / "fonts"])
    return typst.compile(
        _FOLDER / layout,
        root=_FOLDER,
        font_paths=fonts,
        sys_inputs={"data": json.dumps(data)},
        timestamp=0,  # the same codes give the same bytes
        **options,
    )
