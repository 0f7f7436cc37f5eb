"""Busy times in calendars written by others, as a pure function.

A broken event does not affect the others. It runs in a subprocess (`ics.subprocess_reader`), because its imports are
large and a rule can repeat every second.

The file is split into events by lines. Each series is parsed separately, with only the lines that determine its times
and whether it blocks them.
"""

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

from workspace.lib import error_messages
from workspace.lib.ics.event_splitter import CalendarParts, EventBlock, split_calendar
from workspace.lib.ics.event_time_normalization import ZoneResolver, normalize_until

MAX_EVENTS = 20_000
MAX_RANGES = 50_000
MAX_TITLE_LENGTH = 100
TIMEOUT_SECONDS = 1.0  # CPU seconds for one series
_MARGIN = timedelta(days=2)  # because an event may be in another time zone
_UNREAD = "unread"
_REVERSED = "reversed"
_RULE = "rule"
_MORE = "more"
_TOO_OFTEN = "too_often"
_SECONDLY = re.compile(r"(^|;)\s*FREQ\s*=\s*SECONDLY\b", re.IGNORECASE)


class InvalidCalendarError(Exception):
    """The file is not a valid calendar. The human-readable message explains why."""


class BusyRange(NamedTuple):
    """A busy period.

    `is_floating` means that the times are local and have no time zone. `own_id` is the part of the UID before our host.
    """

    start: datetime
    end: datetime
    is_floating: bool
    title: str
    own_id: str


@dataclass(frozen=True, slots=True)
class BusyQuery:
    """A query for busy times from `start` to `end` (aware).

    `mine` are the owner's email addresses, whose responses to invitations count. `hosts` are our hosts, which identify
    our own UIDs.
    """

    start: datetime
    end: datetime
    tentative: bool = True
    mine: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    seconds: float = TIMEOUT_SECONDS


@dataclass(slots=True)
class BusyResult:
    """The busy times of a calendar.

    `problem_counts` counts problems by kind. `zones` are unknown zone names."""

    name: str = ""
    events: int = 0
    ranges: list[BusyRange] = field(default_factory=list)
    problem_counts: Counter[str] = field(default_factory=Counter)
    titles: dict[str, str] = field(default_factory=dict)
    zones: list[str] = field(default_factory=list)

    def record_problem(self, kind: str, title: str) -> None:
        self.problem_counts[kind] += 1
        self.titles.setdefault(kind, title)


class _SeriesTimeoutError(BaseException):
    """The time for one series is used up. It is a BaseException, so that no library catches it."""


def find_busy_times(texts: Sequence[str], query: BusyQuery) -> BusyResult:
    """Return the busy times, sorted by start, in these files, which form one calendar.

    Raise InvalidCalendarError if they are not a valid calendar.
    """
    found, whole = BusyResult(), CalendarParts()
    for text in texts:
        split_calendar(text, whole)
    if not whole.calendars:
        raise InvalidCalendarError(str(error_messages.NOT_A_CALENDAR))
    if whole.is_open:
        raise InvalidCalendarError(str(error_messages.CALENDAR_INCOMPLETE))
    if len(whole.events) > MAX_EVENTS:
        raise InvalidCalendarError(str(error_messages.CALENDAR_TOO_LARGE(most=f"{MAX_EVENTS:,}")))
    found.name, found.events = whole.name, len(whole.events)
    clocks = ZoneResolver(whole.zones)
    for series in _group_series(whole.events):
        title = series[0].title[:MAX_TITLE_LENGTH]
        try:
            with _limit_time(query.seconds):
                found.ranges += _find_ranges(series, clocks, query, found)
        except (Exception, _SeriesTimeoutError):  # an error in one event does not affect the others
            found.record_problem(_UNREAD, title)
    found.zones = sorted(clocks.unknown)
    found.ranges.sort()
    if len(found.ranges) > MAX_RANGES:
        found.record_problem(_MORE, "")
        del found.ranges[MAX_RANGES:]
    return found


def _group_series(events: Sequence[EventBlock]) -> Iterator[list[EventBlock]]:
    """Group events into series, each with its rule and its exceptions.

    Events that only share a UID are separate series, because some programs give the same UID to all events.
    """
    groups: dict[str, list[EventBlock]] = {}
    for place, event in enumerate(events):
        groups.setdefault(event.get_value("UID") or f"\n{place}", []).append(event)
    for group in groups.values():
        if any(event.has_property("RRULE", "RDATE", "RECURRENCE-ID") for event in group):
            yield group
            continue
        newest = max(_sequence_number(event) for event in group)
        yield from ([event] for event in group if _sequence_number(event) == newest)


def _sequence_number(event: EventBlock) -> int:
    text = event.get_value("SEQUENCE")
    return int(text) if re.fullmatch(r"\d{1,9}", text) else 0


def _find_ranges(
    series: Sequence[EventBlock], clocks: ZoneResolver, query: BusyQuery, result: BusyResult
) -> list[BusyRange]:
    for event in series:
        clocks.resolve_zones(event)
    if not any(event.has_property("RRULE", "RDATE", "RECURRENCE-ID") for event in series):
        return [one for event in _parse_events(series, clocks) for one in _event_ranges(event, query, result)]
    if any(line.name == "RRULE" and _SECONDLY.search(line.value) for event in series for line in event.lines):
        result.record_problem(_TOO_OFTEN, series[0].title[:MAX_TITLE_LENGTH])
        return _find_first_ranges(series, clocks, query, result)
    for event in series:
        normalize_until(event, clocks)
    try:
        return _expand_recurrences(series, clocks, query, result)
    except Exception:
        # for an invalid rule, use its first occurrence
        result.record_problem(_RULE, series[0].title[:MAX_TITLE_LENGTH])
        return _find_first_ranges(series, clocks, query, result)


