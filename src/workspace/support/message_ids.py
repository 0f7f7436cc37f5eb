"""Signed identifiers in emails, which link replies to their ticket.

Message-ID: <t-12-1.0123456789ab@host>              of each answer, short enough for one line Reply-To:
help+12.0123456789ab@host               of the ticket
"""

from __future__ import annotations

import hashlib
import hmac
import re
from email.utils import parseaddr
from itertools import islice

from django.conf import settings

_MESSAGE = re.compile(r"<?t-(\d{1,15})-([0-9a-z]{1,36})\.([0-9a-f]{12})@[^\s<>@]+>?", re.ASCII | re.IGNORECASE)
_PLUS_ADDRESS = re.compile(r"\+(\d{1,15})\.([0-9a-f]{12})@", re.ASCII | re.IGNORECASE)
MAX_MATCHES = 20  # addresses that look like ours


def is_configured() -> bool:
    """Return whether inbound email is configured, so that email replies reach their ticket."""
    return bool(settings.SUPPORT_ADDRESS)


def mail_host() -> str:
    address = settings.SUPPORT_ADDRESS or parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return str(address).rpartition("@")[2] or "localhost"


def reply_address(number: int) -> str | None:
    """Return the ticket's reply address, or None if inbound email is off."""
    name, _, domain = settings.SUPPORT_ADDRESS.partition("@")
    return f"{name}+{number}.{_compute_proof(f'reply:{number}')[:12]}@{domain}" if domain else None


def build_message_id(number: int, message: str) -> str:
    name = message.removeprefix("msg_")
    return f"<t-{number}-{name}.{_compute_proof(f'message:{number}:{name}')[:12]}@{mail_host()}>"


def is_own_address(address: str) -> bool:
    """Return whether the address is the support address or that of a ticket."""
    name, _, domain = str(settings.SUPPORT_ADDRESS).lower().partition("@")
    given, _, at = address.lower().rpartition("@")
    return bool(domain) and at == domain and given.partition("+")[0] == name


def number_in_address(text: str) -> int | None:
    """Return the number of the ticket whose validly signed address is in the text, or None."""
    for found in islice(_PLUS_ADDRESS.finditer(text), MAX_MATCHES):
        if _is_valid_proof(found[2], f"reply:{found[1]}"):
            return int(found[1])
    return None


def number_in_message_id(text: str) -> int | None:
    found = _MESSAGE.fullmatch(text.strip())
    if found and _is_valid_proof(found[3], f"message:{found[1]}:{found[2].lower()}"):
        return int(found[1])
    return None


def _is_valid_proof(proof: str, text: str) -> bool:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(hmac.compare_digest(proof.lower(), _compute_proof(text, key)[: len(proof)]) for key in keys)


def _compute_proof(text: str, key: str = "") -> str:
    return hmac.new(f"support:{key or settings.SECRET_KEY}".encode(), text.encode(), hashlib.sha256).hexdigest()
