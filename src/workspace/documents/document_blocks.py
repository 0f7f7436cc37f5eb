"""A plain document as a list of typed blocks. Most PDFs are such documents.

data = build_data([Heading("Quote 12"), Paragraphs("Dear Ada, …"), DocumentTable(…)]) typeset_document(document.LAYOUT,
data, title="Quote 12")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from workspace.documents.glyph_coverage import has_glyphs

LAYOUT = Path(__file__).with_name("layouts") / "paper.typ"
Alignment = Literal["start", "center", "end"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 3."""

    words: str
    level: Literal[1, 2, 3] = 1
    kind: str = field(default="heading", init=False)


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Paragraphs, separated by empty lines. Each has its own text direction."""

    words: str
    small: bool = False
    kind: str = field(default="words", init=False)


@dataclass(frozen=True, slots=True)
class TextRun:
    """A part of a paragraph in one style."""

    words: str
    strong: bool = False
    slanted: bool = False


@dataclass(frozen=True, slots=True)
class RichParagraph:
    """A paragraph in several styles, with the text direction of its first letter."""

    runs: Sequence[TextRun]
    kind: str = field(default="flow", init=False)


@dataclass(frozen=True, slots=True)
class ListEntry:
    """An entry of a list with its mark (a dot, a number). `depth` is the nesting depth, starting at 0."""

    mark: str
    runs: Sequence[TextRun]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class RichList:
    items: Sequence[ListEntry]
    kind: str = field(default="entries", init=False)


@dataclass(frozen=True, slots=True)
class FactTable:
    """A table of names and values."""

    rows: Sequence[tuple[str, str]]
    kind: str = field(default="facts", init=False)


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table.

    `widths` are shares of the available width, or 0 for the width of the content. The last `totals` rows are
    emphasized. The header is repeated on each page unless it is empty."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    sides: Sequence[Alignment]
    widths: Sequence[int]
    totals: int = 0
    kind: str = field(default="table", init=False)


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG that we generated."""

    svg: str
    millimetres: float
    alt: str = ""
    kind: str = field(default="picture", init=False)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A table whose amounts add up to the totals below it, in the same last column.

    A row is (texts of the cells, section, is strong). The first text may have a second line, which is shown smaller. A
    section is a heading above its rows. `sums` are (label, value, is strong), in the order in which they are computed.
    """

    head: Sequence[str]
    rows: Sequence[tuple[Sequence[str], str, bool]]
    sums: Sequence[tuple[str, str, bool]] = ()
    kind: str = field(default="prices", init=False)


@dataclass(frozen=True, slots=True)
class SignatureSlot:
    """One signature: the signer and the signed text, or an empty line for a signature.

    `svg` is a drawn signature that we generated, and `typed` a typed one. `facts` are names and values below it.
    """

    label: str
    typed: str = ""
    svg: str = ""
    facts: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class SignatureGrid:
    """The signatures of all parties, two in a row, below the text that they agree to.

    No signature is split over two pages.
    """

    slots: Sequence[SignatureSlot]
    words: str = ""
    kind: str = field(default="signatures", init=False)


@dataclass(frozen=True, slots=True)
class HorizontalRule:
    kind: str = field(default="rule", init=False)


@dataclass(frozen=True, slots=True)
class PageBreak:
    kind: str = field(default="page", init=False)


Block = (
    Heading
    | Paragraphs
    | RichParagraph
    | RichList
    | FactTable
    | DocumentTable
    | Drawing
    | PriceTable
    | SignatureGrid
    | HorizontalRule
    | PageBreak
)


@dataclass(frozen=True, slots=True)
class DocumentBrand:
    """How a document shows the brand of a business.

    `color` is readable on white, and `tint` a light shade of it, both as `#rrggbb`. `typeface` is a display font of
    headings, or "". `logo` and `picture` are SVGs that contain an image. The picture is shown across the page.
    """

    name: str
    color: str
    tint: str
    typeface: str = ""
    logo: str = ""
    picture: str = ""


def build_document_data(
    blocks: Sequence[Block],
    *,
    paper: Literal["a4", "us-letter"] = "a4",
    footer: str = "",
    brand: DocumentBrand | None = None,
    label: str = "",
) -> dict[str, Any]:
    """Build the data for the layout.

    `footer` is printed on each page, next to the page number. A document with a brand begins with its logo or name and
    the `label`. Headings use its typeface if it has all their letters, so that no heading mixes two fonts.
    """
    typeface = ""
    if brand is not None and brand.typeface:
        words = [block.words for block in blocks if isinstance(block, Heading)]
        typeface = brand.typeface if all(has_glyphs(brand.typeface, text) for text in words) else ""
    return {
        "paper": paper,
        "footer": footer,
        "label": label,
        "brand": None if brand is None else {**asdict(brand), "typeface": typeface},
        "blocks": [asdict(block) for block in blocks],
    }
