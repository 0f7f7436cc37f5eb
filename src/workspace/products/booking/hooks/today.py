"""The next bookings, for Today on the home page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.booking.hooks.checkin import CHECKIN_ACTION
from workspace.products.booking.models import AttendanceStatus, Booking, Status
from workspace.publishing.today import TodayEntry, TodaySource
from workspace.storage.database.compiled_function import compile_once

LATE_TOLERANCE = timedelta(minutes=30)  # how long after the start a client who has not checked in is listed


def list_next_bookings(account: Account, limit: int) -> Sequence[TodayEntry]:
    """Return the confirmed bookings of today and tomorrow that have not been checked in, earliest first."""
    now, today = clock.now(), clock.today(account.time_zone)
    until = datetime.combine(today + timedelta(days=2), time.min, account.zone)
    return [
        _present_booking(booking, now, today)
        for booking in _bookings_between.fetch_some(limit, account, now - LATE_TOLERANCE, until)
    ]


@compile_once
def _bookings_between(account: Account, since: datetime, until: datetime) -> QuerySet[Booking]:
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__gte=since, starts_at__lt=until)
    return (
        rows.filter(status=Status.CONFIRMED, outcome=AttendanceStatus.UNKNOWN)
        .select_related("page")
        .order_by("starts_at", "id")
    )


def _present_booking(booking: Booking, now: datetime, today: date) -> TodayEntry:
    local_time = booking.starts_at.astimezone(booking.page.zone)
    shown_time = f"{local_time:%H:%M}"
    return TodayEntry(
        id=booking.pk,
        title=booking.name,
        detail=booking.service_name,
        when=shown_time if local_time.date() == today else owner_gettext("Tomorrow %(time)s") % {"time": shown_time},
        page=booking.dashboard_path,
        phone=booking.phone,
        acts=(CHECKIN_ACTION.name,) if booking.can_have_arrived(now) else (),
    )


TODAY_SOURCE = TodaySource(
    title=owner_gettext_lazy("Next bookings"),
    page="/app/booking",
    list_entries=list_next_bookings,
    actions=[CHECKIN_ACTION],
    is_first=True,
)
