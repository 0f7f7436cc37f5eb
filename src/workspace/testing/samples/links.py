"""Samples of this product for the tests across all tools."""

from __future__ import annotations

from typing import Any

from workspace.products.links.models import Page
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import LiveBlock
from workspace.testing.api import Api

# in place of live blocks of other products
live_blocks.register(
    "links-sample",
    "A sample",
    Page,
    lambda page: LiveBlock(page.title, (page.bio,), "https://example.com/", page.title),
)


def make_page(api: Api, number: int = 0) -> dict[str, Any]:
    page: dict[str, Any] = api.run("svc_links_create", title=f"Page {number}")
    api.run("svc_links_add", page_id=page["id"], title=f"Button {number}", url=f"https://example.com/{number}")
    return page


def create_samples(api: Api) -> dict[str, str]:
    """Create a page with an element of every kind."""
    page = api.run(
        "svc_links_create",
        title="Corner *Café*",
        bio="Coffee\nand cake",
        share_title="Come by",
        share_description="Every day",
        social_profiles=[{"network": "instagram", "url": "@corner_cafe"}],
        expires_at="2031-01-01T10:00:00Z",
        elements=[
            {"title": "Menu", "url": "example.com/a_menu", "icon": "☕", "shows_from": "2020-01-01"},
            {"kind": "heading", "title": "Find us"},
            {"kind": "text", "text": "Open\ndaily", "shows_until": "2031-02-01"},
            {"url": "tel:+43123456", "is_on": False},
        ],
    )
    shown = [{"kind": "live", "thing": page["id"]}]
    api.run("svc_links_save", page_id=page["id"], items=shown)
    return {"link_page": page["id"], "link": page["elements"][0]["id"]}


SAMPLES = {
    "svc_links_pages": lambda made: {},
    "svc_links_create": lambda made: {
        "title": "Corner Café",
        "bio": "Coffee and cake",
        "theme": "ocean",
        "elements": [{"title": "Menu", "url": "example.com/menu"}, {"kind": "text", "text": "Open daily"}],
    },
    "svc_links_edit": lambda made: {
        "page_id": made["link_page"],
        "title": "Renamed",
        "social_profiles": [{"network": "instagram", "url": "@corner.cafe"}],
        "live": False,
    },
    "svc_links_add": lambda made: {"page_id": made["link_page"], "title": "Menu", "url": "example.com", "icon": "☕"},
    "svc_links_save": lambda made: {
        "page_id": made["link_page"],
        "items": [
            {"id": made["link"], "is_on": False},
            {"kind": "heading", "title": "Find us"},
            {"kind": "text", "text": "Open daily", "shows_until": "2030-01-01"},
        ],
        "order": [made["link"]],
    },
    "svc_links_delete": lambda made: {"ids": [made["link"], made["link_page"]]},
    "svc_links_stats": lambda made: {"page_id": made["link_page"], "days": 7},
    "svc_links_export": lambda made: {"page_id": made["link_page"], "kind": "page"},
}

# A complete list without pagination must also run a constant number of queries, so it is included here.
LISTS = {"svc_links_pages": make_page}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {
    "id": "link_page",
    "link_id": "link",
    "part": "link",
    "kind": "heading",
    "name": "ocean",
    "direction": "up",
    "new_state": "off",
}
