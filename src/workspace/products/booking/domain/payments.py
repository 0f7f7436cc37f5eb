"""What guests pay online for a visit: a deposit, or all of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext

from workspace.lib.errors import ToolError
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.payments.provider import FAILED, PAID, PROCESSING
from workspace.products.booking.models import Booking, Status, Waiting
from workspace.public_site import guest_checkout
from workspace.public_site.guest_form import Declined

NAME = "booking.visit"
HELD = timedelta(minutes=30)  # for who books and pays at once
PAID_WITHIN = timedelta(hours=24)  # of an owner's yes, or of a payment that failed


@dataclass(frozen=True, slots=True)
class Standing:
    """`state`: none, due, checking (come back, not confirmed yet), processing or failed; `is_payable` whether it can be
    paid now."""

    state: str
    is_payable: bool = False


def standing(booking: Booking, now: datetime) -> Standing:
    if booking.waiting_for != Waiting.PAYMENT or booking.state(now) != Status.PENDING:
        return Standing("none")
    payment = checkout.standing(booking.account, NAME, booking.pk)
    if payment is not None and (payment.state in (PAID, PROCESSING) or guest_checkout.is_checking(payment)):
        return Standing(PROCESSING if payment.state == PROCESSING else "checking")
    can = checkout.takes(booking.account, booking.owed_minor, booking.page.currency)
    return Standing(FAILED if payment is not None and payment.state == FAILED else "due", can)


def begin(booking: Booking, language: str, back: str) -> Payment:
    """What the guest is to pay, within their write. Raises Declined where there is nothing to pay."""
    if booking.status != Status.PENDING or booking.waiting_for != Waiting.PAYMENT or not booking.owed_minor:
        raise Declined(gettext("There is nothing to pay here any more"), status=409)
    return guest_checkout.begin(
        booking.account,
        NAME,
        booking.pk,
        booking.owed_minor,
        booking.page.currency,
        title=f"{booking.service_name}, {booking.account.name}",
        back=back,
        email=booking.email,
        language=language,
        until=booking.hold_until,
    )


def give_back(booking: Booking, reason: str) -> None:
    """All that was paid for it, and nobody shall pay it any more; within the write that ends it. What the provider does
    not give back from here stands with the payment, for the owner."""
    if booking.due_minor is None:
        return
    checkout.end(booking.account, NAME, booking.pk)
    for payment in Payment.objects.filter(account=booking.account_id, purpose=NAME, subject=booking.pk, state=PAID):
        refund(payment, reason)


def refund(payment: Payment, reason: str) -> bool:
    try:
        checkout.refund(payment, reason=reason)
    except ToolError:  # by hand already, or with another key: it is the owner's to see to
        return False
    return True
