"""Owners' Markdown for pages and PDFs: headings, paragraphs, emphasis and lists, without HTML."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from workspace.documents.document_blocks import (
    Block,
    Heading,
    HorizontalRule,
    ListEntry,
    RichList,
    RichParagraph,
    TextRun,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@cache
def _build_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # pages without Markdown do not need it

    # No HTML and no images. The library rejects script URLs.
    return MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20}).disable(
        ["image", "html_block", "html_inline"]
    )


def render_html(text: str, *, links: bool = True) -> SafeString:
    """Render HTML for a page.

    Headings start at level 3, below those of the page. Without `links`, links are replaced with their text.
    """
    tokens = _build_parser().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        if not links and token.children:
            token.children = [one for one in token.children if one.type not in ("link_open", "link_close")]
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "nofollow noopener")
    page: str = _build_parser().renderer.render(tokens, _build_parser().options, {})
    return mark_safe(page)


def parse_blocks(text: str) -> list[Block]:  # noqa: C901 - one case for each token
    """Return the text as blocks of a PDF. The URL of a link follows its text."""
    found: list[Block] = []
    entries: list[ListEntry] = []
    numbers: list[int] = []  # next number of each open list; 0 for bullets
    heading, is_first = 0, False
    for token in _build_parser().parse(text):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            numbers.append(int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else 0)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
            if not numbers and entries:
                found.append(RichList(entries))
                entries = []
        elif token.type == "list_item_open":
            is_first = True
        elif token.type == "heading_open":
            heading = min(3, int(token.tag[1]) + 1)
        elif token.type == "heading_close":
            heading = 0
        elif token.type == "hr":
            found.append(HorizontalRule())
        elif token.type in ("inline", "code_block", "fence"):
            runs = _text_runs(token)
            if not runs:
                continue
            if numbers:
                entries.append(ListEntry(_list_marker(numbers) if is_first else "", runs, len(numbers) - 1))
                is_first = False
            elif heading:
                found.append(Heading("".join(run.words for run in runs), 2 if heading == 2 else 3))
            else:
                found.append(RichParagraph(runs))
    return found


def _list_marker(numbers: list[int]) -> str:
    if not numbers[-1]:
        return "•"
    numbers[-1] += 1
    return f"{numbers[-1] - 1}."


def _text_runs(token: Token) -> list[TextRun]:
    """Return the text runs of one paragraph."""
    if not token.children:
        words = token.content.strip()
        return [TextRun(words)] if words else []
    found: list[TextRun] = []
    strong = slanted = 0
    linked, said = "", ""
    for one in token.children:
        strong += (one.type == "strong_open") - (one.type == "strong_close")
        slanted += (one.type == "em_open") - (one.type == "em_close")
        words = "\n" if one.type in ("softbreak", "hardbreak") else one.content
        if one.type == "link_open":
            linked, said = str(one.attrs.get("href", "")), ""
        elif one.type == "link_close":
            words = f" ({linked})" if linked and linked not in (said, f"mailto:{said}") else ""
        said += words
        if words:
            found.append(TextRun(words, strong=strong > 0, slanted=slanted > 0))
    return found if any(run.words.strip() for run in found) else []
