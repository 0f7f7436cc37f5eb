"""Codes on paper: a sheet to cut apart, a poster, a table tent. Words travel as data, never as markup.

Strangers read what is printed, and what the file says of itself: it shows the words that it is given and nothing else.
A child process makes it, so that Busy may be raised too.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from workspace.lib.subprocess_worker.pool import ChildFailed
from workspace.qr_symbols.render_pool import drawings
from workspace.qr_symbols.style import UnsafeStyle

MAX_ENTRIES = 500
MAX_WORDS, MAX_URL = 44, 90
MAX_LINES, MAX_LINE = 4, 80  # of what a code holds
CODE_WIDTH = 100
INK = "#111827"
PLAIN = {"colour": INK, "ground": "#ffffff", "frame": "none", "logo": ""}
Form = Literal["pdf", "png"]
_SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)" role="img"')


@dataclass(frozen=True)
class SheetEntry:
    """One code to print: its SVG as draw.svg made it, the address it shows, if any, and the words by which people know
    what it is for: a call, or a name. `lines` say on a poster what the code holds."""

    svg: str
    url: str
    words: str = ""
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class Logo:
    """A picture of so many pixels, as uploads are kept."""

    content: bytes
    media_type: str
    width: int
    height: int

    @property
    def svg(self) -> str:
        """As a drawing, which is what travels as text."""
        data = f"data:{self.media_type};base64,{b64encode(self.content).decode()}"
        size = f'width="{self.width}" height="{self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" {size}>'
            f'<image href="{data}" {size}/></svg>'
        )


def code(svg: str) -> bytes:
    """A PDF of a drawing that draw.svg made: a page of CODE_WIDTH millimetres, of lines that stay sharp at any size."""
    found = _SIZE.search(svg)
    if found is None:
        raise UnsafeStyle("This is not a drawing of a code")
    width, height = float(found[1]), float(found[2])
    data = {"svg": svg, "title": "QR code", "width": CODE_WIDTH, "height": CODE_WIDTH * height / width}
    return _made("code.typ", data, "pdf")


def sheet(
    entries: Sequence[SheetEntry],
    *,
    paper: Literal["a4", "letter"] = "a4",
    columns: int = 3,
    business: str = "",
    form: Form = "pdf",
) -> bytes:
    """A PDF of labelled codes with cut marks, on as many pages as it takes; as a PNG its first page. Below each code
    stand its words, the business and the address.

    columns: 1 to 6. Raises UnsafeStyle for no entries, more than 500, or another number of columns.
    """
    return _made("sheet.typ", _sheet_data(entries, paper, columns, business), form)


def poster(
    entry: SheetEntry,
    *,
    business: str = "",
    paper: Literal["a6", "a5", "a4", "letter"] = "a5",
    tent: bool = False,
    colour: str = INK,
    ground: str = "#ffffff",
    frame: Literal["none", "outline", "banner"] = "none",
    logo: Logo | None = None,
    form: Form = "pdf",
) -> bytes:
    """A page, as PDF or PNG, with one large code under its words, above the logo, the business and the address. The
    words have the colour, which must be readable on the ground, as dark ink must; a frame in it goes around the page,
    or behind the words, which then are written in the ground's.

    A tent shows it twice, head to head around a fold across the middle of the paper: it stands on a table.
    """
    worn = {"colour": colour, "ground": ground, "frame": frame, "logo": logo.svg if logo else ""}
    return _made("poster.typ", {**_poster_data(entry, business, paper, tent), **worn}, form)


def _sheet_data(entries: Sequence[SheetEntry], paper: str, columns: int, business: str) -> dict[str, Any]:
    if not entries:
        raise UnsafeStyle("Choose at least one code to print")
    if len(entries) > MAX_ENTRIES:
        raise UnsafeStyle(f"Print at most {MAX_ENTRIES} codes at a time")
    if not 1 <= columns <= 6:
        raise UnsafeStyle("Choose from 1 to 6 columns")
    rows = [_printable(entry) for entry in entries]
    return {"entries": rows, "paper": paper, "columns": columns, **_of_business(business)}


def _poster_data(entry: SheetEntry, business: str, paper: str, tent: bool) -> dict[str, Any]:
    return {"entry": _printable(entry), "paper": paper, "tent": tent, **PLAIN, **_of_business(business)}


def _of_business(business: str) -> dict[str, str]:
    """What stands on paper, and the title by which viewers name the file."""
    line = _line(business, MAX_WORDS)
    return {"business": line, "title": line or "QR codes"}


def _printable(entry: SheetEntry) -> dict[str, Any]:
    row: dict[str, Any] = asdict(entry)
    row["words"], row["url"] = _line(entry.words, MAX_WORDS), _line(entry.url, MAX_URL)
    row["lines"] = [_line(line, MAX_LINE) for line in entry.lines[:MAX_LINES]]
    return row


def _line(text: str, longest: int) -> str:
    """One line of what can be printed, shortened with an ellipsis."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _made(layout: str, data: dict[str, Any], form: Form) -> bytes:
    asked = json.dumps({"layout": layout, "data": data, "form": form}).encode()
    try:
        return drawings.run("workspace.qr_symbols.typst_worker", asked)
    except ChildFailed:
        raise UnsafeStyle("This is too much to print at once. Choose fewer codes") from None
