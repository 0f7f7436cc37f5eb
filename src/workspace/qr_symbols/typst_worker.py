"""From a layout and its data to a PDF or a picture, in a child process: typst never gives back what a sheet of many
codes takes."""

import json
from pathlib import Path
from typing import Any

import typst

_HERE = Path(__file__).parent
PPI = 110  # of a page as a picture: for looking at, under 1,300 pixels high


def answer(content: bytes) -> bytes:
    """{layout, data, form} in JSON become a PDF, or a PNG of the first page; `layout` is a file's name beside this."""
    asked = json.loads(content)
    options = {"format": "png", "ppi": PPI} if asked["form"] == "png" else {}
    made: bytes | list[bytes] = compiled(asked["layout"], asked["data"], **options)
    return made[0] if isinstance(made, list) else made


def compiled(layout: str, data: dict[str, Any], **options: Any) -> Any:
    """The pages as typst.compile returns them; `options` are its own."""
    # ours, and the machine's for the scripts that ours lacks
    fonts = typst.Fonts(include_system_fonts=True, include_embedded_fonts=False, font_paths=[_HERE / "fonts"])
    return typst.compile(
        _HERE / layout,
        root=_HERE,
        font_paths=fonts,
        sys_inputs={"data": json.dumps(data)},
        timestamp=0,  # the same codes give the same bytes
        **options,
    )
