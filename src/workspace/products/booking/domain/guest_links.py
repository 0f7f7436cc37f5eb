"""A guest's own link to a booking. Its token is random; the row holds a hash, which finds it, and the token under the
installation's seal, so that the next mail leads to the same address."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from urllib.parse import urlencode

from django.core import signing

from workspace.products.booking.models import Booking
from workspace.publishing.language import folded
from workspace.publishing.models import Address
from workspace.storage.encryption import CannotUnseal, seal, sealed_in, unseal

PURPOSE = "booking.link"
LONGEST = 64
BACK_WITHIN = timedelta(days=2)


def give(booking: Booking) -> None:
    """A new one, which ends the one before it. The caller saves."""
    token = secrets.token_urlsafe(24)
    booking.link_hash, booking.link = _hashed(token), seal(token, booking.account_id, PURPOSE)


def renew(booking: Booking) -> None:
    """As `give`, saved: whoever had the link before has none any more."""
    give(booking)
    Booking.objects.filter(pk=booking.pk).update(link=booking.link, link_hash=booking.link_hash)


def found(address: Address, token: str) -> Booking | None:
    """The booking of a link, on the page at the address."""
    if not token or len(token) > LONGEST:
        return None
    rows = Booking.objects.filter(link_hash=_hashed(token), page__publication=address.publication_id)
    return rows.select_related("page__account", "page__publication", "resource", "service").first()


def token_of(booking: Booking) -> str:
    try:
        if booking.link:
            return unseal(booking.link, booking.account_id, PURPOSE)
    except CannotUnseal:  # the key that sealed it is lost
        pass
    renew(booking)
    return unseal(booking.link, booking.account_id, PURPOSE)


def path_of(booking: Booking, step: str = "") -> str:
    return f"/visit/{token_of(booking)}{step}"


def url_of(booking: Booking, step: str = "") -> str:
    """The whole address, in the language in which it was booked."""
    language = folded(booking.language)
    return f"{booking.page.public_url}{path_of(booking, step)}{f'?lang={language}' if language else ''}"


def back_of(booking: Booking) -> str:
    """The path that a payer comes back to; it is kept with the payment, so it holds no token."""
    language = folded(booking.language)
    word = signing.dumps(booking.pk, salt=PURPOSE)
    return f"/b/{booking.page.slug}/booked?{urlencode({'b': word, **({'lang': language} if language else {})})}"


def led_back(address: Address, word: str) -> Booking | None:
    try:
        id = signing.loads(word[:200], salt=PURPOSE, max_age=BACK_WITHIN)
    except signing.BadSignature:
        return None
    rows = Booking.objects.filter(pk=str(id), page__publication=address.publication_id)
    return rows.select_related("page__account", "page__publication").first()


sealed_in(Booking, link=PURPOSE)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
