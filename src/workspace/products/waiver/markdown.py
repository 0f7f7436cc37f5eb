"""An owner's Markdown, on the page and on paper: headings, paragraphs and lists. Nothing of it is HTML."""

from __future__ import annotations

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from workspace.documents.paper import Block, Heading, Points, Words


@cache
def _reader() -> MarkdownIt:
    # no HTML, no pictures; addresses of scripts are refused by the library
    return MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20}).disable(
        ["image", "html_block", "html_inline"]
    )


def html(text: str, *, links: bool = True) -> SafeString:
    """For a page; headings begin at the third level, below those of the page. Without `links` their words stay."""
    tokens = _reader().parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        if not links and token.children:
            token.children = [one for one in token.children if one.type not in ("link_open", "link_close")]
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "nofollow noopener")
    return mark_safe(_reader().renderer.render(tokens, _reader().options, {}))


def blocks_of(text: str) -> list[Block]:
    """For paper: without emphasis."""
    found: list[Block] = []
    points: list[str] = []
    depth, heading, ordered = 0, 0, []
    for token in _reader().parse(text):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
            ordered.append(1 if token.type == "ordered_list_open" else 0)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            ordered.pop()
            if not depth and points:
                found.append(Points(points))
                points = []
        elif token.type == "heading_open":
            heading = min(3, int(token.tag[1]) + 1)
        elif token.type == "heading_close":
            heading = 0
        elif token.type in ("inline", "code_block", "fence"):
            words = _plain(token)
            if not words:
                continue
            if depth:
                number = f"{ordered[-1]}. " if ordered[-1] else ""
                ordered[-1] += 1 if ordered[-1] else 0
                points.append(f"{number}{words}")
            elif heading:
                found.append(Heading(words, 2 if heading == 2 else 3))
            else:
                found.append(Words(words))
    return found


def _plain(token: Token) -> str:
    if not token.children:
        return token.content.strip()
    return "".join("\n" if one.type in ("softbreak", "hardbreak") else one.content for one in token.children).strip()
