"""What a business says to its guests by itself, in their language: calls to action on paper, what is ready-made."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop, override

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported

DEFAULT_CALL = gettext_noop("Scan me")


def guest_language(account: Account) -> str:
    """The first of the languages of its guests that we have, else English."""
    return next(
        (found for code in Brand.for_account(account).languages if (found := match_supported(code))), DEFAULT_LANGUAGE
    )


def use_guest_language(account: Account) -> override:
    """Inside, what is marked for translation is in the language of its guests."""
    return override(guest_language(account))


def translate_call(call: str, language: str) -> str:
    """A call that was marked for translation, in a language."""
    with override(language):
        return gettext(call)
