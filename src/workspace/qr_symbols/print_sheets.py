"""Codes for printing: a sheet to cut apart, a poster, a table tent. Text is passed as data, never as markup.

The public reads the print and the file's metadata, so both contain only the given text. A subprocess renders the file,
so BusyError may also be raised.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from workspace.lib.subprocess_worker.pool import SubprocessError
from workspace.qr_symbols.render_pool import render_pool
from workspace.qr_symbols.style import UnsafeStyleError

MAX_ENTRIES = 500
MAX_TEXT_LENGTH, MAX_URL_LENGTH = 44, 90
MAX_LINES, MAX_LINE_LENGTH = 4, 80  # of the code's content
CODE_WIDTH_MILLIMETERS = 100
INK_COLOR = "#111827"
DEFAULT_POSTER_STYLE = {"color": INK_COLOR, "ground": "#ffffff", "frame": "none", "logo": ""}
OutputFormat = Literal["pdf", "png"]
_SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)" role="img"')


@dataclass(frozen=True)
class SheetEntry:
    """A code to print.

    `svg` is a drawing from `svg.render_symbol`, `url` is the address that is shown, if any, and `words` is a call to
    action or a name. `lines` show the content of the code on a poster.
    """

    svg: str
    url: str
    words: str = ""
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class PrintLogo:
    """A logo with its size in pixels, as uploads are stored."""

    content: bytes
    media_type: str
    width: int
    height: int

    @property
    def svg(self) -> str:
        """The logo as the text of an SVG document."""
        data = f"data:{self.media_type};base64,{b64encode(self.content).decode()}"
        size = f'width="{self.width}" height="{self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" {size}>'
            f'<image href="{data}" {size}/></svg>'
        )


def render_code_pdf(svg: str) -> bytes:
    """Return a PDF with one page that is `CODE_WIDTH_MILLIMETERS` wide.

    `svg` is a drawing from `svg.render_symbol`. The PDF contains vector graphics, so that it is sharp at any size.
    """
    found = _SIZE.search(svg)
    if found is None:
        raise UnsafeStyleError("This isn’t an SVG of a QR code")
    width, height = float(found[1]), float(found[2])
    data = {
        "svg": svg,
        "title": "QR code",
        "width": CODE_WIDTH_MILLIMETERS,
        "height": CODE_WIDTH_MILLIMETERS * height / width,
    }
    return _render_layout("code.typ", data, "pdf")


def render_sheet(
    entries: Sequence[SheetEntry],
    *,
    paper: Literal["a4", "letter"] = "a4",
    columns: int = 3,
    business: str = "",
    form: OutputFormat = "pdf",
) -> bytes:
    """Render labeled codes with cut marks, as a PDF with as many pages as needed, or the first page as a PNG.

    The words, the business and the address are below each code. `columns` is 1 to 6. Raise UnsafeStyleError for no
    entries, more than 500, or another number of columns.
    """
    return _render_layout("sheet.typ", _sheet_data(entries, paper, columns, business), form)


def render_poster(
    entry: SheetEntry,
    *,
    business: str = "",
    paper: Literal["a6", "a5", "a4", "letter"] = "a5",
    tent: bool = False,
    color: str = INK_COLOR,
    ground: str = "#ffffff",
    frame: Literal["none", "outline", "banner"] = "none",
    logo: PrintLogo | None = None,
    form: OutputFormat = "pdf",
) -> bytes:
    """Render a poster as PDF or PNG: words, a large code, and below it the logo, business and address.

    The words are in `color`. This color and dark text must both be readable on the background. A frame in this color
    surrounds the page or is behind the words, which then have the background's color.

    A tent shows everything twice, on both sides of a fold across the middle of the paper.
    """
    worn = {"color": color, "ground": ground, "frame": frame, "logo": logo.svg if logo else ""}
    return _render_layout("poster.typ", {**_poster_data(entry, business, paper, tent), **worn}, form)


def _sheet_data(entries: Sequence[SheetEntry], paper: str, columns: int, business: str) -> dict[str, Any]:
    if not entries:
        raise UnsafeStyleError("Choose at least one QR code to print")
    if len(entries) > MAX_ENTRIES:
        raise UnsafeStyleError(f"Print at most {MAX_ENTRIES} QR codes at a time")
    if not 1 <= columns <= 6:
        raise UnsafeStyleError("Choose 1 to 6 columns")
    rows = [_entry_data(entry) for entry in entries]
    return {"entries": rows, "paper": paper, "columns": columns, **_business_data(business)}


def _poster_data(entry: SheetEntry, business: str, paper: str, tent: bool) -> dict[str, Any]:
    return {
        "entry": _entry_data(entry),
        "paper": paper,
        "tent": tent,
        **DEFAULT_POSTER_STYLE,
        **_business_data(business),
    }


def _business_data(business: str) -> dict[str, str]:
    """Return the text printed on the paper, and the title that viewers show for the file."""
    line = _fit_line(business, MAX_TEXT_LENGTH)
    return {"business": line, "title": line or "QR codes"}


def _entry_data(entry: SheetEntry) -> dict[str, Any]:
    row: dict[str, Any] = asdict(entry)
    row["words"], row["url"] = _fit_line(entry.words, MAX_TEXT_LENGTH), _fit_line(entry.url, MAX_URL_LENGTH)
    row["lines"] = [_fit_line(line, MAX_LINE_LENGTH) for line in entry.lines[:MAX_LINES]]
    return row


def _fit_line(text: str, longest: int) -> str:
    """Return one line of printable text, shortened with an ellipsis."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _render_layout(layout: str, data: dict[str, Any], form: OutputFormat) -> bytes:
    request = json.dumps({"layout": layout, "data": data, "form": form}).encode()
    try:
        return render_pool.run("workspace.qr_symbols.typst_worker", request)
    except SubprocessError:
        raise UnsafeStyleError("This is too much to print at once. Choose fewer QR codes") from None
