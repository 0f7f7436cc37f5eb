"""What the tests across all tools need to know of this product: `SAMPLES` are each tool's arguments, made from what
`make` returns; `LISTS` tells for each list with pages how to make one more row."""

from __future__ import annotations

from typing import Any

from workspace.testing import Api


def make_page(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    page: dict[str, Any] = api.run("svc_reviews_page_create", title=f"How was visit {number}?", **more)
    return page


def make_testimonial(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    """One that the owner adds, on the account's first page."""
    page = api.run("svc_reviews_pages")["items"][-1]
    given = {"name": f"Guest {number}", "text": f"The cake was good, and so were {number} others.", "rating": 5}
    made: dict[str, Any] = api.run("svc_reviews_add", page_id=page["id"], **{"consented": True, **given, **more})
    return made


def make(api: Api) -> dict[str, str]:
    """One thing of every kind that ids name: {name in SAMPLES: id}."""
    page = make_page(api)
    return {"review_page": page["id"], "testimonial": make_testimonial(api)["id"]}


def _item(made: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"page_id": made["review_page"], "item_id": made["testimonial"], **more}


SAMPLES = {
    "svc_reviews_list": lambda made: {"page_id": made["review_page"], "status": "pending"},
    "svc_reviews_approve": lambda made: _item(made, action="feature"),
    "svc_reviews_search": lambda made: {"q": "cake", "page_id": made["review_page"], "rating": 5},
    "svc_reviews_get": lambda made: _item(made),
    "svc_reviews_edit": lambda made: _item(made, excerpt="The cake was good", tags=["food"]),
    "svc_reviews_reply": lambda made: _item(made, text="Come back soon"),
    "svc_reviews_moderate": lambda made: {"item_ids": [made["testimonial"]], "add_tags": ["food"]},
    "svc_reviews_delete": lambda made: _item(made),
    "svc_reviews_pages": lambda made: {},
    "svc_reviews_page_create": lambda made: {"title": "How was it?", "hosts": ["www.example.com"]},
    "svc_reviews_page_get": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_page_edit": lambda made: {"page_id": made["review_page"], "title": "Tell us", "questions": ["Why?"]},
    "svc_reviews_page_pause": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_page_resume": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_page_delete": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_page_stats": lambda made: {"page_id": made["review_page"], "days": 7},
    "svc_reviews_widget": lambda made: {"page_id": made["review_page"]},
    "svc_reviews_add": lambda made: {"page_id": made["review_page"], "name": "Ida", "text": "Lovely", "rating": 4},
    "svc_reviews_import": lambda made: {"page_id": made["review_page"], "csv": "name,text,rating\nIda,Lovely,4\n"},
    "svc_reviews_export": lambda made: {"page_id": made["review_page"]},
}

# A whole list without pages answers the same number of queries too, so it stands here as well.
LISTS = {"svc_reviews_list": make_testimonial, "svc_reviews_search": make_testimonial, "svc_reviews_pages": make_page}

# what stands for each part of an address: a name in what `make` returns, or a text of its own
ADDRESSES = {"page_id": "review_page", "item_id": "testimonial", "token": "nothing"}
