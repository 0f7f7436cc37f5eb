"""HTML snippets that owners copy to their website."""

from __future__ import annotations

from html import escape

from workspace.products.reviews.models import ReviewPage
from workspace.public_site import embeds

# frame heights without scripts, as each layout usually needs on a phone
_FRAME_HEIGHTS = {"carousel": 600, "badge": 120}


class Snippets(embeds.Snippets):
    link: str


def build_snippets(page: ReviewPage) -> Snippets:
    """Return the snippets for embedding, and a text link as `link`."""
    title = f"What guests say about {page.account.name}"
    return {
        **embeds.build_snippets(page, title, _FRAME_HEIGHTS.get(page.layout, 640)),
        "link": f'<a href="{escape(page.public_url)}/wall">{escape(title)}</a>',
    }
