"""Questions of clients, and one-time codes that prove ownership of an email address.

A link may have been forwarded, so it does not prove who uses it.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.utils.translation import gettext

from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, EventKind, Message, Proposal
from workspace.products.bid.models.decision import CLIENT_ACTOR, OWNER_ACTOR
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage import journal

CODE_LIFETIME = timedelta(minutes=10)  # minimum; the maximum is twice as long
CONFIRMATION_LIFETIME = timedelta(days=1)  # how long the confirmation of an address is valid
_SIGNING_SALT = "bid.code"


def save_question(proposal: Proposal, submission_key: str, *, name: str, email: str, text: str) -> Message | None:
    """Save a client's question and notify the owner. Call it within `guest_transaction`.

    Return None for a repeated submission.
    """
    message = Message.build(
        proposal, author=CLIENT_ACTOR, submission_key=submission_key, text=text, name=name, email=email
    )
    Message.objects.bulk_create([message], ignore_conflicts=True)  # no exception, which would abort the transaction
    if not Message.objects.filter(pk=message.pk).exists():
        return None
    BidEvent.record_event(proposal, EventKind.ASKED, CLIENT_ACTOR)
    proposal.mark_changed()
    emails.notify_question(proposal, message)
    return message


def save_answer(proposal: Proposal, text: str) -> Message:
    """Save the owner's message, and mark all open questions as answered."""
    message = Message.build(
        proposal, author=OWNER_ACTOR, submission_key=new_id("own"), text=text, name=proposal.account.name
    )
    message.save(force_insert=True)
    waiting = list(proposal.messages.filter(author=CLIENT_ACTOR, answered_at=None))
    journal.update_rows((message, {"answered_at": clock.now()}) for message in waiting)
    journal.record_new_rows(message, BidEvent.record_event(proposal, EventKind.ANSWERED, OWNER_ACTOR))
    proposal.mark_changed()
    return message


def reply_address(proposal: Proposal) -> str:
    """Return the email address for an answer: the sender of the last question, or else the client."""
    last = proposal.messages.filter(author=CLIENT_ACTOR).exclude(email="").last()
    return last.email if last else proposal.client_email


def send_code(proposal: Proposal, email: str, language: str) -> None:
    """Email a six-digit code. Call it within `guest_transaction`.

    Raise GuestActionDeclinedError if too many codes have been sent.
    """
    if not all(
        consume(name, used=_count_events(proposal, EventKind.CODE_SENT, name))
        for name in ("bid-code-hourly", "bid-code-daily")
    ):
        raise GuestActionDeclinedError(
            gettext("We’ve already sent you several codes. Check your inbox, or try again in an hour."), status=429
        )
    BidEvent.record_event(proposal, EventKind.CODE_SENT, CLIENT_ACTOR)
    emails.email_code(proposal, email, _compute_code(proposal, email, clock.now()), language)


def check_code(proposal: Proposal, email: str, typed_code: str) -> str:
    """Check a code. Return a token for `is_confirmed`, or an empty string if the code is wrong.

    A wrong code is recorded, so call this within `guest_transaction` and let the transaction commit. Raise
    GuestActionDeclinedError after too many attempts.
    """
    now = clock.now()
    if not consume("bid-code-wrong", used=_count_events(proposal, EventKind.CODE_WRONG, "bid-code-wrong")):
        raise GuestActionDeclinedError(gettext("Too many wrong codes. Try again in an hour."), status=429)
    digits = "".join(char for char in typed_code if char.isdecimal())
    good = [_compute_code(proposal, email, now), _compute_code(proposal, email, now - CODE_LIFETIME)]
    if not proposal.events.filter(kind=EventKind.CODE_SENT, created_at__gt=now - 2 * CODE_LIFETIME).exists() or not any(
        hmac.compare_digest(digits.encode(), value.encode()) for value in good
    ):
        BidEvent.record_event(proposal, EventKind.CODE_WRONG, CLIENT_ACTOR)
        return ""
    BidEvent.record_event(proposal, EventKind.CODE_RIGHT, CLIENT_ACTOR)
    return signing.dumps([proposal.pk, _normalize_email(email)], salt=_SIGNING_SALT)


def _count_events(proposal: Proposal, kind: EventKind, limit: str) -> int:
    return proposal.events.filter(kind=kind, created_at__gt=get_limit(limit).window_start()).count()


def is_confirmed(proposal: Proposal, email: str, token: str) -> bool:
    """Return whether a token from `check_code` confirms this address for this proposal."""
    try:
        payload = signing.loads(token, salt=_SIGNING_SALT, max_age=CONFIRMATION_LIFETIME)
    except signing.BadSignature:
        return False
    return bool(payload == [proposal.pk, _normalize_email(email)])


def _compute_code(proposal: Proposal, email: str, at: datetime) -> str:
    """Compute the code from the instance's secret. It is the same for ten minutes, and nothing is stored."""
    window = int(at.timestamp() // CODE_LIFETIME.total_seconds())
    message = f"bid code\0{proposal.pk}\0{_normalize_email(email)}\0{window}".encode()
    number = int.from_bytes(hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).digest()[:8], "big")
    return f"{number % 1_000_000:06d}"


def _normalize_email(email: str) -> str:
    return email.strip().lower()
