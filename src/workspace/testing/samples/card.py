"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.products.card.models import Card
from workspace.testing.api import Api


def make_card(api: Api, number: int = 0, **more: Any) -> dict[str, Any]:
    card: dict[str, Any] = api.run("svc_card_create", full_name=f"Jane Doe {number}", **more)
    card.pop("change", None)  # only in answers of writes
    return card


def submit_lead(card: Card | str, number: int = 0, **more: str) -> str:
    """Submit a lead as a guest. Return its id."""
    found = Card.objects.get(pk=card) if isinstance(card, str) else card
    given = {"name": f"Guest {number}", "email": f"guest{number}@example.com", "phone": "", "note": "", **more}
    lead = found.save_lead(f"form {number}", consent=found.consent, **given)
    assert lead is not None
    return lead.pk


def _submit_numbered(api: Api, number: int) -> str:
    # the card of `create_samples` is the account's first
    first = Card.objects.filter(account=api.account).order_by("pk").first()
    assert first is not None
    return submit_lead(first, number + 1000)


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    card = make_card(api, email="jane@example.com")
    return {"card": card["id"], "lead": submit_lead(card["id"])}


SAMPLES = {
    "svc_card_list": lambda made: {"limit": 10},
    "svc_card_create": lambda made: {
        "full_name": "Jane Doe",
        "title": "Baker",
        "company": "Corner Café",
        "phone": "+43 1 234 56 78",
        "email": "jane@example.com",
        "website": "example.com",
        "address": "1 Main Street, Springfield",
        "bio": "Bread since 1999.",
        "links": [{"url": "https://www.instagram.com/corner", "label": "Our bread"}, {"url": "example.org"}],
        "lead_capture": True,
    },
    "svc_card_get": lambda made: {"card_id": made["card"]},
    "svc_card_edit": lambda made: {"card_id": made["card"], "title": "Owner", "theme": "bold", "color": "#8a1538"},
    "svc_card_save": lambda made: {
        "items": [
            {"id": made["card"], "company": "Corner Café"},
            {"full_name": "Zoë van Beek", "title": "Barista", "theme": "minimal", "color": "#1d4ed8"},
        ]
    },
    "svc_card_delete": lambda made: {"ids": [made["card"], made["lead"]]},
    "svc_card_leads": lambda made: {"card_id": made["card"]},
    "svc_card_export": lambda made: {"kind": "leads", "card_id": made["card"]},
    "svc_card_stats": lambda made: {"card_id": made["card"], "days": 7},
}

LISTS = {"svc_card_list": make_card, "svc_card_leads": _submit_numbered, "svc_leads": _submit_numbered}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {"id": "card", "lead": "lead", "version": "1"}
