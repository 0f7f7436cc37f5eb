"""Events as others read them: in a file, in a feed, in an invitation by mail, in a calendar of somebody's.

    invitation(Event(uid(booking.pk, host), start, end, "Haircut", changed_at, organizer=us, attendees=[guest]))

A time is told in its own zone, by its full name, with the zone's rules; one that comes twice, the second time, in UTC.
The same event is the same bytes, so that a feed has an ETag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from workspace.lib.content_lines import escape, fold, uri
from workspace.lib.ics.vtimezone import vtimezone

PRODUCT = "-//Workspace Tools//Calendar//EN"
HOURLY = timedelta(hours=1)

Status = Literal["confirmed", "tentative", "cancelled"]
Answer = Literal["needs-action", "accepted", "declined", "tentative"]


@dataclass(frozen=True, slots=True)
class Person:
    email: str
    name: str = ""
    answer: Answer = "needs-action"


@dataclass(frozen=True, slots=True)
class Alarm:
    """So long before the beginning."""

    before: timedelta
    text: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """`start` and `end` are both aware, or both dates, whose `end` is the day after the last; without one it is a
    moment, or a day. `changed_at` is when it was changed last, never the time of writing; `sequence` grows with each
    change that guests have to hear of. An event that is not `busy` blocks nobody's time."""

    uid: str
    start: datetime | date
    end: datetime | date | None
    title: str
    changed_at: datetime
    sequence: int = 0
    description: str = ""
    location: str = ""
    url: str = ""
    status: Status = "confirmed"
    busy: bool = True
    categories: Sequence[str] = ()
    organizer: Person | None = None
    attendees: Sequence[Person] = ()
    alarms: Sequence[Alarm] = ()


def uid(id: str, host: str) -> str:
    """The same for all copies of a thing, whatever happens to it."""
    return f"{id}@{host}"


def calendar(events: Sequence[Event], *, name: str = "", refresh: timedelta = HOURLY) -> bytes:
    """A file or a feed of any number of events; `refresh` is how often a subscriber may look again."""
    head = ["METHOD:PUBLISH"]
    if name:
        head += [f"NAME:{escape(name)}", f"X-WR-CALNAME:{escape(name)}"]
    head += [f"REFRESH-INTERVAL;VALUE=DURATION:{_duration(refresh)}", f"X-PUBLISHED-TTL:{_duration(refresh)}"]
    return _written(head, events)


def invitation(event: Event, *, cancelled: bool = False) -> bytes:
    """What a mail carries: a request, or that there is none any more; the mail's part names the same method. Raises
    ValueError without an organizer and somebody who is invited."""
    if event.organizer is None or not event.attendees:
        raise ValueError("An invitation has an organizer and an attendee")
    if cancelled:
        return _written(["METHOD:CANCEL"], [replace(event, status="cancelled", alarms=())])
    return _written(["METHOD:REQUEST"], [event])


def stored(event: Event) -> bytes:
    """What is put into somebody's calendar by CalDAV: without a method (RFC 4791, 4.1), and without the people, since
    a server would write invitations to them by itself."""
    return _written([], [replace(event, organizer=None, attendees=())])


def _written(head: Sequence[str], events: Sequence[Event]) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", "CALSCALE:GREGORIAN", *head]
    for key, (first, last) in sorted(_zones(events).items()):
        lines += vtimezone(key, first, last)
    lines += [line for event in events for line in _lines(event)]
    return b"".join(fold(line) for line in (*lines, "END:VCALENDAR"))


def _zones(events: Sequence[Event]) -> dict[str, tuple[int, int]]:
    """The zones in which times are told, with the first and the last year."""
    found: dict[str, tuple[int, int]] = {}
    for event in events:
        for moment in (event.start, event.end):
            key = _zone_of(moment)
            if key and moment is not None:
                first, last = found.get(key, (moment.year, moment.year))
                found[key] = (min(first, moment.year), max(last, moment.year))
    return found


def _zone_of(moment: datetime | date | None) -> str:
    """The name of the zone that it is told in; empty for UTC and for a date."""
    if not isinstance(moment, datetime) or not isinstance(moment.tzinfo, ZoneInfo) or moment.tzinfo.key == "UTC":
        return ""
    # a time that comes twice is by RFC 5545 the first, and one that the clocks skip is no time of that zone
    comes_again = moment.fold and moment.utcoffset() != moment.replace(fold=0).utcoffset()
    is_skipped = moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != moment.replace(tzinfo=None)
    return "" if comes_again or is_skipped else moment.tzinfo.key or ""


def _lines(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape(event.uid)}"
    yield f"DTSTAMP:{_utc(event.changed_at)}"
    yield f"LAST-MODIFIED:{_utc(event.changed_at)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART{_time(event.start)}"
    if event.end is not None:
        yield f"DTEND{_time(event.end)}"
    yield f"SUMMARY:{escape(event.title)}"
    for name, text in (("DESCRIPTION", event.description), ("LOCATION", event.location)):
        if text:
            yield f"{name}:{escape(text)}"
    if event.url:
        yield f"URL:{uri(event.url)}"
    if event.categories:
        yield f"CATEGORIES:{','.join(map(escape, event.categories))}"
    yield f"STATUS:{event.status.upper()}"
    yield f"TRANSP:{'OPAQUE' if event.busy and event.status != 'cancelled' else 'TRANSPARENT'}"
    if event.organizer is not None:
        yield f"ORGANIZER{_name(event.organizer)}:mailto:{uri(event.organizer.email)}"
    for one in event.attendees:
        role = f";CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT={one.answer.upper()};RSVP=FALSE"
        yield f"ATTENDEE{_name(one)}{role}:mailto:{uri(one.email)}"
    for alarm in event.alarms:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"DESCRIPTION:{escape(alarm.text or event.title)}"
        yield f"TRIGGER:-{_duration(alarm.before)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _name(person: Person) -> str:
    # what is between quotes holds anything but a quote and a control character
    name = " ".join("".join(char if char.isprintable() else " " for char in person.name).replace('"', "'").split())
    return f';CN="{name}"' if name else ""


def _time(moment: datetime | date) -> str:
    if not isinstance(moment, datetime):
        return f";VALUE=DATE:{moment:%Y%m%d}"
    if moment.tzinfo is None:
        raise ValueError("Say in which zone the time is meant")
    key = _zone_of(moment)
    return f";TZID={key}:{moment:%Y%m%dT%H%M%S}" if key else f":{_utc(moment)}"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _duration(length: timedelta) -> str:
    """As RFC 5545, 3.3.6 writes it, in whole seconds: days, and the rest in the largest unit that tells it."""
    days, rest = divmod(max(0, int(length.total_seconds())), 86_400)
    if not rest:
        return f"P{days}D"
    size, unit = next((size, unit) for size, unit in ((3600, "H"), (60, "M"), (1, "S")) if rest % size == 0)
    return f"P{f'{days}D' if days else ''}T{rest // size}{unit}"
