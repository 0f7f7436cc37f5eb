"""Samples of support, for the tests across all tools."""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

SAMPLES = {
    "svc_support_tickets": lambda made: {"ticket_id": made["ticket"]},
    "svc_support_open": lambda made: {"subject": "How do I", "message": "change where it leads?", "product": "qr"},
    "svc_support_reply": lambda made: {"ticket_id": made["ticket"], "message": "One thing more", "close": True},
}
LISTS: dict[str, Any] = {}


def create_samples(api: Api) -> dict[str, str]:
    return {"ticket": api.run("svc_support_open", subject="A question", message="How does it work?")["id"]}
