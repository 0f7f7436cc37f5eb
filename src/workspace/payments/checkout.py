"""Having somebody pay.

    payment = checkout.begin(account, "bid.deposit", decision.pk, 5000, "EUR", title=…, back="/p/abc")   # in a write
    url = checkout.url_of(payment)                                                                      # behind it

The first writes down what is to be paid, in the transaction that decides it; the second asks the provider, and leads to
its page. Nothing of a guest's address says that they have paid: that is asked for (`following`), and the purpose told.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payments import circuit_breaker
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.models.payment import LONGEST_PROBLEM, UNPAID
from workspace.payments.provider import (
    OPEN,
    OPENING,
    PAID,
    PROCESSING,
    WAITING,
    Opened,
    Order,
    ProviderRefusal,
    ProviderTrouble,
    Underway,
    Unreachable,
)
from workspace.payments.stripe import provider
from workspace.storage import journal
from workspace.storage.database.transactions import writing

KIND = "payment"
LASTS = timedelta(hours=23)  # Stripe takes at most 24
LEAST = timedelta(minutes=40)  # it takes at least 30, also at a second try a few minutes later
AGAIN = timedelta(minutes=31)  # what has to be left of it
LONGEST_TITLE = 200
PAUSES = (0.3, 0.7, 1.5)  # seconds between questions for what is being worked on


def takes(account: Account, amount: int, currency: str) -> bool:
    """Whether the account can have exactly this paid: it has a working key, and the provider takes the amount."""
    connection = connection_of(account)
    return connection is not None and _can(connection, amount, currency)


def connection_of(account: Account) -> Connection | None:
    """The one that takes money."""
    found = Connection.objects.filter(account=account).first()
    return found if found is not None and found.takes_money else None


def _can(connection: Connection, amount: int, currency: str) -> bool:
    return provider(connection.provider).can_charge(amount, currency)


def begin(
    account: Account,
    purpose: str,
    subject: str,
    amount: int,
    currency: str,
    *,
    title: str,
    back: str,
    email: str = "",
    language: str = "",
    until: datetime | None = None,
) -> Payment:
    """A payment that somebody is about to make, within the caller's write, which holds what it is of. `amount` in minor
    units; `title` is what the payer reads at the provider; `back` the path that they come back to; nobody may pay
    behind `until`. What was begun for the same and is still open goes on, and another amount ends it. Raises ToolError
    where nothing can be paid."""
    connection = connection_of(account)
    if connection is None:
        raise ToolError("Online payment is not set up here: connect Stripe under Account, Payments")
    if not _can(connection, amount, currency):
        raise ToolError("This amount cannot be paid online")
    now = clock.now()
    mine = Payment.objects.filter(account=account, purpose=purpose, subject=subject)
    if mine.filter(state=PROCESSING).exists():
        raise ToolError("A payment is on its way already: banks take a few days")
    if mine.filter(state=PAID, refunded__lt=F("amount")).exists():
        raise ToolError("This is paid already")
    for one in mine.filter(is_current=True, state__in=UNPAID):
        left = one.expires_at - now
        fits = (one.amount, one.currency, one.live, one.until) == (amount, currency, connection.live, until)
        if fits and left > (AGAIN if one.state == OPENING else timedelta(minutes=5)):
            return one
        Payment.objects.filter(pk=one.pk).update(is_current=False, until=now, version=F("version") + 1)
        follow_soon(one, "over")
    payment = Payment.objects.create(
        account=account,
        provider=connection.provider,
        live=connection.live,
        at_provider=connection.at_provider,
        purpose=purpose,
        subject=subject,
        title=title[:LONGEST_TITLE],
        amount=amount,
        currency=currency,
        email=email,
        language=language,
        back=back,
        expires_at=now + LASTS if until is None else min(max(until, now + LEAST), now + LASTS),
        until=until,
    )
    if until is not None:
        follow_soon(payment, "until", at=until)
    return payment


def url_of(payment: Payment) -> str:
    """Where to pay, at the provider; asked for once. Never within a transaction. Raises ProviderTrouble, within
    seconds, when the provider has no page for it; the payment stays, and may be tried again."""
    if payment.state == OPEN and payment.url:
        return payment.url
    connection = connection_of(payment.account)
    if connection is None or payment.state != OPENING:
        raise ProviderTrouble("This cannot be paid any more")
    back = f"{settings.BASE_URL}/pay/{payment.pk}"
    order = Order(
        reference=payment.pk,
        once=f"{payment.pk}:{payment.tries}",
        account=payment.account_id,
        purpose=payment.purpose,
        title=payment.title,
        amount=payment.amount,
        currency=payment.currency,
        email=payment.email,
        language=payment.language,
        done_url=f"{back}/done",
        left_url=f"{back}/left",
        expires_at=payment.expires_at,
    )
    try:
        opened = _open(connection, order)
    except Unreachable as trouble:
        if trouble.answered:  # it would be answered the same for a day
            _note(payment, tries=F("tries") + 1)
        raise
    except ProviderRefusal as refusal:
        if not order.email:
            _note(payment, problem=refusal.message[:LONGEST_PROBLEM])
            raise
        # it is fussier about addresses than mail servers are, and the payer may type theirs
        _note(payment, email="", tries=F("tries") + 1)
        payment.refresh_from_db()
        return url_of(payment)
    return _opened(payment, opened)


def _note(payment: Payment, **fields: Any) -> None:
    with writing():
        Payment.objects.filter(pk=payment.pk, state=OPENING).update(**fields)


def _open(connection: Connection, order: Order) -> Opened:
    """Who clicks twice waits for what the first click began."""
    for pause in PAUSES:
        try:
            return circuit_breaker.at(connection, lambda maker, key: maker.open(key, order), in_request=True)
        except Underway:
            time.sleep(pause)
    return circuit_breaker.at(connection, lambda maker, key: maker.open(key, order), in_request=True)


def _opened(payment: Payment, opened: Opened) -> str:
    with writing():
        fresh = Payment.objects.filter(pk=payment.pk, state=OPENING)
        if fresh.update(state=OPEN, session=opened.session, url=opened.url, version=F("version") + 1):
            # when no event ever comes, and nobody comes back
            follow_soon(payment, "end", at=payment.expires_at + timedelta(minutes=2))
            if payment.until is not None and payment.until <= clock.now():
                follow_soon(payment, "late")
    payment.refresh_from_db()
    return payment.url


def checkout(
    account: Account, purpose: str, subject: str, amount: int, currency: str, *, title: str, back: str, email: str = ""
) -> str:
    """Both in one, outside of a transaction: the address to pay at."""
    with writing():
        payment = begin(account, purpose, subject, amount, currency, title=title, back=back, email=email)
    return url_of(payment)


def end(account: Account, purpose: str, subject: str) -> int:
    """Nobody shall pay this any more, within the caller's write; the provider is told at once. Who pays in the same
    moment has paid, and the purpose is told. The number of payments that were open."""
    found = list(Payment.objects.filter(account=account, purpose=purpose, subject=subject, state__in=UNPAID))
    for payment in found:
        Payment.objects.filter(pk=payment.pk).update(until=clock.now(), is_current=False, version=F("version") + 1)
        follow_soon(payment, "over")
    return len(found)


def refund(payment: Payment, amount: int | None = None, reason: str = "") -> Refund:
    """Give it back, or a part of it, within the caller's write; a worker does it at once and tries again where the
    provider is away. Raises ToolError where that much is not left."""
    if payment.state != PAID:
        raise ToolError("Only what was paid can be given back")
    asked = sum(payment.refunds.filter(state=WAITING).values_list("amount", flat=True))
    left = payment.left - asked
    wanted = left if amount is None else amount
    if wanted <= 0 or wanted > left:
        raise ToolError("That much is not left of this payment" if left > 0 else "All of it was given back already")
    connection = Connection.objects.filter(account=payment.account_id).first()
    if connection is None or not connection.key or connection.live != payment.live:
        raise ToolError("This was paid with another key: give it back at Stripe itself")
    if not _can(connection, wanted, payment.currency):
        raise ToolError("This amount cannot be given back: round it")
    made = Refund.objects.create(payment=payment, amount=wanted, reason=reason)
    journal.for_good("Money that is on its way back is not called back")
    follow_soon(payment, f"refund:{made.pk}")
    return made


def standing(account: Account, purpose: str, subject: str) -> Payment | None:
    """What is to be told of a subject: a payment that is paid before one on its way before any other, the newest."""
    order = {"paid": 0, "processing": 1, "open": 2, "opening": 2}
    found = Payment.objects.filter(account=account, purpose=purpose, subject=subject).order_by("-id")
    return min(found, key=lambda one: order.get(one.state, 3), default=None)


def follow_soon(payment: Payment, why: str, *, at: datetime | None = None) -> None:
    """Have the worker ask how it stands; once for each `why`."""
    key = f"{KIND}:{payment.pk}:{why}"
    outbox.put(KIND, {"payment": payment.pk}, account=payment.account, dedupe=key, at=at)
