"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

OFFER: dict[str, Any] = {
    "client_name": "Ada Berger",
    "client_email": "ada@example.com",
    "client_company": "Berger & Co",
    "intro": "Thank you for asking.",
    "line_items": [
        {"name": "Buffet", "quantity": 40, "unit": "guests", "unit_price": 28.5, "section": "Food"},
        {"name": "Service", "quantity": 2.5, "unit_price": "190.00", "description": "Three people", "taxable": False},
        {"name": "Espresso bar", "unit_price": 420, "optional": True, "selected": True},
        {"name": "Cake", "unit_price": 560, "optional": True},
    ],
    "packages": [
        {"name": "Morning", "price": 480, "features": ["Coffee", "Cake"]},
        {"name": "All day", "line_items": [{"name": "Lunch", "quantity": 3, "unit_price": 99}], "recommended": True},
    ],
    "discount": {"percent": 5, "label": "Weekday"},
    "tax_rate": 8.5,
    "deposit": {"amount": 200},
    "notes": "Due within 14 days.",
    "valid_until": "2099-12-31",
}


def make_bid(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    """Create a draft."""
    bid: dict[str, Any] = api.run("svc_bid_create", **{"title": f"Garden party {number}", **OFFER, **more})
    bid.pop("change", None)  # only in answers of writes
    return bid


def make_sent(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    """Create a proposal that is marked as sent."""
    bid = make_bid(api, number, **more)
    api.run("svc_bid_share_link", id=bid["id"], mark_sent=True)
    return bid


def make_item(api: Api, number: int = 0) -> str:
    saved = api.run("svc_bid_save_items", items=[{"name": f"Hour of work {number}", "unit": "hour", "unit_price": 60}])
    return str(saved["items"][0]["id"])


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    sent = make_sent(api)  # first, for tests that use the first page they find
    draft = make_bid(api, 1)
    template = api.run("svc_bid_copy", id=draft["id"], kind="template")["id"]
    return {"draft": draft["id"], "bid": sent["id"], "bid_item": make_item(api), "template": template}


SAMPLES = {
    "svc_bid_list": lambda made: {"limit": 10},
    "svc_bid_get": lambda made: {"id": made["bid"]},
    "svc_bid_create": lambda made: {"title": "Garden party", **OFFER},
    "svc_bid_edit": lambda made: {
        "id": made["bid"],
        "title": "Garden party for fifty",
        "line_items": [{"name": "Buffet", "quantity": 50, "unit_price": 28.5}],
        "tax_label": "VAT",
        "numbers": [{"label": "VAT ID", "value": "ATU12345678"}],
    },
    "svc_bid_share_link": lambda made: {"id": made["draft"], "mark_sent": True},
    "svc_bid_copy": lambda made: {"id": made["bid"], "kind": "version"},
    "svc_bid_delete": lambda made: {"ids": [made["bid"], made["bid_item"], made["template"]]},
    "svc_bid_send": lambda made: {"id": made["draft"], "message": "As we said on Monday."},
    "svc_bid_decide": lambda made: {
        "id": made["bid"],
        "decision": "approved",
        "selection": {"package": "p2", "options": ["l4"]},
        "note": "By telephone",
    },
    "svc_bid_library": lambda made: {"kind": "items"},
    "svc_bid_save_items": lambda made: {
        "items": [
            {"id": made["bid_item"], "unit_price": "75.00", "description": "On site"},
            {"name": "Travel", "unit": "km", "unit_price": 0.42, "taxable": False},
        ]
    },
    "svc_bid_export": lambda made: {"kind": "list"},
    "svc_verify": lambda made: {"thing": made["bid"]},
}

LISTS = {"svc_bid_list": make_bid, "svc_bid_library": make_item}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {"id": "bid"}

# sent by the page once a person sees it, which alone counts as a view
BEACON = "/seen"
