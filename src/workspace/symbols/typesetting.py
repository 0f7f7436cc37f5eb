"""From a layout and its data to PDF, in a child process: typst never gives back what a sheet of many codes takes."""

import json
from pathlib import Path
from typing import Any

import typst

_HERE = Path(__file__).parent


def answer(content: bytes) -> bytes:
    """{layout, data} in JSON become a PDF; `layout` is the name of a file beside this one."""
    asked = json.loads(content)
    pdf: bytes = compiled(asked["layout"], asked["data"])
    return pdf


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
