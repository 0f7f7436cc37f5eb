"""Why a time is not free, in words: to guests without a word of others, to owners with whom and what it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, ngettext

from workspace.lib.text import counted
from workspace.products.booking.rules.availability import Cause, Terms, Whose, Why
from workspace.products.booking.rules.busy_times import Kind, Taken

_HOUR, _DAY = 60, 24 * 60
_WHAT = {
    Kind.BOOKING: "the booking of {about}",
    Kind.PAYING: "the booking of {about}, who is paying",
    Kind.REQUEST: "the request of {about}, which waits for your answer",
    Kind.BLOCK: "the time that you blocked",
    Kind.EVENT: "“{about}” in your calendar",
}
_WHOSE = {
    Whose.OWN: "the buffer of this service reaches into {what}",
    Whose.OTHER: "it lies in the buffer of {what}",
    Whose.BOTH: "its buffer and that of {what} would overlap",
}


def for_guests(cause: Cause, terms: Terms) -> str:
    match cause.why:
        case Why.PAST:
            return gettext("This time has passed")
        case Why.NOTICE:
            return gettext("This is too soon: please choose a later time")
        case Why.HORIZON:
            told = ngettext("Please choose a day within %(days)s day", "Please choose a day within %(days)s days",
                            terms.horizon)  # fmt: skip
            return told % {"days": terms.horizon}
        case Why.CAP:
            return gettext("This day is full")
        case Why.TAKEN | Why.BUFFER | Why.BLOCKED:
            return gettext("This time has just been taken")
        case _:
            return gettext("This time is not offered")


def for_owner(cause: Cause, terms: Terms, zone: ZoneInfo) -> str:
    """The end of a sentence: `it is sooner than the notice of 2 hours`."""
    match cause.why:
        case Why.PAST:
            return "it has passed"
        case Why.CLOSED:
            return "this date is closed"
        case Why.HOURS:
            return f"a visit of {minutes(terms.duration)} does not lie within the opening hours"
        case Why.GRID:
            return f"visits begin every {minutes(terms.interval)} from the opening on"
        case Why.NOTICE:
            return f"it is sooner than the notice of {minutes(terms.notice)}"
        case Why.HORIZON:
            return f"it is later than {counted(terms.horizon, 'day')} ahead, the horizon"
        case Why.CAP:
            return f"the day has its {counted(terms.daily_cap or 0, 'booking')}, the daily cap"
        case Why.TAKEN | Why.BLOCKED:
            return f"it overlaps {_what(cause.taken, zone)}"
        case Why.BUFFER:
            return _WHOSE[cause.whose or Whose.BOTH].format(what=_what(cause.taken, zone))
    raise AssertionError(cause)


def _what(taken: Taken | None, zone: ZoneInfo) -> str:
    if taken is None:
        return "another booking"
    start, end = local(taken.start, zone), local(taken.end, zone)
    about = taken.about or "an event"
    last = f"{end:%H:%M}" if start.date() == end.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{_WHAT[taken.kind].format(about=about)} ({start:%Y-%m-%d %H:%M}–{last})"


def nearest(free: Sequence[int], zone: ZoneInfo) -> str:
    """The other half of such a sentence, for owners: where there is room."""
    if not free:
        return "Nothing is free within a week of it"
    moments = [f"{local(moment, zone):%Y-%m-%dT%H:%M}" for moment in free]
    return f"Free near it: {', '.join(moments)}"


def minutes(count: int) -> str:
    """`90 minutes`, `2 hours`, `3 days`."""
    for size, noun in ((_DAY, "day"), (_HOUR, "hour")):
        if count and count % size == 0:
            return counted(count // size, noun)
    return counted(count, "minute")


def local(moment: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(moment, UTC).astimezone(zone)
