"""Messages that explain why a time is unavailable.

Messages for guests reveal nothing about other bookings. Messages for owners name the booking, block or event.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from workspace.lib.messages import Message
from workspace.owner_translation import owner_ngettext
from workspace.products.booking import messages
from workspace.products.booking.rules.availability import BufferOwner, Cause, ServiceTerms, UnavailableReason
from workspace.products.booking.rules.busy_times import BusyKind, BusyTime

FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"
_HOUR_MINUTES, _DAY_MINUTES = 60, 24 * 60
_BUSY_MESSAGES = {
    BusyKind.BOOKING: messages.BUSY_BOOKING,
    BusyKind.PAYING: messages.BUSY_PAYING,
    BusyKind.REQUEST: messages.BUSY_REQUEST,
    BusyKind.BLOCK: messages.BUSY_BLOCK,
    BusyKind.EVENT: messages.BUSY_EVENT,
}
_BUFFER_MESSAGES = {
    BufferOwner.OWN: messages.REASON_OWN_BUFFER,
    BufferOwner.OTHER: messages.REASON_OTHER_BUFFER,
    BufferOwner.BOTH: messages.REASON_BOTH_BUFFERS,
}


def describe_for_guests(cause: Cause, terms: ServiceTerms) -> Message:
    match cause.reason:
        case UnavailableReason.PAST:
            return messages.TIME_PASSED
        case UnavailableReason.NOTICE:
            return messages.TIME_TOO_SOON
        case UnavailableReason.HORIZON:
            return messages.TIME_TOO_FAR_AHEAD(days=terms.horizon)
        case UnavailableReason.CAP:
            return messages.DAY_FULL
        case UnavailableReason.TAKEN | UnavailableReason.BUFFER | UnavailableReason.BLOCKED:
            return messages.TIME_TAKEN
        case _:
            return messages.TIME_NOT_OFFERED


def describe_for_owner(cause: Cause, terms: ServiceTerms, zone: ZoneInfo, *, on_page: bool = False) -> Message:
    """Return the reason as a sentence.

    On a page that shows a single day, the sentence contains neither ids nor the date of that day, and names may be in a
    right-to-left script.
    """
    match cause.reason:
        case UnavailableReason.PAST:
            return messages.REASON_PASSED
        case UnavailableReason.CLOSED:
            return messages.REASON_CLOSED
        case UnavailableReason.HOURS:
            return messages.REASON_HOURS(duration=format_minutes(terms.duration))
        case UnavailableReason.GRID:
            return messages.REASON_GRID(interval=format_minutes(terms.interval))
        case UnavailableReason.NOTICE:
            return messages.REASON_NOTICE(notice=format_minutes(terms.notice))
        case UnavailableReason.HORIZON:
            return messages.REASON_HORIZON(days=terms.horizon)
        case UnavailableReason.CAP:
            return messages.REASON_CAP(count=terms.daily_cap or 0)
        case UnavailableReason.TAKEN | UnavailableReason.BLOCKED:
            return messages.REASON_OVERLAP(what=_describe_busy_time(cause.busy_time, zone, on_page=on_page))
        case UnavailableReason.BUFFER:
            message = _BUFFER_MESSAGES[cause.buffer_owner or BufferOwner.BOTH]
            return message(what=_describe_busy_time(cause.busy_time, zone, on_page=on_page))
    raise AssertionError(cause)


def _describe_busy_time(taken: BusyTime | None, zone: ZoneInfo, *, on_page: bool) -> Message:
    if taken is None:
        return messages.BUSY_UNKNOWN
    start, end = to_local_time(taken.start, zone), to_local_time(taken.end, zone)
    is_one_day = start.date() == end.date()
    first = f"{start:%H:%M}" if on_page and is_one_day else f"{start:%Y-%m-%d %H:%M}"
    last = f"{end:%H:%M}" if is_one_day else f"{end:%Y-%m-%d %H:%M}"
    name = str(taken.about or messages.UNNAMED_EVENT)
    if on_page:
        about = f"{FIRST_STRONG_ISOLATE}{name}{POP_DIRECTIONAL_ISOLATE}"
    else:
        about = f"{name} ({taken.id})" if taken.id else name
    return _BUSY_MESSAGES[taken.kind](about=about, span=f"{first}–{last}")


def describe_nearest(free: Sequence[int], zone: ZoneInfo) -> Message:
    """Return the sentence that tells owners the nearest available times."""
    if not free:
        return messages.NO_NEAREST_TIMES
    moments = [f"{to_local_time(moment, zone):%Y-%m-%dT%H:%M}" for moment in free]
    return messages.NEAREST_TIMES(times=", ".join(moments))


def format_minutes(count: int) -> str:
    """Format a number of minutes, such as `90 minutes`, `2 hours` or `3 days`."""
    if count and count % _DAY_MINUTES == 0:
        number = count // _DAY_MINUTES
        text = owner_ngettext("%(number)s day", "%(number)s days", number)
    elif count and count % _HOUR_MINUTES == 0:
        number = count // _HOUR_MINUTES
        text = owner_ngettext("%(number)s hour", "%(number)s hours", number)
    else:
        number = count
        text = owner_ngettext("%(number)s minute", "%(number)s minutes", number)
    return text % {"number": number}


def to_local_time(moment: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(moment, UTC).astimezone(zone)
