"""A sample waiver for new accounts whose activities involve a risk of injury, in their guests' language."""

from __future__ import annotations

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext
from workspace.products.waiver.api import tools
from workspace.publishing.guest_language import use_guest_language
from workspace.publishing.manifest import Starter

TRADES = {"trainer", "studio"}


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    with use_guest_language(account):
        data = {
            "title": (gettext("Taking part at %(business)s") % {"business": account.name})[:200],
            "text": gettext(
                "I am taking part voluntarily. I have told %(business)s about any condition that could make it unsafe "
                "for me."
            )
            % {"business": account.name},
            "clauses": [
                {
                    "title": gettext("Risk"),
                    "text": gettext("I understand that this activity carries a risk of injury."),
                    "initials": True,
                },
            ],
            "accepting": False,
        }
    return Starter(
        tools.create, data, owner_gettext("Replace this with your own text, have it checked, then open it for signing.")
    )
