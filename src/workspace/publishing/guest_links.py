"""Secret links in emails to guests, for confirming an address, rescheduling a booking or cancelling a seat.

    token = create_link(account, "review.confirm", testimonial.pk, to=email, lifetime=timedelta(days=7))
    find_subject(token, "review.confirm")  # GET: show the page, change nothing: mail scanners open links, too
    redeem_link(token, "review.confirm")  # POST: in the transaction of the act; only the first call succeeds

A link works once, for its purpose, until it expires. A newer link for the same purpose and subject replaces it. Only a
hash of the token is stored. The page must neither be cached nor send its URL as a referrer, so use `private_response`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.http import HttpResponse

from workspace.accounts.models import Account
from workspace.delivery.outbox import join_transaction
from workspace.lib import clock
from workspace.publishing.models import GuestLink
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction

_DAY = timedelta(days=1)


def create_link(account: Account, purpose: str, subject: str, *, to: str, lifetime: timedelta) -> str | None:
    """Create a link in the caller's transaction. Return its token.

    Return None if the address has reached its daily limit.
    """
    return create_links(account, purpose, {subject: to}, lifetime=lifetime).get(subject)


def new_token() -> str:
    """Return a token for a link that is created later, after an email with the link was rendered."""
    return secrets.token_urlsafe(24)


def create_links(
    account: Account,
    purpose: str,
    subjects: Mapping[str, str],
    *,
    lifetime: timedelta,
    new_tokens: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Create links for many subjects with a few queries. Return their tokens, keyed by subject.

    `new_tokens` contains the tokens, keyed by subject, if they already exist.
    """
    now, tokens, links = clock.now(), {}, []
    hashes = {subject: hash_address(to) for subject, to in subjects.items()}
    with join_transaction():
        waiting = GuestLink.objects.filter(
            created_at__gt=get_limit("guest-link").window_start(), purpose=purpose, expires_at__gt=now
        )
        had = Counter(
            to_hash
            for to_hash, subject in waiting.filter(to_hash__in=hashes.values()).values_list("to_hash", "subject")
            if subject not in subjects
        )
        for subject, to_hash in hashes.items():
            if not consume("guest-link", used=had[to_hash]):
                continue
            had[to_hash] += 1
            tokens[subject] = new_tokens[subject] if new_tokens else new_token()
            links.append(
                GuestLink(
                    token_hash=_hash_token(tokens[subject]),
                    account=account,
                    purpose=purpose,
                    subject=subject,
                    to_hash=to_hash,
                    created_at=now,
                    expires_at=now + lifetime,
                )
            )
        revoke_links(purpose, *tokens)
        GuestLink.objects.bulk_create(links)
    return tokens


def find_subject(token: str, purpose: str) -> str | None:
    """Return the subject of a valid link, or None. The link stays valid."""
    return GuestLink.objects.filter(**_valid_filter(token, purpose)).values_list("subject", flat=True).first()


def redeem_link(token: str, purpose: str) -> str | None:
    """Return the subject of a valid link and invalidate the link. Return None for an invalid link.

    If two calls redeem a link at the same time, the second one gets None.
    """
    with join_transaction():
        subject = find_subject(token, purpose)
        gone, _ = GuestLink.objects.filter(**_valid_filter(token, purpose)).delete()
    return subject if gone else None


def revoke_links(purpose: str, *subjects: str) -> None:
    """Delete all links for this purpose and these subjects."""
    GuestLink.objects.filter(purpose=purpose, subject__in=subjects).delete()


def private_response(response: HttpResponse) -> HttpResponse:
    """Add the headers that keep the page of a link private, because the URL itself is secret."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def delete_expired() -> None:
    """Delete links that expired more than a day ago. This is a scheduled task."""
    with write_transaction():
        GuestLink.objects.filter(expires_at__lt=clock.now() - _DAY).delete()


def _valid_filter(token: str, purpose: str) -> dict[str, object]:
    return {"token_hash": _hash_token(token), "purpose": purpose, "expires_at__gt": clock.now()}


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def hash_address(address: str) -> str:
    """Return a keyed hash of an email address. A plain hash would reveal it, because addresses can be guessed."""
    return hmac.new(settings.SECRET_KEY.encode(), address.strip().lower().encode(), hashlib.sha256).hexdigest()
