"""What the tests across all tools need to know of this product."""

from __future__ import annotations

from typing import Any

from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import LiveBlock
from workspace.testing import Api

SAMPLE_BLOCK = "links-sample"
live_blocks.register(
    SAMPLE_BLOCK, "A sample", lambda account: LiveBlock("Today", (account.name,), "https://example.com/", "Look")
)


def make_page(api: Api, number: int = 0) -> dict[str, Any]:
    page: dict[str, Any] = api.run("svc_links_create_page", title=f"Page {number}")
    api.run("svc_links_add", page_id=page["id"], title=f"Button {number}", url=f"https://example.com/{number}")
    return page


def make(api: Api) -> dict[str, str]:
    page = make_page(api)
    link = api.run("svc_links_add", page_id=page["id"], url="example.com/menu")
    return {"link_page": page["id"], "link": link["id"]}


SAMPLES = {
    "svc_links_pages": lambda made: {},
    "svc_links_create_page": lambda made: {"title": "Corner Café", "bio": "Coffee and cake", "theme": "ocean"},
    "svc_links_get_page": lambda made: {"page_id": made["link_page"]},
    "svc_links_edit_page": lambda made: {
        "page_id": made["link_page"],
        "title": "Renamed",
        "social_profiles": [{"network": "instagram", "url": "@corner.cafe"}],
    },
    "svc_links_pause_page": lambda made: {"page_id": made["link_page"]},
    "svc_links_resume_page": lambda made: {"page_id": made["link_page"]},
    "svc_links_delete_page": lambda made: {"page_id": made["link_page"]},
    "svc_links_add": lambda made: {"page_id": made["link_page"], "title": "Menu", "url": "example.com", "icon": "☕"},
    "svc_links_insert_heading": lambda made: {"page_id": made["link_page"], "title": "Find us"},
    "svc_links_insert_text": lambda made: {"page_id": made["link_page"], "text": "Open daily"},
    "svc_links_insert_live": lambda made: {"page_id": made["link_page"], "live": SAMPLE_BLOCK},
    "svc_links_live_kinds": lambda made: {},
    "svc_links_edit_link": lambda made: {"page_id": made["link_page"], "link_id": made["link"], "is_on": False},
    "svc_links_remove_link": lambda made: {"page_id": made["link_page"], "link_id": made["link"]},
    "svc_links_reorder": lambda made: {"page_id": made["link_page"], "link_ids": [made["link"]]},
    "svc_links_stats": lambda made: {"page_id": made["link_page"], "days": 7},
    "svc_links_export_page": lambda made: {"page_id": made["link_page"]},
    "svc_links_import_page": lambda made: {
        "page": {"title": "Imported", "elements": [{"kind": "link", "url": "https://example.com"}]}
    },
}

# A whole list without pages answers the same number of queries too, so it stands here as well.
LISTS = {"svc_links_pages": make_page}

# what stands for each part of an address: a name in what `make` returns, or a text of its own
ADDRESSES = {
    "id": "link_page",
    "link_id": "link",
    "part": "link",
    "kind": "heading",
    "name": "ocean",
    "way": "up",
    "to": "off",
}
