"""What a business says to its guests by itself, in their language: calls to action on paper, what is ready-made."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop, override

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.publishing.language import USUAL, folded

CALL = gettext_noop("Scan me")


def language_of(account: Account) -> str:
    """The first of the languages of its guests that we have, else English."""
    return next((found for code in Brand.of(account).languages if (found := folded(code))), USUAL)


def speaking_to_guests(account: Account) -> override:
    """Inside, what is marked for translation is in the language of its guests."""
    return override(language_of(account))


def call_of(call: str, language: str) -> str:
    """A call that was marked for translation, in a language."""
    with override(language):
        return gettext(call)
