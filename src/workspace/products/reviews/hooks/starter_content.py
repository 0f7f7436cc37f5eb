"""A sample review page for a new account. It contains no made-up content, so it is live."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from workspace.accounts.models import Account
from workspace.brand import models as brand
from workspace.owner_translation import owner_gettext
from workspace.products.reviews.api import tools
from workspace.publishing.guest_language import guest_language, translate_call_to_action
from workspace.publishing.manifest import Starter

TRADES = frozenset(brand.TRADES) - {"other"}
TITLE = gettext_noop("How was your experience?")


def starter_for(account: Account, trade: str) -> Starter | None:
    if trade not in TRADES:
        return None
    return Starter(
        tools.create,
        {"title": translate_call_to_action(TITLE, guest_language(account))},
        owner_gettext("Print the QR code for your counter, or send the link."),
    )
