"""A sample proposal for a new account whose trade sends quotes, in its guests' language."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_noop

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.bid.api import tools
from workspace.publishing.guest_language import use_guest_language
from workspace.publishing.manifest import Starter

TRADES = {"studio", "freelancer", "events", "trainer"}
SAMPLE_LINES: list[dict[str, Any]] = [
    {"name": gettext_noop("Preparation"), "quantity": 2, "unit": gettext_noop("hours"), "unit_price": 60},
    {"name": gettext_noop("Day of the event"), "unit_price": 450},
    {"name": gettext_noop("Express delivery"), "unit_price": 80, "optional": True},
]


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    with use_guest_language(account):
        data = {
            "title": (gettext("Your project with %(business)s") % {"business": account.name})[:200],
            "intro": gettext("Thank you for your inquiry. Here is what we suggest and what it costs."),
            "line_items": [
                line | {name: gettext(line[name]) for name in ("name", "unit") if name in line} for line in SAMPLE_LINES
            ],
            "deposit": {"percent": 30},
            "notes": gettext(
                "Changes need half a day’s notice. The balance is due within 14 days after the event ends."
            ),
        }
    return Starter(tools.create, data, owner_gettext("Enter your own prices, then send the proposal to your client."))
