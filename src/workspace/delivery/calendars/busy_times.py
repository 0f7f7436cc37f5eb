"""Busy times from the connected calendars of an account.

Everything is read with one query. Nothing is expanded here, and no server is contacted.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.delivery.models import BusyTime
from workspace.storage.database.compiled_function import compile_once

# UTC offsets stay within this limit, and a DST gap moves a time by at most a day
_MAX_ZONE_SHIFT = timedelta(hours=39)


class BusyPeriod(NamedTuple):
    """A half-open busy period, in UTC.

    `title` is the event's title, for the owner only. `calendar_id` is the calendar that contains it."""

    start: datetime
    end: datetime
    title: str
    calendar_id: str


def list_busy_periods(
    account: Account, start: datetime, end: datetime, *, zone: ZoneInfo, page_id: str = ""
) -> list[BusyPeriod]:
    """Return the busy periods that overlap the time between `start` and `end` (both aware), sorted by start.

    With a `page_id`, only calendars that block this page count. Otherwise all calendars of the account count.
    All-day events and floating times are interpreted in `zone`. Periods may overlap if two calendars contain the
    same event."""
    found = []
    for begins, ends, floats, title, calendar_id in _busy_rows.fetch(
        account, page_id or None, start, end, start - _MAX_ZONE_SHIFT, end + _MAX_ZONE_SHIFT
    ):
        if floats:
            begins, ends = local_to_utc(begins, zone), local_to_utc(ends, zone, last=True)
            if ends <= start or begins >= end:
                continue
        found.append(BusyPeriod(begins, ends, title, calendar_id))
    return sorted(found)


@compile_once
def _busy_rows(
    account: Account,
    page_id: str | None,
    start: datetime,
    end: datetime,
    floating_start: datetime,
    floating_end: datetime,
) -> QuerySet[BusyTime, Any]:
    rows = BusyTime.objects.filter(calendar__account=account)
    if page_id is not None:
        rows = rows.filter(Q(calendar__pages="") | Q(calendar__pages__contains=f" {page_id} "))
    fixed = Q(floating=False, ends_at__gt=start, starts_at__lt=end)
    floating = Q(floating=True, ends_at__gt=floating_start, starts_at__lt=floating_end)
    return rows.filter(fixed | floating).values_list("starts_at", "ends_at", "floating", "title", "calendar_id")


def local_to_utc(digits: datetime, zone: ZoneInfo, *, last: bool = False) -> datetime:
    """Convert a local time in the zone to UTC.

    If clocks show the time twice, return the first moment or, with `last`, the second. A time that the clocks skip is
    shifted forward by the length of the gap.
    """
    local = digits.replace(tzinfo=zone)
    first = local.astimezone(UTC)
    second = local.replace(fold=1).astimezone(UTC)
    return second if last and second > first else first
