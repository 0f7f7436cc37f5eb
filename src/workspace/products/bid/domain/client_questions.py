"""What a client asks before deciding, and the one-time code that shows that an e-mail address is theirs: a copied link
proves none."""

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
from workspace.products.bid.models import BidEvent, Event, Message, Proposal
from workspace.products.bid.models.decision import CLIENT, OWNER
from workspace.public_site.guest_form import Declined
from workspace.storage import journal

LASTS = timedelta(minutes=10)  # at least; at most twice as long
CODES_AN_HOUR, CODES_A_DAY, TRIES_AN_HOUR = 3, 10, 5
SHOWN_FOR = timedelta(days=1)  # that an address was confirmed
_SALT = "bid.code"


def ask(proposal: Proposal, once: str, *, name: str, email: str, text: str) -> Message | None:
    """Keep a client's question and tell the owner, within `acting`; None for a form that was sent before."""
    message = Message.of(proposal, by=CLIENT, once=once, text=text, name=name, email=email)
    Message.objects.bulk_create([message], ignore_conflicts=True)  # no exception, which would spoil the transaction
    if not Message.objects.filter(pk=message.pk).exists():
        return None
    BidEvent.note(proposal, Event.ASKED, CLIENT)
    proposal.touched()
    emails.tell_question(proposal, message)
    return message


def answer(proposal: Proposal, text: str) -> Message:
    """The owner's words in the thread; whatever waited is answered."""
    message = Message.of(proposal, by=OWNER, once=new_id("own"), text=text, name=proposal.account.name)
    message.save(force_insert=True)
    waiting = list(proposal.messages.filter(by=CLIENT, answered_at=None))
    journal.change_many((one, {"answered_at": clock.now()}) for one in waiting)
    journal.add(message, BidEvent.note(proposal, Event.ANSWERED, OWNER))
    proposal.touched()
    return message


def asked_by(proposal: Proposal) -> str:
    """Where an answer goes: to who asked last, else to the client."""
    last = proposal.messages.filter(by=CLIENT).exclude(email="").last()
    return last.email if last else proposal.client_email


def send_code(proposal: Proposal, email: str, language: str) -> None:
    """A mail with a code of six digits, within `acting`. Raises Declined where too many were sent."""
    sent = proposal.events.filter(kind=Event.CODE_SENT)
    now = clock.now()
    if (
        sent.filter(at__gt=now - timedelta(hours=1)).count() >= CODES_AN_HOUR
        or sent.filter(at__gt=now - timedelta(days=1)).count() >= CODES_A_DAY
    ):
        raise Declined(gettext("Several codes were sent just now. Please look for them, or wait an hour"), status=429)
    BidEvent.note(proposal, Event.CODE_SENT, CLIENT)
    emails.code(proposal, email, _code(proposal, email, now), language)


def check_code(proposal: Proposal, email: str, typed: str) -> str:
    """A word that says that the address is confirmed, for `is_confirmed`; empty for a wrong code, which is noted, so
    call it within `acting` and let that be kept. Raises Declined after too many."""
    now = clock.now()
    wrong = proposal.events.filter(kind=Event.CODE_WRONG, at__gt=now - timedelta(hours=1)).count()
    if wrong >= TRIES_AN_HOUR:
        raise Declined(gettext("Too many wrong codes. Please try again in an hour"), status=429)
    digits = "".join(char for char in typed if char.isdecimal())
    good = [_code(proposal, email, now), _code(proposal, email, now - LASTS)]
    if not proposal.events.filter(kind=Event.CODE_SENT, at__gt=now - 2 * LASTS).exists() or not any(
        hmac.compare_digest(digits.encode(), one.encode()) for one in good
    ):
        BidEvent.note(proposal, Event.CODE_WRONG, CLIENT)
        return ""
    BidEvent.note(proposal, Event.CODE_RIGHT, CLIENT)
    return signing.dumps([proposal.pk, _folded(email)], salt=_SALT)


def is_confirmed(proposal: Proposal, email: str, word: str) -> bool:
    try:
        told = signing.loads(word, salt=_SALT, max_age=SHOWN_FOR)
    except signing.BadSignature:
        return False
    return bool(told == [proposal.pk, _folded(email)])


def _code(proposal: Proposal, email: str, at: datetime) -> str:
    """The same for ten minutes, of the installation's secret: nothing is kept that would tell it."""
    window = int(at.timestamp() // LASTS.total_seconds())
    told = f"bid code\0{proposal.pk}\0{_folded(email)}\0{window}".encode()
    number = int.from_bytes(hmac.new(settings.SECRET_KEY.encode(), told, hashlib.sha256).digest()[:8], "big")
    return f"{number % 1_000_000:06d}"


def _folded(email: str) -> str:
    return email.strip().lower()
