"""The default language of an account's guests, and translation of text into it, such as calls to action in print."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop, override

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported

DEFAULT_CALL = gettext_noop("Scan me")


def guest_language(account: Account) -> str:
    """Return the first of the guests' languages that the interface supports, or English."""
    return next(
        (found for code in Brand.for_account(account).languages if (found := match_supported(code))), DEFAULT_LANGUAGE
    )


def use_guest_language(account: Account) -> override:
    """Return a context manager inside which text is translated into the language of the account's guests."""
    return override(guest_language(account))


def translate_call_to_action(call: str, language: str) -> str:
    """Translate a call to action that is marked for translation."""
    with override(language):
        return gettext(call)
