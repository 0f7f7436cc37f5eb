"""When somebody is busy by a calendar that others have written: a pure function, in which one broken event loses no
other. It runs in a child process (`ics.child`), since it imports much, and since a rule can repeat every second.

The file is cut into its events by lines, and each series is given to the libraries by itself, with only those lines
that say when it is and whether it counts."""

from __future__ import annotations

import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import icalendar
import recurring_ical_events

from workspace.lib.ics.content_lines import Block, Cut, cut
from workspace.lib.ics.event_times import Clocks, until_told

MOST_EVENTS = 20_000
MOST_RANGES = 50_000
LONGEST_TITLE = 100
SECONDS = 1.0  # of the processor, for one series
_MARGIN = timedelta(days=2)  # an event is told in a zone of its own
_UNREAD = "unread"
_REVERSED = "reversed"
_RULE = "rule"
_MORE = "more"
_TOO_OFTEN = "too_often"
_SECONDLY = re.compile(r"(^|;)\s*FREQ\s*=\s*SECONDLY\b", re.IGNORECASE)


class NoCalendar(Exception):
    """The text says why, for people."""


class Range(NamedTuple):
    """`floating`: these are the digits of a clock, whatever its zone. `own`: the part of its UID before our host."""

    start: datetime
    end: datetime
    floating: bool
    title: str
    own: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of the time from `start` to `end` (aware). `mine`: addresses of the owner, whose answers count; `hosts`: ours,
    whose UIDs are told."""

    start: datetime
    end: datetime
    tentative: bool = True
    mine: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    seconds: float = SECONDS


@dataclass(slots=True)
class Read:
    """`odd` counts what was not as it should be, by kind; `zones` are names that nobody knows."""

    name: str = ""
    events: int = 0
    ranges: list[Range] = field(default_factory=list)
    odd: Counter[str] = field(default_factory=Counter)
    titles: dict[str, str] = field(default_factory=dict)
    zones: list[str] = field(default_factory=list)

    def note(self, kind: str, title: str) -> None:
        self.odd[kind] += 1
        self.titles.setdefault(kind, title)


class _TooLong(BaseException):
    """No library shall swallow it."""


def read(texts: Sequence[str], wanted: Wanted) -> Read:
    """What blocks the owner's time in these files, which make one calendar, by its start. Raises NoCalendar."""
    found, whole = Read(), Cut()
    for text in texts:
        cut(text, whole)
    if not whole.calendars:
        raise NoCalendar("There is no calendar at this address: it answers something else")
    if whole.is_open:
        raise NoCalendar("The calendar breaks off before its end")
    if len(whole.events) > MOST_EVENTS:
        raise NoCalendar(f"The calendar has more than {MOST_EVENTS:,} events")
    found.name, found.events = whole.name, len(whole.events)
    clocks = Clocks(whole.zones)
    for series in _series(whole.events):
        title = series[0].title[:LONGEST_TITLE]
        try:
            with _within(wanted.seconds):
                found.ranges += _ranges(series, clocks, wanted, found)
        except (Exception, _TooLong):  # whatever a stranger wrote, the others count
            found.note(_UNREAD, title)
    found.zones = sorted(clocks.unknown)
    found.ranges.sort()
    if len(found.ranges) > MOST_RANGES:
        found.note(_MORE, "")
        del found.ranges[MOST_RANGES:]
    return found


def _series(events: Sequence[Block]) -> Iterator[list[Block]]:
    """What belongs together: a rule and its exceptions. Events that share a UID and nothing else stand alone: some
    programs give all of them the same."""
    groups: dict[str, list[Block]] = {}
    for place, event in enumerate(events):
        groups.setdefault(event.value("UID") or f"\n{place}", []).append(event)
    for group in groups.values():
        if any(event.has("RRULE", "RDATE", "RECURRENCE-ID") for event in group):
            yield group
            continue
        newest = max(_sequence(event) for event in group)
        yield from ([event] for event in group if _sequence(event) == newest)


def _sequence(event: Block) -> int:
    told = event.value("SEQUENCE")
    return int(told) if re.fullmatch(r"\d{1,9}", told) else 0


def _ranges(series: Sequence[Block], clocks: Clocks, wanted: Wanted, found: Read) -> list[Range]:
    for event in series:
        clocks.settle(event)
    if not any(event.has("RRULE", "RDATE", "RECURRENCE-ID") for event in series):
        return [one for event in _parsed(series, clocks) for one in _single(event, wanted, found)]
    if any(line.name == "RRULE" and _SECONDLY.search(line.value) for event in series for line in event.lines):
        found.note(_TOO_OFTEN, series[0].title[:LONGEST_TITLE])
        return _first_times(series, clocks, wanted, found)
    for event in series:
        until_told(event, clocks)
    try:
        return _repeated(series, clocks, wanted, found)
    except Exception:
        # a rule that says nothing: its first time is known all the same
        found.note(_RULE, series[0].title[:LONGEST_TITLE])
        return _first_times(series, clocks, wanted, found)


