"""What is done about bookings when nobody acts on them: guests are reminded a day ahead, told when what they asked for
has lapsed, and told the last when the account goes."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.booking import mailing
from workspace.products.booking.holding import holding
from workspace.products.booking.models import Booking, Resource, Status, Waiting
from workspace.storage.database import writing
from workspace.toolkit import clock

AT_ONCE = 200
MOST_TOLD = 1000  # some seconds


def remind() -> int:
    """How many. What is moved has its reminder anew, what is cancelled has none: it is looked for when it is due."""
    now, count = clock.now(), 0
    due = Booking.objects.filter(remind_at__lte=now).order_by("remind_at").values_list("pk", flat=True)
    for id in due[:AT_ONCE]:
        with writing():
            booking = _whole().filter(pk=id, remind_at__lte=now).first()
            if booking is None or not Booking.objects.filter(pk=id, remind_at=booking.remind_at).update(remind_at=None):
                continue
            if booking.status == Status.CONFIRMED and booking.starts_at > now:
                count += mailing.tell(booking, "reminder")
    return count


def let_lapse() -> int:
    """Give back what nobody paid or answered in time, and tell its guest; how many were told."""
    now, count = clock.now(), 0
    late = Booking.objects.filter(status=Status.PENDING, hold_until__lte=now).order_by()
    for resource in Resource.objects.filter(pk__in=late.values("resource"))[:AT_ONCE]:
        with holding(resource, now):
            pass
    owing = Booking.objects.filter(owes_word=True).order_by("pk").values_list("pk", flat=True)
    for id in owing[:AT_ONCE]:
        with writing():
            booking = _whole().filter(pk=id, owes_word=True).first()
            if booking is None or not Booking.objects.filter(pk=id, owes_word=True).update(owes_word=False):
                continue
            if booking.status == Status.EXPIRED:  # else it was paid late
                count += mailing.tell(booking, "expired")
                if booking.waiting_for == Waiting.APPROVAL:
                    mailing.tell_owner(booking, "expired")
    return count


def tell_the_last(account: Account) -> None:
    """To whom a visit is still to come, the nearest first, when the account is closed or taken out of service: nothing
    that was planned to be sent is sent any more. Once only: of a closing that began they know."""
    if account.closes_at is not None:
        return
    for booking in _coming(account).filter(Booking.live(clock.now()))[:MOST_TOLD]:
        mailing.tell(booking, "left")


def tell_of_return(account: Account) -> None:
    """To the same, that their visit stands: the account is in service again, or kept after all."""
    for booking in _coming(account).filter(status=Status.CONFIRMED)[:MOST_TOLD]:
        mailing.tell(booking, "stands")


def _coming(account: Account) -> QuerySet[Booking]:
    """The nearest first."""
    found = _whole().filter(account=account, starts_at__gt=clock.now()).exclude(email="")
    return found.order_by("starts_at", "id")


def _whole() -> QuerySet[Booking]:
    return Booking.objects.select_related("page__account", "page__publication", "account")
