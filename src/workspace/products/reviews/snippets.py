"""The HTML that an owner copies to their website."""

from __future__ import annotations

from html import escape

from typing_extensions import TypedDict

from workspace.products.reviews.models import ReviewPage

# how high a frame is that cannot tell its website: as its layout usually needs on a phone
_HEIGHTS = {"carousel": 600, "badge": 120}


class Snippets(TypedDict):
    script: str
    iframe: str
    link: str


def snippets(page: ReviewPage) -> Snippets:
    """`script` loads a frame that fits its height, `iframe` is one of a fixed height without script, `link` a text."""
    url, title = escape(page.public_url), escape(f"What guests say about {page.account.name}")
    return {
        "script": f'<script src="{url}/widget.js" async></script>',
        "iframe": f'<iframe src="{url}/embed" title="{title}" loading="lazy" width="100%" '
        f'height="{_HEIGHTS.get(page.layout, 640)}" style="border:0"></iframe>',
        "link": f'<a href="{url}/wall">{title}</a>',
    }
