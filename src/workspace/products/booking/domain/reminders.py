"""What is done about bookings when nobody acts on them: guests are reminded a day ahead, told when what they asked for
has lapsed, and told the last when the account goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.booking.domain import emails
from workspace.products.booking.domain.locks import holding
from workspace.products.booking.models import Booking, Resource, Status, Waiting
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task, run_rows

AT_ONCE = 200
MOST_TOLD = 1000  # some seconds
LEFT, BACK = "booking.notify_last_guests", "booking.notify_return"


def _due_reminders() -> QuerySet[Booking, str]:
    return Booking.objects.filter(remind_at__lte=clock.now()).order_by("remind_at").values_list("pk", flat=True)


@row_task("booking.send_reminders", _due_reminders, most=AT_ONCE)
def remind(id: str) -> int:
    """Whether a mail was written. What is moved has its reminder anew, what is cancelled has none: it is looked for
    when it is due."""
    now = clock.now()
    with writing():
        booking = _whole().filter(pk=id, remind_at__lte=now).first()
        if booking is None or not Booking.objects.filter(pk=id, remind_at=booking.remind_at).update(remind_at=None):
            return 0
        if booking.status == Status.CONFIRMED and booking.starts_at > now:
            return emails.tell(booking, "reminder")
    return 0


def let_lapse() -> int:
    """Give back what nobody paid or answered in time, and tell its guest; how many were told."""
    release_unanswered()
    return tell_of_expiry()


def _resources_with_late_bookings() -> QuerySet[Resource, int]:
    late = Booking.objects.filter(status=Status.PENDING, hold_until__lte=clock.now()).order_by()
    return Resource.objects.filter(pk__in=late.values("resource")).values_list("pk", flat=True)


@row_task("booking.release_unanswered", _resources_with_late_bookings, most=AT_ONCE)
def release_unanswered(id: int) -> None:
    """Expire a resource's bookings that no one paid or answered in time."""
    if resource := Resource.objects.filter(pk=id).first():
        with holding(resource, clock.now()):
            pass


def _expired_and_untold() -> QuerySet[Booking, str]:
    return Booking.objects.filter(owes_word=True).order_by("pk").values_list("pk", flat=True)


@row_task("booking.notify_expired", _expired_and_untold, most=AT_ONCE)
def tell_of_expiry(id: str) -> int:
    """Tell the guest of a booking that it has expired; whether a mail was written."""
    with writing():
        booking = _whole().filter(pk=id, owes_word=True).first()
        if booking is None or not Booking.objects.filter(pk=id, owes_word=True).update(owes_word=False):
            return 0
        if booking.status != Status.EXPIRED:  # it was paid late
            return 0
        count = emails.tell(booking, "expired")
        if booking.waiting_for == Waiting.APPROVAL:
            emails.tell_owner(booking, "expired")
        return count


def tell_of_deletion(account: Account) -> None:
    """Notify the same guests as `tell_the_last`, unless they know already that the account goes."""
    if account.closes_at is None and account.banned_at is None:
        tell_the_last(account, "deleted")


def tell_the_last(account: Account, key: str) -> None:
    """Notify guests whose visit is still to come, the nearest first, when the account is closed or taken out of
    service: nothing that was planned to be sent is sent any more."""
    coming = _coming(account).filter(Booking.live(clock.now()))
    run_rows(f"{LEFT} {account.pk}", coming, _notifying("left", key), most=MOST_TOLD)


def tell_of_return(account: Account, key: str) -> None:
    """To the same, that their visit stands: the account is in service again, or kept after all."""
    coming = _coming(account).filter(status=Status.CONFIRMED)
    run_rows(f"{BACK} {account.pk}", coming, _notifying("stands", key), most=MOST_TOLD)


def _notifying(what: Literal["left", "stands"], key: str) -> Callable[[str], bool]:
    def notify(id: str) -> bool:
        booking = _whole().filter(pk=id).first()
        return booking is not None and emails.tell(booking, what, once=key)

    return notify


def _coming(account: Account) -> QuerySet[Booking, str]:
    """The nearest first."""
    found = Booking.objects.filter(account=account, starts_at__gt=clock.now()).exclude(email="")
    return found.order_by("starts_at", "id").values_list("pk", flat=True)


def _whole() -> QuerySet[Booking]:
    return Booking.objects.select_related("page__account", "page__publication", "account")
