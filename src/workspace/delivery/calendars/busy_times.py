"""When somebody is busy by the calendars that an account has connected. One statement; nothing is expanded or asked
for here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.delivery.models import BusyTime

# clocks of the world are at most so far from UTC, and a gap moves a time by no more than a day
_MAX_ZONE_SHIFT = timedelta(hours=39)


class BusyPeriod(NamedTuple):
    """Half-open, in UTC. `title` is what the calendar calls it, for its owner's eyes; `calendar_id` where it stands."""

    start: datetime
    end: datetime
    title: str
    calendar_id: str


def list_busy_periods(
    account: Account, start: datetime, end: datetime, *, zone: ZoneInfo, page_id: str = ""
) -> list[BusyPeriod]:
    """What overlaps the time from `start` to `end` (aware), by its start, in the calendars that block the page, or in
    all of the account's without one. All-day events and times without a zone are meant in `zone`. Ranges may overlap
    one another: two calendars know of the same lunch."""
    rows = BusyTime.objects.filter(calendar__account=account)
    if page_id:
        rows = rows.filter(Q(calendar__pages="") | Q(calendar__pages__contains=f" {page_id} "))
    fixed = Q(floating=False, ends_at__gt=start, starts_at__lt=end)
    floating = Q(floating=True, ends_at__gt=start - _MAX_ZONE_SHIFT, starts_at__lt=end + _MAX_ZONE_SHIFT)
    found = []
    for begins, ends, floats, title, calendar_id in rows.filter(fixed | floating).values_list(
        "starts_at", "ends_at", "floating", "title", "calendar_id"
    ):
        if floats:
            begins, ends = local_to_utc(begins, zone), local_to_utc(ends, zone, last=True)
            if ends <= start or begins >= end:
                continue
        found.append(BusyPeriod(begins, ends, title, calendar_id))
    return sorted(found)


def local_to_utc(digits: datetime, zone: ZoneInfo, *, last: bool = False) -> datetime:
    """The moment at which a clock of the zone shows these digits; of a time that comes twice the first, or the `last`.
    One that the clocks skip is as far after their jump as it is after its beginning."""
    local = digits.replace(tzinfo=zone)
    first = local.astimezone(UTC)
    second = local.replace(fold=1).astimezone(UTC)
    return second if last and second > first else first