def _find_first_ranges(
    series: Sequence[EventBlock], clocks: ZoneResolver, query: BusyQuery, result: BusyResult
) -> list[BusyRange]:
    bare = [event.copy_without("RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID") for event in series]
    return [one for event in _parse_events(bare, clocks) for one in _event_ranges(event, query, result)]


def _expand_recurrences(
    series: Sequence[EventBlock], clocks: ZoneResolver, busy_query: BusyQuery, result: BusyResult
) -> list[BusyRange]:
    whole = _build_calendar(series, clocks)
    for event in whole.events:
        _drop_reversed_end(event, result)
    query = recurring_ical_events.of(whole)
    events = query.between(busy_query.start - _MARGIN, busy_query.end + _MARGIN)
    return [one for event in events for one in _event_ranges(event, busy_query, result, checked=True)]


def _parse_events(events: Sequence[EventBlock], clocks: ZoneResolver) -> list[icalendar.Event]:
    if clocks.definitions_for(events):
        found: list[icalendar.Event] = _build_calendar(events, clocks).events
        return found
    return [icalendar.Event.from_ical(str(event)) for event in events]


def _build_calendar(events: Sequence[EventBlock], clocks: ZoneResolver) -> icalendar.Calendar:
    zones = (line for zone in clocks.definitions_for(events) for line in zone)
    text = "\r\n".join(["BEGIN:VCALENDAR", *zones, *map(str, events), "END:VCALENDAR"])
    return icalendar.Calendar.from_ical(text)


def _drop_reversed_end(event: icalendar.Event, result: BusyResult) -> None:
    """Remove an end before the start, which the library would swap with the start."""
    begins, ends = event["DTSTART"].dt, event["DTEND"].dt if "DTEND" in event else None
    if ends is None:
        return
    if isinstance(begins, datetime) != isinstance(ends, datetime):
        del event["DTEND"]
    elif _to_utc(ends) < _to_utc(begins):
        result.record_problem(_REVERSED, _event_title(event))
        del event["DTEND"]


def _event_ranges(
    event: icalendar.Event, query: BusyQuery, result: BusyResult, *, checked: bool = False
) -> Iterator[BusyRange]:
    if not checked:
        _drop_reversed_end(event, result)
    if not _blocks_time(event, query):
        return
    begins: Any = event["DTSTART"].dt
    if "DTEND" in event:
        ends = event["DTEND"].dt
    elif "DURATION" in event:
        ends = _add_duration(begins, event["DURATION"].dt)
    else:
        ends = begins + timedelta(days=0 if isinstance(begins, datetime) else 1)
    if not isinstance(begins, datetime) and ends == begins:  # some programs write a one-day event like this
        ends = begins + timedelta(days=1)
    floating = not isinstance(begins, datetime) or begins.tzinfo is None
    start, end = _to_utc(begins), _to_utc(ends)
    room = _MARGIN if floating else timedelta(0)
    if start < end and start < query.end + room and end > query.start - room:
        yield BusyRange(start, end, floating, _event_title(event), _own_event_id(event, query.hosts))


def _add_duration(begins: Any, length: timedelta) -> date | datetime:
    """Add a duration.

    Days are calendar days, hours are elapsed time across DST changes (RFC 5545, section 3.3.6).
    """
    later = begins + timedelta(days=length.days)
    return later if not isinstance(later, datetime) else _to_utc_if_aware(later) + timedelta(seconds=length.seconds)


def _to_utc_if_aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC)


def _to_utc(moment: date | datetime) -> datetime:
    if not isinstance(moment, datetime):
        return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _blocks_time(event: icalendar.Event, query: BusyQuery) -> bool:
    def read_property(name: str) -> str:
        return str(event.get(name, "")).strip().upper()

    outlook, status = read_property("X-MICROSOFT-CDO-BUSYSTATUS"), read_property("STATUS")
    if read_property("TRANSP") == "TRANSPARENT" or status == "CANCELLED" or outlook == "FREE":
        return False
    answer = _owner_answer(event, query.mine)
    if answer == "DECLINED":
        return False
    return query.tentative or "TENTATIVE" not in (outlook, status, answer)


def _owner_answer(event: icalendar.Event, mine: frozenset[str]) -> str:
    people: Any = event.get("ATTENDEE", [])
    for person in people if isinstance(people, list) else [people]:
        if str(person).lower().removeprefix("mailto:").strip() in mine:
            return str(person.params.get("PARTSTAT", "")).upper()
    return ""


def _event_title(event: icalendar.Event) -> str:
    title = "".join(char if char.isprintable() else " " for char in str(event.get("SUMMARY", "")))
    return " ".join(title.split())[:MAX_TITLE_LENGTH]


def _own_event_id(event: icalendar.Event, hosts: frozenset[str]) -> str:
    local, _, host = str(event.get("UID", "")).strip().rpartition("@")
    return local if host.lower() in hosts else ""


@contextmanager
def _limit_time(seconds: float) -> Iterator[None]:
    """Limit the CPU time of one series. This works only in a process's main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def raise_timeout(*_: object) -> None:
        raise _SeriesTimeoutError

    before = signal.signal(signal.SIGVTALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
