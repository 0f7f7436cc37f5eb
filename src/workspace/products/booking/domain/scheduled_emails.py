"""Scheduled emails about bookings: reminders one day before, expired requests, and closed accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.booking.domain import emails
from workspace.products.booking.domain.locks import lock_resource
from workspace.products.booking.models import Booking, PendingReason, Resource, Status
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task, run_rows

BATCH_SIZE = 200
MAX_NOTIFIED = 1000  # takes a few seconds
CLOSURE_TASK, RETURN_TASK = "booking.notify_last_guests", "booking.notify_return"


def _list_due_reminders() -> QuerySet[Booking, str]:
    return Booking.objects.filter(remind_at__lte=clock.now()).order_by("remind_at").values_list("pk", flat=True)


@row_task("booking.send_reminders", _list_due_reminders, batch_size=BATCH_SIZE)
def send_reminder(id: str) -> int:
    """Send a reminder that is due. Return the number of emails written, 0 or 1.

    The row is read again now, because a rescheduled booking has another reminder time and a cancelled one has none.
    """
    now = clock.now()
    with write_transaction():
        booking = _with_relations().filter(pk=id, remind_at__lte=now).first()
        if booking is None or not Booking.objects.filter(pk=id, remind_at=booking.remind_at).update(remind_at=None):
            return 0
        if booking.status == Status.CONFIRMED and booking.starts_at > now:
            return emails.email_guest(booking, "reminder")
    return 0


def expire_requests() -> int:
    """Expire bookings that were not paid or approved in time. Return the number of guests notified."""
    expire_late_bookings()
    return notify_expired()


def _list_resources_with_late_bookings() -> QuerySet[Resource, int]:
    late = Booking.objects.filter(status=Status.PENDING, hold_until__lte=clock.now()).order_by()
    return Resource.objects.filter(pk__in=late.values("resource")).values_list("pk", flat=True)


@row_task("booking.release_unanswered", _list_resources_with_late_bookings, batch_size=BATCH_SIZE)
def expire_late_bookings(id: int) -> None:
    """Expire a resource's bookings that were not paid or approved in time."""
    if resource := Resource.objects.filter(pk=id).first():
        with lock_resource(resource.pk, resource.account_id, clock.now()):
            pass


def _list_unnotified_expired() -> QuerySet[Booking, str]:
    return Booking.objects.filter(expiry_notice_pending=True).order_by("pk").values_list("pk", flat=True)


@row_task("booking.notify_expired", _list_unnotified_expired, batch_size=BATCH_SIZE)
def notify_expired(id: str) -> int:
    """Notify the guest that a booking has expired. Return the number of emails written, 0 or 1."""
    with write_transaction():
        booking = _with_relations().filter(pk=id, expiry_notice_pending=True).first()
        if booking is None or not Booking.objects.filter(pk=id, expiry_notice_pending=True).update(
            expiry_notice_pending=False
        ):
            return 0
        if booking.status != Status.EXPIRED:  # paid late
            return 0
        count = emails.email_guest(booking, "expired")
        if booking.pending_reason == PendingReason.APPROVAL:
            emails.notify_owner(booking, "expired")
        return count


def notify_of_deletion(account: Account) -> None:
    """Notify the same guests as `notify_of_closure`, unless they were already told about a closure or suspension."""
    if account.closes_at is None and account.banned_at is None:
        notify_of_closure(account, "deleted")


def notify_of_closure(account: Account, key: str) -> None:
    """Notify guests with upcoming bookings that the account is closed or suspended.

    Guests with the earliest bookings are notified first. Planned emails are not sent after that.
    """
    coming = _list_upcoming(account).filter(Booking.live_filter(clock.now()))
    run_rows(f"{CLOSURE_TASK} {account.pk}", coming, _build_notifier("left", key), batch_size=MAX_NOTIFIED)


def notify_of_return(account: Account, key: str) -> None:
    """Notify the same guests that their booking is valid again.

    This is the case when the account is active again or its closure was cancelled.
    """
    coming = _list_upcoming(account).filter(status=Status.CONFIRMED)
    run_rows(f"{RETURN_TASK} {account.pk}", coming, _build_notifier("stands", key), batch_size=MAX_NOTIFIED)


def _build_notifier(email_kind: Literal["left", "stands"], key: str) -> Callable[[str], bool]:
    def notify(id: str) -> bool:
        booking = _with_relations().filter(pk=id).first()
        return booking is not None and emails.email_guest(booking, email_kind, dedupe_key=key)

    return notify


def _list_upcoming(account: Account) -> QuerySet[Booking, str]:
    """Return the upcoming bookings that have an email address, earliest first."""
    bookings = Booking.objects.filter(account=account, starts_at__gt=clock.now()).exclude(email="")
    return bookings.order_by("starts_at", "id").values_list("pk", flat=True)


def _with_relations() -> QuerySet[Booking]:
    return Booking.objects.select_related("page__account", "page__publication", "account")
