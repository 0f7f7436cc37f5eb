"""The review page that a new account begins with: nothing on it is made up, so it is live."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand import models as brand
from workspace.products.reviews.api import tools
from workspace.publishing.call_to_action import call_of, language_of
from workspace.publishing.manifest import Example

TRADES = frozenset(brand.TRADES) - {"other"}
TITLE = gettext_noop("How was your visit?")


def example(account: Account, trade: str) -> Example | None:
    if trade not in TRADES:
        return None
    return Example(
        tools.create,
        {"title": call_of(TITLE, language_of(account))},
        "Print its code for the counter, or send the address.",
    )
