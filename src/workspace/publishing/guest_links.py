"""Links that guests get by mail, for confirming an address, moving a booking, giving up a seat:

    token = mint(account, "review.confirm", testimonial.pk, to=email, lasts=timedelta(days=7))
    peek(token, "review.confirm")     GET shows what the link is for, and changes nothing: programs look at mail too
    spend(token, "review.confirm")    POST acts, in the transaction of the act: of two at once one is told yes

A link works once, for its purpose, until its end; a newer one for the same purpose and subject ends it. Only a hash of
the token is kept. Its page must not be kept by caches nor leave its address as a referrer: `private_response` says so.
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
from workspace.storage.database.transactions import write_transaction

DAILY_LIMIT = (
    3  # unused links of one purpose to one address, whoever typed it: nobody is pestered by what a stranger types
)
_DAY = timedelta(days=1)


def create_link(account: Account, purpose: str, subject: str, *, to: str, lasts: timedelta) -> str | None:
    """A new link's token, in the caller's transaction; None when the address has had enough of them today."""
    return create_links(account, purpose, {subject: to}, lasts=lasts).get(subject)


def create_links(account: Account, purpose: str, subjects: Mapping[str, str], *, lasts: timedelta) -> dict[str, str]:
    """The same for many subjects, each with its address, by a few queries: tokens by subject."""
    now, tokens, links = clock.now(), {}, []
    hashes = {subject: hash_address(to) for subject, to in subjects.items()}
    with join_transaction():
        waiting = GuestLink.objects.filter(created_at__gt=now - _DAY, purpose=purpose, expires_at__gt=now)
        had = Counter(
            to_hash
            for to_hash, subject in waiting.filter(to_hash__in=hashes.values()).values_list("to_hash", "subject")
            if subject not in subjects
        )
        for subject, to_hash in hashes.items():
            if had[to_hash] >= DAILY_LIMIT:
                continue
            had[to_hash] += 1
            tokens[subject] = secrets.token_urlsafe(24)
            links.append(
                GuestLink(
                    token_hash=_hash_token(tokens[subject]),
                    account=account,
                    purpose=purpose,
                    subject=subject,
                    to_hash=to_hash,
                    created_at=now,
                    expires_at=now + lasts,
                )
            )
        revoke_links(purpose, *tokens)
        GuestLink.objects.bulk_create(links)
    return tokens


def find_subject(token: str, purpose: str) -> str | None:
    """The subject of a link that is still good, which it stays; None for any other."""
    return GuestLink.objects.filter(**_valid_filter(token, purpose)).values_list("subject", flat=True).first()


def redeem_link(token: str, purpose: str) -> str | None:
    """The subject of a link that was good until now; None for any other, and for the second of two at once."""
    with join_transaction():
        subject = find_subject(token, purpose)
        gone, _ = GuestLink.objects.filter(**_valid_filter(token, purpose)).delete()
    return subject if gone else None


def revoke_links(purpose: str, *subjects: str) -> None:
    """No link for this purpose and these subjects works any more: they are gone, or there is a newer one."""
    GuestLink.objects.filter(purpose=purpose, subject__in=subjects).delete()


def private_response(response: HttpResponse) -> HttpResponse:
    """The page of such a link: its address is the secret."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def delete_expired() -> None:
    """The worker's chore."""
    with write_transaction():
        GuestLink.objects.filter(expires_at__lt=clock.now() - _DAY).delete()


def _valid_filter(token: str, purpose: str) -> dict[str, object]:
    return {"token_hash": _hash_token(token), "purpose": purpose, "expires_at__gt": clock.now()}


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def hash_address(address: str) -> str:
    """An address can be guessed, so a plain hash would tell it."""
    return hmac.new(settings.SECRET_KEY.encode(), address.strip().lower().encode(), hashlib.sha256).hexdigest()
