"""A plain document, block by block, as typed data: what most papers need.

typeset(paper.LAYOUT, paper.data([Heading("Quote 12"), Words("Dear Ada, …"), Table(…)]), title="Quote 12")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

LAYOUT = Path(__file__).with_name("layouts") / "paper.typ"
Alignment = Literal["start", "center", "end"]


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` 1 to 3."""

    words: str
    level: Literal[1, 2, 3] = 1
    kind: str = field(default="heading", init=False)


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Paragraphs, parted by empty lines, each read from its own side."""

    words: str
    small: bool = False
    kind: str = field(default="words", init=False)


@dataclass(frozen=True, slots=True)
class BulletList:
    items: Sequence[str]
    kind: str = field(default="points", init=False)


@dataclass(frozen=True, slots=True)
class TextRun:
    """A part of a paragraph in one look."""

    words: str
    strong: bool = False
    slanted: bool = False


@dataclass(frozen=True, slots=True)
class RichParagraph:
    """A paragraph of several looks, read from the side of its first letter."""

    runs: Sequence[TextRun]
    kind: str = field(default="flow", init=False)


@dataclass(frozen=True, slots=True)
class ListEntry:
    """Of a list: behind a mark (a dot, a number), `depth` lists deep from 0 on."""

    mark: str
    runs: Sequence[TextRun]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class RichList:
    items: Sequence[ListEntry]
    kind: str = field(default="entries", init=False)


@dataclass(frozen=True, slots=True)
class FactTable:
    """Names and what they are."""

    rows: Sequence[tuple[str, str]]
    kind: str = field(default="facts", init=False)


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """`widths` are shares of what is left, 0 is as wide as its texts; the last `totals` rows stand out. The head comes
    again on each page, unless it is all empty."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    sides: Sequence[Alignment]
    widths: Sequence[int]
    totals: int = 0
    kind: str = field(default="table", init=False)


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG of our own making."""

    svg: str
    millimetres: float
    alt: str = ""
    kind: str = field(default="picture", init=False)


@dataclass(frozen=True, slots=True)
class HorizontalRule:
    kind: str = field(default="rule", init=False)


@dataclass(frozen=True, slots=True)
class PageBreak:
    kind: str = field(default="page", init=False)


Block = (
    Heading
    | Paragraphs
    | BulletList
    | RichParagraph
    | RichList
    | FactTable
    | DocumentTable
    | Drawing
    | HorizontalRule
    | PageBreak
)


def build_data(
    blocks: Sequence[Block], *, paper: Literal["a4", "us-letter"] = "a4", footer: str = ""
) -> dict[str, Any]:
    """`footer` stands on each page, beside its number."""
    return {"paper": paper, "footer": footer, "blocks": [asdict(block) for block in blocks]}
