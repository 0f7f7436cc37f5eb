"""Messages that explain why a time is unavailable.

Those for guests reveal nothing about other bookings. Those for owners name the booking, block or event."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, ngettext

from workspace.lib.text import format_count
from workspace.products.booking.rules.availability import BufferOwner, Cause, ServiceTerms, UnavailableReason
from workspace.products.booking.rules.busy_times import BusyKind, BusyTime

_HOUR_MINUTES, _DAY_MINUTES = 60, 24 * 60
_KIND_TEXTS = {
    BusyKind.BOOKING: "the booking of {about}",
    BusyKind.PAYING: "the booking of {about}, who is paying",
    BusyKind.REQUEST: "the request of {about}, which waits for your answer",
    BusyKind.BLOCK: "the time that you blocked",
    BusyKind.EVENT: "“{about}” in your calendar",
}
_BUFFER_TEXTS = {
    BufferOwner.OWN: "the buffer of this service reaches into {what}",
    BufferOwner.OTHER: "it lies in the buffer of {what}",
    BufferOwner.BOTH: "its buffer and that of {what} would overlap",
}


def describe_for_guests(cause: Cause, terms: ServiceTerms) -> str:
    match cause.reason:
        case UnavailableReason.PAST:
            return gettext("This time has passed")
        case UnavailableReason.NOTICE:
            return gettext("This is too soon: please choose a later time")
        case UnavailableReason.HORIZON:
            text = ngettext("Please choose a day within %(days)s day", "Please choose a day within %(days)s days",
                            terms.horizon)  # fmt: skip
            return text % {"days": terms.horizon}
        case UnavailableReason.CAP:
            return gettext("This day is full")
        case UnavailableReason.TAKEN | UnavailableReason.BUFFER | UnavailableReason.BLOCKED:
            return gettext("This time has just been taken")
        case _:
            return gettext("This time is not offered")


def describe_for_owner(cause: Cause, terms: ServiceTerms, zone: ZoneInfo) -> str:
    """Return the end of a sentence such as `it is sooner than the notice of 2 hours`."""
    match cause.reason:
        case UnavailableReason.PAST:
            return "it has passed"
        case UnavailableReason.CLOSED:
            return "this date is closed"
        case UnavailableReason.HOURS:
            return f"a visit of {format_minutes(terms.duration)} does not lie within the opening hours"
        case UnavailableReason.GRID:
            return f"visits begin every {format_minutes(terms.interval)} from the opening on"
        case UnavailableReason.NOTICE:
            return f"it is sooner than the notice of {format_minutes(terms.notice)}"
        case UnavailableReason.HORIZON:
            return f"it is later than {format_count(terms.horizon, 'day')} ahead, the horizon"
        case UnavailableReason.CAP:
            return f"the day has its {format_count(terms.daily_cap or 0, 'booking')}, the daily cap"
        case UnavailableReason.TAKEN | UnavailableReason.BLOCKED:
            return f"it overlaps {_describe_busy_time(cause.busy_time, zone)}"
        case UnavailableReason.BUFFER:
            return _BUFFER_TEXTS[cause.buffer_owner or BufferOwner.BOTH].format(
                what=_describe_busy_time(cause.busy_time, zone)
            )
    raise AssertionError(cause)


def _describe_busy_time(taken: BusyTime | None, zone: ZoneInfo) -> str:
    if taken is None:
        return "another booking"
    start, end = to_local_time(taken.start, zone), to_local_time(taken.end, zone)
    about = taken.about or "an event"
    last = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{_KIND_TEXTS[taken.kind].format(about=about)} ({start:%Y-%m-%d %H:%M}–{last})"


def format_nearest(free: Sequence[int], zone: ZoneInfo) -> str:
    """Return the sentence for owners that lists the nearest available times."""
    if not free:
        return "Nothing is free within a week of it"
    moments = [f"{to_local_time(moment, zone):%Y-%m-%dT%H:%M}" for moment in free]
    return f"Free near it: {', '.join(moments)}"


def format_minutes(count: int) -> str:
    """Format minutes as `90 minutes`, `2 hours` or `3 days`."""
    for size, noun in ((_DAY_MINUTES, "day"), (_HOUR_MINUTES, "hour")):
        if count and count % size == 0:
            return format_count(count // size, noun)
    return format_count(count, "minute")


def to_local_time(moment: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(moment, UTC).astimezone(zone)
