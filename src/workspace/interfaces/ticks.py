"""The products to tick on the consent page and on the pages of keys and connections (`account_pages/ticks.html`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict

from workspace.accounts import choice
from workspace.accounts.choice import Choice
from workspace.accounts.models import Account
from workspace.products import manifests

# Sent along with the ticks: a page without it asked for none.
ASKED = "asked_for_products"
FIELD = "products"


@dataclass(frozen=True, slots=True)
class Tick:
    key: str
    title: str
    about: str
    is_ticked: bool


def ticks(chosen: Choice) -> list[Tick]:
    """In the order of the shell, then other applications."""
    own = [
        Tick(product.key, product.label or product.title, product.about, choice.holds(chosen, product.key))
        for product in manifests()
    ]
    about = "Another application, where you have connected it"
    return own + [Tick(key, title, about, choice.holds(chosen, key)) for key, title in choice.others().items()]


def in_use(account: Account) -> Choice:
    """The products of which the account has something, with the applications that were connected in it; all where it
    has nothing yet."""
    used = frozenset(product.key for product in manifests() if product.is_used(account))
    if used and settings.FAMILY:
        used |= set(account.family_grants.values_list("application", flat=True))
    return used or None


def read(form: QueryDict) -> list[str] | None:
    """What was ticked, as it is kept; None for all, and where there was nothing to tick."""
    ticked: Collection[str] = form.getlist(FIELD)
    return choice.settled(ticked) if ASKED in form else None
