"""Events as iCalendar: for a file, a feed, an email invitation or a CalDAV server.

    event = Event(event_uid(booking.pk, host), start, end, "Haircut", changed_at, organizer=us, attendees=[guest])
    build_invitation(event)

Times are written in their time zone, with its full name and rules. If clocks show a local time twice, the second one is
written in UTC. The same event always produces the same bytes, so that a feed has a stable ETag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from workspace.lib.content_lines import escape_text, escape_uri, fold_line
from workspace.lib.ics.vtimezone import build_vtimezone

PRODUCT_ID = "-//Workspace Tools//Calendar//EN"
DEFAULT_REFRESH = timedelta(hours=1)

EventStatus = Literal["confirmed", "tentative", "cancelled"]
AttendeeStatus = Literal["needs-action", "accepted", "declined", "tentative"]


@dataclass(frozen=True, slots=True)
class CalendarUser:
    email: str
    name: str = ""
    answer: AttendeeStatus = "needs-action"


@dataclass(frozen=True, slots=True)
class Alarm:
    """A reminder. `before` is its lead time before the start."""

    before: timedelta
    text: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """An event.

    `start` and `end` are both aware, or both dates, where `end` is the day after the last. Without an end, the event is
    a moment or a day. `changed_at` is the time of the last change, never the time of writing. `sequence` increases with
    each change that guests must be notified of. An event that is not `busy` blocks no time.
    """

    uid: str
    start: datetime | date
    end: datetime | date | None
    title: str
    changed_at: datetime
    sequence: int = 0
    description: str = ""
    location: str = ""
    url: str = ""
    status: EventStatus = "confirmed"
    busy: bool = True
    categories: Sequence[str] = ()
    organizer: CalendarUser | None = None
    attendees: Sequence[CalendarUser] = ()
    alarms: Sequence[Alarm] = ()


def event_uid(id: str, host: str) -> str:
    """Return an event's UID, which is the same for all of its copies and versions."""
    return f"{id}@{host}"


def build_calendar(events: Sequence[Event], *, name: str = "", refresh: timedelta = DEFAULT_REFRESH) -> bytes:
    """Return an iCalendar file or feed with any number of events.

    `refresh` is the update interval suggested to subscribers.
    """
    head = ["METHOD:PUBLISH"]
    if name:
        head += [f"NAME:{escape_text(name)}", f"X-WR-CALNAME:{escape_text(name)}"]
    head += [
        f"REFRESH-INTERVAL;VALUE=DURATION:{_format_duration(refresh)}",
        f"X-PUBLISHED-TTL:{_format_duration(refresh)}",
    ]
    return _render_calendar(head, events)


def build_invitation(event: Event, *, cancelled: bool = False) -> bytes:
    """Return an invitation for an email: a request, or a cancellation.

    The Content-Type of the part in the email must contain the same method. Raise ValueError without an organizer or an
    attendee.
    """
    if event.organizer is None or not event.attendees:
        raise ValueError("An invitation must have an organizer and an attendee")
    if cancelled:
        return _render_calendar(["METHOD:CANCEL"], [replace(event, status="cancelled", alarms=())])
    return _render_calendar(["METHOD:REQUEST"], [event])


def build_caldav_event(event: Event) -> bytes:
    """Return an event for a CalDAV server.

    It has no method (RFC 4791, section 4.1) and no people, because the server would send invitations to them.
    """
    return _render_calendar([], [replace(event, organizer=None, attendees=())])


def _render_calendar(head: Sequence[str], events: Sequence[Event]) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT_ID}", "CALSCALE:GREGORIAN", *head]
    for key, (first, last) in sorted(_collect_zones(events).items()):
        lines += build_vtimezone(key, first, last)
    lines += [line for event in events for line in _event_lines(event)]
    return b"".join(fold_line(line) for line in (*lines, "END:VCALENDAR"))


def _collect_zones(events: Sequence[Event]) -> dict[str, tuple[int, int]]:
    """Return the time zones of all times, with the first and last year of each."""
    found: dict[str, tuple[int, int]] = {}
    for event in events:
        for moment in (event.start, event.end):
            key = _zone_key(moment)
            if key and moment is not None:
                first, last = found.get(key, (moment.year, moment.year))
                found[key] = (min(first, moment.year), max(last, moment.year))
    return found


def _zone_key(moment: datetime | date | None) -> str:
    """Return the name of a time's zone, or "" for UTC and for dates."""
    if not isinstance(moment, datetime) or not isinstance(moment.tzinfo, ZoneInfo) or moment.tzinfo.key == "UTC":
        return ""
    # RFC 5545 reads a repeated local time as the first one. A skipped local time does not exist in its zone.
    comes_again = moment.fold and moment.utcoffset() != moment.replace(fold=0).utcoffset()
    is_skipped = moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != moment.replace(tzinfo=None)
    return "" if comes_again or is_skipped else moment.tzinfo.key or ""


def _event_lines(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_text(event.uid)}"
    yield f"DTSTAMP:{_format_utc(event.changed_at)}"
    yield f"LAST-MODIFIED:{_format_utc(event.changed_at)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART{_format_time(event.start)}"
    if event.end is not None:
        yield f"DTEND{_format_time(event.end)}"
    yield f"SUMMARY:{escape_text(event.title)}"
    for name, text in (("DESCRIPTION", event.description), ("LOCATION", event.location)):
        if text:
            yield f"{name}:{escape_text(text)}"
    if event.url:
        yield f"URL:{escape_uri(event.url)}"
    if event.categories:
        yield f"CATEGORIES:{','.join(map(escape_text, event.categories))}"
    yield f"STATUS:{event.status.upper()}"
    yield f"TRANSP:{'OPAQUE' if event.busy and event.status != 'cancelled' else 'TRANSPARENT'}"
    if event.organizer is not None:
        yield f"ORGANIZER{_name_parameter(event.organizer)}:mailto:{escape_uri(event.organizer.email)}"
    for one in event.attendees:
        role = f";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT={one.answer.upper()};RSVP=FALSE"
        yield f"ATTENDEE{_name_parameter(one)}{role}:mailto:{escape_uri(one.email)}"
    for alarm in event.alarms:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{escape_text(alarm.text or event.title)}"
        yield f"TRIGGER:-{_format_duration(alarm.before)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _name_parameter(person: CalendarUser) -> str:
    # a quoted parameter may contain all but quotes and control characters
    name = " ".join("".join(char if char.isprintable() else " " for char in person.name).replace('"', "'").split())
    return f';CN="{name}"' if name else ""


def _format_time(moment: datetime | date) -> str:
    if not isinstance(moment, datetime):
        return f";VALUE=DATE:{moment:%Y%m%d}"
    if moment.tzinfo is None:
        raise ValueError("The time must have a time zone")
    key = _zone_key(moment)
    return f";TZID={key}:{moment:%Y%m%dT%H%M%S}" if key else f":{_format_utc(moment)}"


def _format_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _format_duration(length: timedelta) -> str:
    """Format a duration (RFC 5545, section 3.3.6) in days and the largest exact unit of the rest."""
    days, rest = divmod(max(0, int(length.total_seconds())), 86_400)
    if not rest:
        return f"P{days}D"
    size, unit = next((size, unit) for size, unit in ((3600, "H"), (60, "M"), (1, "S")) if rest % size == 0)
    return f"P{f'{days}D' if days else ''}T{rest // size}{unit}"
