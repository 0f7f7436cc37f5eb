"""Written calendars are read back by two independent parsers: icalendar and vobject."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import icalendar
import pytest
import vobject
from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.lib.ics import (
    Alarm,
    CalendarUser,
    Event,
    build_caldav_event,
    build_calendar,
    build_invitation,
    event_uid,
)
from workspace.lib.ics.vtimezone import _find_changes, build_vtimezone

pytestmark = pytest.mark.any_database
PARIS, NEW_YORK = ZoneInfo("Europe/Paris"), ZoneInfo("America/New_York")
CHANGED = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
EVENT = Event(
    uid=event_uid("bkg_1", "book.example"),
    start=datetime(2027, 7, 5, 10, 0, tzinfo=PARIS),
    end=datetime(2027, 7, 5, 10, 30, tzinfo=PARIS),
    title="Haircut; wash, and more\\n",
    changed_at=CHANGED,
    sequence=2,
    description="Bring:\n- nothing\n- else 💈",
    location="12, Rue de l’Église — Zürich",
    url="https://book.example/b/x,y",
    organizer=CalendarUser("salon@book.example", 'Salon "Ça va": Müller, Söhne'),
    attendees=[CalendarUser("guest@example.com", "آنا")],
    alarms=[Alarm(timedelta(days=1, minutes=90)), Alarm(timedelta(hours=2), "Soon")],
)
words = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff"), max_size=120)
zones = st.sampled_from(sorted(available_timezones()))


def parse_calendar(content: bytes) -> tuple[icalendar.Calendar, Any]:
    assert all(len(line) <= 75 for line in content.split(b"\r\n")) and content.endswith(b"END:VCALENDAR\r\n")
    return icalendar.Calendar.from_ical(content), vobject.readOne(content.decode())


def test_an_invitation_contains_everything_that_email_clients_need() -> None:
    whole, other = parse_calendar(build_invitation(EVENT))
    [event] = whole.events
    assert whole["METHOD"] == "REQUEST" and other.method.value == "REQUEST"
    assert event["UID"] == "bkg_1@book.example" and event["SEQUENCE"] == 2
    assert event["DTSTAMP"].dt == CHANGED and event["LAST-MODIFIED"].dt == CHANGED
    assert event["DTSTART"].params["TZID"] == "Europe/Paris" and event.start == EVENT.start and event.end == EVENT.end
    assert other.vevent.dtstart.value.astimezone(UTC) == EVENT.start.astimezone(UTC)
    assert event["SUMMARY"] == other.vevent.summary.value == "Haircut; wash, and more\\n"
    assert event["DESCRIPTION"] == other.vevent.description.value == EVENT.description
    assert event["LOCATION"] == EVENT.location and event["STATUS"] == "CONFIRMED" and event["TRANSP"] == "OPAQUE"
    assert event["ORGANIZER"] == "mailto:salon@book.example"
    assert event["ORGANIZER"].params["CN"] == "Salon 'Ça va': Müller, Söhne"
    assert event["ATTENDEE"] == "mailto:guest@example.com" and event["ATTENDEE"].params["CN"] == "آنا"
    assert [alarm.TRIGGER for alarm in event.alarms.times and event.walk("VALARM")] == [
        -timedelta(days=1, minutes=90),
        -timedelta(hours=2),
    ]


def test_a_cancellation_has_its_method_and_status() -> None:
    whole, _ = parse_calendar(build_invitation(replace(EVENT, sequence=3), cancelled=True))
    [event] = whole.events
    assert (whole["METHOD"], event["STATUS"], event["SEQUENCE"], event["TRANSP"]) == (
        "CANCEL",
        "CANCELLED",
        3,
        "TRANSPARENT",
    )
    assert event["UID"] == "bkg_1@book.example" and not event.walk("VALARM")


def test_an_invitation_without_people_is_rejected() -> None:
    for lacking in ({"organizer": None}, {"attendees": ()}):
        with pytest.raises(ValueError, match="organizer"):
            build_invitation(replace(EVENT, **lacking))


def test_a_caldav_event_has_neither_method_nor_people() -> None:
    whole, _ = parse_calendar(build_caldav_event(EVENT))
    assert "METHOD" not in whole and not {"ORGANIZER", "ATTENDEE"} & set(whole.events[0])


def test_a_feed_of_many_events_has_the_same_bytes_each_time() -> None:
    days = Event("d@x", date(2027, 5, 1), date(2027, 5, 3), "Fair", CHANGED, busy=False, categories=["A, B", "C"])
    late = Event("n@x", datetime(2027, 1, 5, 20, 0, tzinfo=NEW_YORK), None, "No end", CHANGED)
    content = build_calendar([EVENT, days, late], name="Fair, 2027")
    whole, other = parse_calendar(content)
    assert content == build_calendar([EVENT, days, late], name="Fair, 2027")
    assert (whole["METHOD"], whole["X-WR-CALNAME"], whole["NAME"]) == ("PUBLISH", "Fair\\, 2027", "Fair\\, 2027")
    assert whole["REFRESH-INTERVAL"].dt == timedelta(hours=1) and whole["X-PUBLISHED-TTL"] == "PT1H"
    assert [zone["TZID"] for zone in whole.timezones] == ["America/New_York", "Europe/Paris"]
    assert (whole.events[1].start, whole.events[1].end) == (date(2027, 5, 1), date(2027, 5, 3))
    assert whole.events[1]["TRANSP"] == "TRANSPARENT" and "DTEND" not in whole.events[2]
    assert len(other.vevent_list) == 3


def test_a_repeated_or_skipped_local_time_is_written_in_utc() -> None:
    twice = datetime(2027, 10, 31, 2, 30, tzinfo=PARIS, fold=1)
    never = datetime(2027, 3, 28, 2, 30, tzinfo=PARIS)
    lines = build_calendar([replace(EVENT, start=never, end=twice)]).decode().split("\r\n")
    assert "DTSTART:20270328T013000Z" in lines and "DTEND:20271031T013000Z" in lines
    assert (
        "DTSTART;TZID=Europe/Paris:20271031T023000"
        in build_calendar([replace(EVENT, start=twice.replace(fold=0))]).decode()
    )


def test_a_zone_with_yearly_rules_has_two_rules_and_one_without_changes_one_line() -> None:
    paris = "\r\n".join(build_vtimezone("Europe/Paris", 2027, 2027))
    assert len(paris) < 420 and paris.count("RRULE") == 2
    assert "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU" in paris and "DTSTART:20260329T020000" in paris
    assert len(build_vtimezone("Asia/Kolkata", 2027, 2027)) == 9


def test_each_zone_has_correct_offsets_for_other_parsers() -> None:
    """Check one zone of each group of zones with the same definition."""
    seen = {}
    for key in sorted(available_timezones()):
        told = build_vtimezone(key, 2027, 2027)
        seen.setdefault(tuple(line for line in told if not line.startswith(("TZID", "TZNAME"))), key)
    assert len(seen) > 40
    for lines, key in seen.items():
        text = "\r\n".join((lines[0], f"TZID:Other {key}", *lines[1:], ""))
        others = icalendar.Timezone.from_ical(text).to_tz(lookup_tzid=False)
        clocks = [datetime(2027, 1, 1, 3, 30) + timedelta(days=17 * step) for step in range(22)]
        for change in _find_changes(ZoneInfo(key), 2027, 2027):
            local = change.astimezone(ZoneInfo(key)).replace(tzinfo=None)
            clocks += [local - timedelta(hours=3), local + timedelta(hours=2)]
        for clock in clocks:
            ours = clock.replace(tzinfo=ZoneInfo(key)).utcoffset()
            assert clock.replace(tzinfo=others).utcoffset() == ours, (key, clock)


@settings(max_examples=60, deadline=None, database=None)
@given(st.tuples(words, words, words, words), st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1)), zones)
def test_written_text_is_read_back(texts: tuple[str, str, str, str], start: datetime, key: str) -> None:
    title, about, place, name = texts
    begins = start.replace(microsecond=0, tzinfo=ZoneInfo(key))
    ends = (begins.astimezone(UTC) + timedelta(minutes=50)).astimezone(ZoneInfo(key))
    people: Any = {"organizer": CalendarUser("o@example.com", name), "attendees": [CalendarUser("a@example.com", name)]}
    made = replace(EVENT, title=title, description=about, location=place, start=begins, end=ends, **people)
    whole, other = parse_calendar(build_invitation(made))
    [event] = whole.events
    assert event["SUMMARY"] == title and event.get("DESCRIPTION", "") == about and event.get("LOCATION", "") == place
    assert other.vevent.summary.value == title
    assert event.start.astimezone(UTC) == begins.astimezone(UTC) and event.end.astimezone(UTC) == ends.astimezone(UTC)
