"""Online payments for bookings: a deposit or the full price."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from workspace.lib.errors import OperationNotAllowedError
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.payments.provider import FAILED, PAID, PROCESSING
from workspace.products.booking import messages
from workspace.products.booking.models import Booking, PendingReason, Status
from workspace.public_site import guest_checkout
from workspace.public_site.guest_page import GuestActionDeclinedError

PURPOSE_NAME = "booking.visit"
CHECKOUT_PERIOD = timedelta(minutes=30)  # for a guest who books and pays in the same step
PAYMENT_PERIOD = timedelta(hours=24)  # after approval, or after a failed payment


@dataclass(frozen=True, slots=True)
class PaymentState:
    """The state of a booking's payment.

    `state` is none, due, checking (the guest has returned, but the payment is not confirmed yet), processing or failed.
    `is_payable` says whether it can be paid now.
    """

    state: str
    is_payable: bool = False


def get_payment_state(booking: Booking, now: datetime) -> PaymentState:
    if booking.pending_reason != PendingReason.PAYMENT or booking.current_status(now) != Status.PENDING:
        return PaymentState("none")
    payment = checkout.current_payment(booking.account, PURPOSE_NAME, booking.pk)
    if payment is not None and (payment.state in (PAID, PROCESSING) or guest_checkout.is_checking(payment)):
        return PaymentState(PROCESSING if payment.state == PROCESSING else "checking")
    can = checkout.can_charge(booking.account, booking.unpaid_minor, booking.page.currency)
    return PaymentState(FAILED if payment is not None and payment.state == FAILED else "due", can)


def start_payment(booking: Booking, language: str, return_url: str) -> Payment:
    """Start the payment for a booking, within the guest's transaction.

    Raise GuestActionDeclinedError if there is nothing to pay.
    """
    if booking.status != Status.PENDING or booking.pending_reason != PendingReason.PAYMENT or not booking.unpaid_minor:
        raise GuestActionDeclinedError(messages.NOTHING_TO_PAY, status=409)
    return guest_checkout.start_payment(
        booking.account,
        PURPOSE_NAME,
        booking.pk,
        booking.unpaid_minor,
        booking.page.currency,
        title=f"{booking.service_name}, {booking.account.name}",
        return_url=return_url,
        email=booking.email,
        language=language,
        hold_until=booking.hold_until,
    )


def refund_booking(booking: Booking, reason: str) -> None:
    """Cancel open payments of a booking and refund the paid amount.

    Call it in the transaction that cancels the booking. If the provider rejects a refund, the owner sees this at the
    payment.
    """
    if booking.due_minor is None:
        return
    checkout.cancel_open_payments(booking.account, PURPOSE_NAME, booking.pk)
    for payment in Payment.objects.filter(
        account=booking.account_id, purpose=PURPOSE_NAME, subject=booking.pk, state=PAID
    ):
        start_refund(payment, reason)


def start_refund(payment: Payment, reason: str) -> bool:
    """Start a refund. Return False if it is not possible."""
    try:
        checkout.start_refund(payment, reason=reason)
    except OperationNotAllowedError:  # already refunded manually, or paid with another key: the owner has to handle it
        return False
    return True
