"""A sample booking page for a new account whose trade works by appointment, in its guests' language."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.owner_translation import owner_gettext
from workspace.products.booking.api import tools
from workspace.publishing.guest_language import use_guest_language
from workspace.publishing.manifest import Starter

TRADES = {"salon", "trainer", "studio"}
_DEFAULT_HOURS = [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "until": "17:00"}]


def starter_for(account: Account, trade: str) -> Starter | None:
    """Return the sample page for a trade, or None. It has no prices, because only the owner can set them."""
    if trade not in TRADES:
        return None
    with use_guest_language(account):
        data = {
            "name": gettext("Book an appointment"),
            "hours": Brand.for_account(account).hours or _DEFAULT_HOURS,
            "services": _sample_services(trade),
            "live": False,
        }
    return Starter(tools.create, data, owner_gettext("Check your hours and services, then turn on the page."))


def _sample_services(trade: str) -> list[dict[str, Any]]:
    if trade == "salon":
        return [
            {"name": gettext("Cut"), "duration": 45, "buffer_after": 10, "interval": 15},
            {"name": gettext("Color and cut"), "duration": 120, "buffer_after": 15, "approval": True},
        ]
    if trade == "trainer":
        return [
            {"name": gettext("First consultation"), "duration": 20},
            {"name": gettext("Training"), "duration": 60, "buffer_after": 15},
        ]
    return [
        {"name": gettext("Trial lesson"), "duration": 60, "buffer_after": 15},
        {"name": gettext("Private lesson"), "duration": 90, "buffer_after": 15},
    ]
