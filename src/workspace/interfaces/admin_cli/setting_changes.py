"""Changes of important settings since the last start.

These are the base URL, which is printed on paper, and the secret key, which encrypts second factors.
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlsplit

from django.conf import settings

from workspace.environment import COMMAND
from workspace.interfaces.sign_in import encrypted_mfa
from workspace.lib import clock
from workspace.storage.models import InstanceFact

BASE_URL_FACT, SECRET_KEY_FACT = "base-url", "secret-key"
MAX_EARLIER_URLS = 5


def record_settings() -> list[str]:
    """Record the settings at a start. Return one-sentence messages about relevant changes."""
    return [*_record_base_url(), *_record_key()]


def find_previous_base_url() -> str | None:
    """Return the base URL of the previous start if it was different, or None."""
    known = InstanceFact.get_value(BASE_URL_FACT)
    return known["url"] if known and known["url"] != settings.BASE_URL else None


def list_earlier_base_urls() -> list[dict[str, str]]:
    """Return {url, until} of earlier base URLs, which may still be on printed items.

    Loopback URLs are left out, because other machines could not reach them.
    """
    known = InstanceFact.get_value(BASE_URL_FACT) or {"earlier": []}
    return [one for one in known["earlier"] if urlsplit(one["url"]).hostname not in ("127.0.0.1", "localhost", "::1")]


def base_url_message(previous_url: str) -> str:
    return (
        f"The base URL was {previous_url} and is now {settings.BASE_URL}. Printed and sent links still contain"
        " the old one, so redirect it to this service. AI assistants must connect again"
    )


def key_lost_message(unreadable: int) -> str:
    """Return a message stating that the secret key cannot decrypt existing data."""
    people = "one person" if unreadable == 1 else f"{unreadable} people"
    return (
        f"The two-step verification of {people} cannot be decrypted, because the secret key has changed. Restore the"
        " old key (secret-key in the data folder, or WORKSPACE_SECRET_KEY). You can also add it to"
        f" WORKSPACE_SECRET_KEY_FALLBACKS, or reset each person with `{COMMAND} mfa reset EMAIL`"
    )


def _record_base_url() -> list[str]:
    known = InstanceFact.get_value(BASE_URL_FACT)
    if known is None:
        InstanceFact.set_value(BASE_URL_FACT, {"url": settings.BASE_URL, "earlier": []})
        return []
    before = known["url"]
    if before == settings.BASE_URL:
        return []
    earlier = [{"url": before, "until": clock.to_iso(clock.now())}, *known["earlier"]]
    kept = [one for one in earlier if one["url"] != settings.BASE_URL][:MAX_EARLIER_URLS]
    InstanceFact.set_value(BASE_URL_FACT, {"url": settings.BASE_URL, "earlier": kept})
    return [base_url_message(before)]


def _record_key() -> list[str]:
    unreadable = encrypted_mfa.reencrypt_all()
    mark = _key_fingerprint(settings.SECRET_KEY)
    known = InstanceFact.get_value(SECRET_KEY_FACT)
    if known is None or known["mark"] != mark:
        InstanceFact.set_value(SECRET_KEY_FACT, {"mark": mark})
    if unreadable:
        return [key_lost_message(unreadable)]
    if known is None or known["mark"] in (mark, *map(_key_fingerprint, settings.SECRET_KEY_FALLBACKS)):
        return []
    return [
        "The secret key has changed since the last start. Everyone must sign in again, and links in earlier "
        "emails no longer work. If you did not intend this, restore secret-key in the data folder, or "
        "WORKSPACE_SECRET_KEY"
    ]


def _key_fingerprint(key: str) -> str:
    """Return a fingerprint that distinguishes keys without revealing them."""
    return hmac.new(key.encode(), b"which key this is", hashlib.sha256).hexdigest()[:16]
