"""A guest's secret link to a booking.

The token is random. The row has its hash, for lookups, and the token itself, encrypted with the instance's key, so that
later emails contain the same URL.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from urllib.parse import urlencode

from django.core import signing

from workspace.products.booking.models import Booking
from workspace.publishing.language import match_supported
from workspace.publishing.models import Address
from workspace.storage.encryption import DecryptionError, decrypt_secret, encrypt_secret, register_encrypted_columns

TOKEN_PURPOSE = "booking.link"
MAX_TOKEN_LENGTH = 64
RETURN_LIFETIME = timedelta(days=2)


def set_new_link(booking: Booking) -> None:
    """Set a new link, which makes the previous one invalid. The caller must save the booking."""
    token = secrets.token_urlsafe(24)
    booking.link_hash, booking.link_token_encrypted = (
        _hash_token(token),
        encrypt_secret(token, booking.account_id, TOKEN_PURPOSE),
    )


def renew_link(booking: Booking) -> None:
    """Set and save a new link. The previous link stops working."""
    set_new_link(booking)
    Booking.objects.filter(pk=booking.pk).update(
        link_token_encrypted=booking.link_token_encrypted, link_hash=booking.link_hash
    )


def find_by_token(address: Address, token: str) -> Booking | None:
    """Return the booking that a link with this token on this page belongs to, or None."""
    if not token or len(token) > MAX_TOKEN_LENGTH:
        return None
    rows = Booking.objects.filter(link_hash=_hash_token(token), page__publication=address.publication_id)
    return rows.select_related("page__account", "page__publication", "resource", "service").first()


def get_token(booking: Booking) -> str:
    """Return the token of a booking's link. If it cannot be decrypted, renew the link."""
    try:
        if booking.link_token_encrypted:
            return decrypt_secret(booking.link_token_encrypted, booking.account_id, TOKEN_PURPOSE)
    except DecryptionError:  # the encryption key is lost
        pass
    renew_link(booking)
    return decrypt_secret(booking.link_token_encrypted, booking.account_id, TOKEN_PURPOSE)


def link_path(booking: Booking, step: str = "") -> str:
    return f"/visit/{get_token(booking)}{step}"


def link_url(booking: Booking, step: str = "") -> str:
    """Return the full URL of the link, in the booking's language."""
    language = match_supported(booking.language)
    return f"{booking.page.public_url}{link_path(booking, step)}{f'?lang={language}' if language else ''}"


def payment_return_path(booking: Booking) -> str:
    """Return the path to which the payer returns. It is stored with the payment, so it does not contain the token."""
    language = match_supported(booking.language)
    word = signing.dumps(booking.pk, salt=TOKEN_PURPOSE)
    return f"/b/{booking.page.slug}/booked?{urlencode({'b': word, **({'lang': language} if language else {})})}"


def find_by_payment_return_token(address: Address, token: str) -> Booking | None:
    """Return the booking that a payment's return path refers to, or None if its token is invalid or too old."""
    try:
        id = signing.loads(token[:200], salt=TOKEN_PURPOSE, max_age=RETURN_LIFETIME)
    except signing.BadSignature:
        return None
    rows = Booking.objects.filter(pk=str(id), page__publication=address.publication_id)
    return rows.select_related("page__account", "page__publication").first()


register_encrypted_columns(Booking, link_token_encrypted=TOKEN_PURPOSE)


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
