"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api


def make_page(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    page: dict[str, Any] = api.run("svc_reviews_create", title=f"How was visit {number}?", **more)
    return page


def make_testimonial(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    """Add a testimonial as the owner, on the account's first page."""
    page = api.run("svc_reviews_get")["pages"]["items"][-1]
    given = {"name": f"Guest {number}", "text": f"The cake was good, and so were {number} others.", "rating": 5}
    saved = api.run("svc_reviews_save_items", page_id=page["id"], items=[{"consented": True, **given, **more}])
    made: dict[str, Any] = saved["items"][0]
    return made


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    page = make_page(api)
    return {"review_page": page["id"], "testimonial": make_testimonial(api)["id"]}


SAMPLES = {
    "svc_reviews_list": lambda made: {"page_id": made["review_page"], "status": "pending"},
    "svc_reviews_approve": lambda made: {
        "page_id": made["review_page"],
        "item_id": made["testimonial"],
        "action": "feature",
    },
    "svc_reviews_get": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_search": lambda made: {"q": "cake", "page_id": made["review_page"], "rating": 5},
    "svc_reviews_create": lambda made: {
        "title": "How was it?",
        "hosts": ["www.example.com"],
        "expires_at": "2099-01-01",
    },
    "svc_reviews_edit": lambda made: {"page_id": made["review_page"], "title": "Tell us", "questions": ["Why?"]},
    "svc_reviews_save_items": lambda made: {
        "page_id": made["review_page"],
        "items": [
            {"id": made["testimonial"], "action": "approve", "reply": "Come back soon", "tags": ["food"]},
            {"name": "Ida", "text": "Lovely", "rating": 4, "written_on": "2024-03-05", "consented": True},
        ],
        "csv": "name,text,rating\nOtto,Lovely,4\n",
        "consented": True,
        "source_name": "Guest book",
    },
    "svc_reviews_delete": lambda made: {"ids": [made["testimonial"]]},
    "svc_reviews_stats": lambda made: {"page_id": made["review_page"], "days": 7},
    "svc_reviews_export": lambda made: {"page_id": made["review_page"]},
}

# A complete list without pagination must also run a constant number of queries, so it is included here.
LISTS = {"svc_reviews_list": make_testimonial, "svc_reviews_search": make_testimonial, "svc_reviews_get": make_page}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {"id": "review_page", "item_id": "testimonial", "token": "nothing"}
