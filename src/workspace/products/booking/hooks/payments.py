"""Handlers for payments of bookings, which may be paid, even late, failed or refunded."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.payments.models import Payment
from workspace.payments.provider import PAID
from workspace.payments.purposes import FAILED, PROCESSING, REFUNDED, Purpose
from workspace.products.booking.domain import booking_actions, emails
from workspace.products.booking.domain import payments as booking_payments
from workspace.products.booking.domain.locks import lock_resource
from workspace.products.booking.models import Booking, PendingReason, Status
from workspace.products.booking.models.booking import dashboard_path


def _find_booking(payment: Payment) -> Booking | None:
    bookings = Booking.objects.filter(pk=payment.subject, account=payment.account_id)
    return bookings.select_related("page__account", "page__publication", "account", "resource", "service").first()


def _handle_paid(payment: Payment) -> None:
    booking = _find_booking(payment)
    if booking is None:
        booking_payments.start_refund(payment, owner_gettext("The booking was erased"))
        return
    with lock_resource(booking.resource_id, booking.account_id, clock.now()):
        booking.refresh_from_db()
        earlier = Payment.objects.filter(
            account=payment.account_id, purpose=booking_payments.PURPOSE_NAME, subject=booking.pk, state=PAID
        )
        if earlier.exclude(pk=payment.pk).exists():
            booking_payments.start_refund(payment, owner_gettext("The booking was paid twice"))
            return
        before = booking.status
        Booking.objects.filter(pk=booking.pk).update(paid_minor=payment.amount)
        if not booking_actions.confirm_paid(booking):
            goes_back = booking_payments.start_refund(
                payment, owner_gettext("Paid after the time was no longer available")
            )
            emails.email_guest(booking, "late", refund_minor=payment.amount if goes_back else 0)
            return
        if before != Status.CONFIRMED:
            emails.email_guest(booking, "booked")
            emails.notify_owner(booking, "new")


def _handle_changed(payment: Payment, change: str) -> None:
    booking = _find_booking(payment)
    if booking is None:
        return
    now = clock.now()
    with lock_resource(booking.resource_id, booking.account_id, now):
        booking.refresh_from_db()
        waits = booking.status == Status.PENDING and booking.pending_reason == PendingReason.PAYMENT
        if change == PROCESSING and waits:  # a bank transfer takes days, for which the time is held
            Booking.objects.filter(pk=booking.pk).update(hold_until=booking.starts_at, updated_at=now)
        elif change == FAILED and waits:
            until = min(now + booking_payments.PAYMENT_PERIOD, booking.starts_at)
            Booking.objects.filter(pk=booking.pk).update(hold_until=until, updated_at=now)
            booking.hold_until = until
            emails.email_guest(booking, "failed")
        elif change == REFUNDED:
            back = payment.refunded
            if _first_paid_id(booking) in (None, payment.pk):
                back -= booking.refunded_minor
                Booking.objects.filter(pk=booking.pk).update(refunded_minor=payment.refunded)
            # the guest of a cancelled booking was notified of the refund with the cancellation
            if booking.status == Status.CONFIRMED and back > 0:
                emails.email_guest(booking, "refunded", refund_minor=back)


def _first_paid_id(booking: Booking) -> str | None:
    """Return the id of the first payment of a booking, or None.

    If there were two payments, refunding the other one does not change the booking's amounts.
    """
    paid = Payment.objects.filter(
        account=booking.account_id, purpose=booking_payments.PURPOSE_NAME, subject=booking.pk, state=PAID
    )
    return paid.order_by("paid_at", "id").values_list("pk", flat=True).first()


def _page_urls(payments: Sequence[Payment]) -> dict[str, str]:
    mine = {(payment.subject, payment.account_id) for payment in payments}
    bookings = Booking.objects.filter(pk__in=[subject for subject, _ in mine]).order_by()
    rows = bookings.values_list("pk", "account_id", "page_id")
    return {id: dashboard_path(page, id) for id, account, page in rows if (id, account) in mine}


VISIT_PURPOSE = Purpose(
    booking_payments.PURPOSE_NAME,
    owner_gettext_lazy("Appointments"),
    on_paid=_handle_paid,
    on_changed=_handle_changed,
    pages=_page_urls,
)
