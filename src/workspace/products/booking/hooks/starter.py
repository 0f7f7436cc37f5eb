"""The booking page that a new account of those who see people by the hour begins with, in its guests' language."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.booking.api import tools
from workspace.publishing.call_to_action import speaking_to_guests
from workspace.publishing.manifest import Example

TRADES = {"salon", "trainer", "studio"}
_WEEK = [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "until": "17:00"}]


def example(account: Account, trade: str) -> Example | None:
    """Prices are for their owner to say."""
    if trade not in TRADES:
        return None
    with speaking_to_guests(account):
        said = {
            "name": gettext("Book a visit"),
            "hours": Brand.of(account).hours or _WEEK,
            "services": _services(trade),
            "live": False,
        }
    return Example(tools.create, said, "Set your hours and services, then let people book.")


def _services(trade: str) -> list[dict[str, Any]]:
    if trade == "salon":
        return [
            {"name": gettext("Cut"), "duration": 45, "buffer_after": 10, "interval": 15},
            {"name": gettext("Colour and cut"), "duration": 120, "buffer_after": 15, "approval": True},
        ]
    if trade == "trainer":
        return [
            {"name": gettext("First talk"), "duration": 20},
            {"name": gettext("Training"), "duration": 60, "buffer_after": 15},
        ]
    return [
        {"name": gettext("Trial hour"), "duration": 60, "buffer_after": 15},
        {"name": gettext("Private lesson"), "duration": 90, "buffer_after": 15},
    ]