def _first_times(series: Sequence[Block], clocks: Clocks, wanted: Wanted, found: Read) -> list[Range]:
    bare = [event.without("RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID") for event in series]
    return [one for event in _parsed(bare, clocks) for one in _single(event, wanted, found)]


def _repeated(series: Sequence[Block], clocks: Clocks, wanted: Wanted, found: Read) -> list[Range]:
    whole = _whole(series, clocks)
    for event in whole.events:
        _check(event, found)
    query = recurring_ical_events.of(whole)
    events = query.between(wanted.start - _MARGIN, wanted.end + _MARGIN)
    return [one for event in events for one in _single(event, wanted, found, checked=True)]


def _parsed(events: Sequence[Block], clocks: Clocks) -> list[icalendar.Event]:
    if clocks.needed(events):
        found: list[icalendar.Event] = _whole(events, clocks).events
        return found
    return [icalendar.Event.from_ical(str(event)) for event in events]


def _whole(events: Sequence[Block], clocks: Clocks) -> icalendar.Calendar:
    zones = (line for zone in clocks.needed(events) for line in zone)
    text = "\r\n".join(["BEGIN:VCALENDAR", *zones, *map(str, events), "END:VCALENDAR"])
    return icalendar.Calendar.from_ical(text)


def _check(event: icalendar.Event, found: Read) -> None:
    """An end before its beginning says nothing: it is taken as no end. The library would turn the two round."""
    begins, ends = event["DTSTART"].dt, event["DTEND"].dt if "DTEND" in event else None
    if ends is None:
        return
    if isinstance(begins, datetime) != isinstance(ends, datetime):
        del event["DTEND"]
    elif _moment(ends) < _moment(begins):
        found.note(_REVERSED, _title(event))
        del event["DTEND"]


def _single(event: icalendar.Event, wanted: Wanted, found: Read, *, checked: bool = False) -> Iterator[Range]:
    if not checked:
        _check(event, found)
    if not _blocks(event, wanted):
        return
    begins: Any = event["DTSTART"].dt
    if "DTEND" in event:
        ends = event["DTEND"].dt
    elif "DURATION" in event:
        ends = _after(begins, event["DURATION"].dt)
    else:
        ends = begins + timedelta(days=0 if isinstance(begins, datetime) else 1)
    if not isinstance(begins, datetime) and ends == begins:  # as some write a single day
        ends = begins + timedelta(days=1)
    floating = not isinstance(begins, datetime) or begins.tzinfo is None
    start, end = _moment(begins), _moment(ends)
    room = _MARGIN if floating else timedelta(0)
    if start < end and start < wanted.end + room and end > wanted.start - room:
        yield Range(start, end, floating, _title(event), _own(event, wanted.hosts))


def _after(begins: Any, length: timedelta) -> date | datetime:
    """Days are told by the calendar, hours by the clock's hand (RFC 5545, 3.3.6): they pass over a change of clocks."""
    later = begins + timedelta(days=length.days)
    return later if not isinstance(later, datetime) else _moment_of(later) + timedelta(seconds=length.seconds)


def _moment_of(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC)


def _moment(moment: date | datetime) -> datetime:
    if not isinstance(moment, datetime):
        return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _blocks(event: icalendar.Event, wanted: Wanted) -> bool:
    def said(name: str) -> str:
        return str(event.get(name, "")).strip().upper()

    outlook, status = said("X-MICROSOFT-CDO-BUSYSTATUS"), said("STATUS")
    if said("TRANSP") == "TRANSPARENT" or status == "CANCELLED" or outlook == "FREE":
        return False
    answer = _answer(event, wanted.mine)
    if answer == "DECLINED":
        return False
    return wanted.tentative or "TENTATIVE" not in (outlook, status, answer)


def _answer(event: icalendar.Event, mine: frozenset[str]) -> str:
    people: Any = event.get("ATTENDEE", [])
    for person in people if isinstance(people, list) else [people]:
        if str(person).lower().removeprefix("mailto:").strip() in mine:
            return str(person.params.get("PARTSTAT", "")).upper()
    return ""


def _title(event: icalendar.Event) -> str:
    title = "".join(char if char.isprintable() else " " for char in str(event.get("SUMMARY", "")))
    return " ".join(title.split())[:LONGEST_TITLE]


def _own(event: icalendar.Event, hosts: frozenset[str]) -> str:
    local, _, host = str(event.get("UID", "")).strip().rpartition("@")
    return local if host.lower() in hosts else ""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """So long may one series take of the processor. Only a process's first thread can be told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
