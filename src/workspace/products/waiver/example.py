"""The waiver that a new account begins with, where people do something that may hurt: in its guests' language."""

from __future__ import annotations

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.products.waiver import tools
from workspace.publishing.calls import speaking_to_guests
from workspace.publishing.manifest import Example

TRADES = {"trainer", "studio"}


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    with speaking_to_guests(account):
        said = {
            "title": (gettext("Taking part at %(business)s") % {"business": account.name})[:200],
            "text": gettext("I take part of my own free will. I have told you of anything that speaks against it."),
            "clauses": [
                {"title": gettext("Risk"), "text": gettext("I know that sport can hurt."), "initials": True},
            ],
            "accepting": False,
        }
    return Example(tools.create, said, "Put your own text in, then let people sign it.")
