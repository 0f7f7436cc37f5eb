"""Calendars with errors: a broken event does not affect the others, and unclear events block time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from workspace.lib.ics.busy_times import BusyQuery, BusyResult, InvalidCalendarError, find_busy_times

pytestmark = pytest.mark.any_database
START, END = datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC)
FINE = ["UID:fine@x", "DTSTART:20270501T090000Z", "DTEND:20270501T100000Z", "SUMMARY:Fine"]
FINE_READ = "05-01 09:00–10:00"
OWN_ZONE = """BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T000000
TZOFFSETFROM:+0300
TZOFFSETTO:+0300
END:STANDARD
END:VTIMEZONE""".splitlines()


def feed(*events: Sequence[str], head: Sequence[str] = ()) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", *head]
    for event in events:
        lines += ["BEGIN:VEVENT", *event, "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def find_times(*events: Sequence[str], head: Sequence[str] = (), **wanted: Any) -> BusyResult:
    return find_busy_times([feed(*events, head=head)], BusyQuery(START, END, **wanted))


def format_ranges(result: BusyResult) -> list[str]:
    """Format ranges as `05-01 09:00–10:00`, with a tilde if floating, and with the date if it ends on another day."""
    lines = []
    for one in result.ranges:
        last = f"{one.end:%H:%M}" if one.end.date() == one.start.date() else f"{one.end:%m-%d %H:%M}"
        lines.append(f"{'~' if one.is_floating else ''}{one.start:%m-%d %H:%M}–{last}")
    return lines


def timed(*more: str, start: str = "20270601T100000Z", end: str = "20270601T110000Z") -> list[str]:
    return ["UID:a@x", f"DTSTART:{start}", f"DTEND:{end}", "SUMMARY:A", *more]


PLAIN = ["06-01 10:00–11:00"]
CASES: dict[str, tuple[list[str], list[str]]] = {
    "a plain one": (timed(), PLAIN),
    "in a zone": (["DTSTART;TZID=Europe/Paris:20270601T100000", "DURATION:PT90M"], ["06-01 08:00–09:30"]),
    "in a zone of Windows": (
        ["DTSTART;TZID=W. Europe Standard Time:20270601T100000", "DTEND;TZID=W. Europe Standard Time:20270601T110000"],
        ["06-01 08:00–09:00"],
    ),
    "in a zone that Exchange has numbered": (
        ["DTSTART;TZID=GMT Standard Time 1:20270601T100000", "DURATION:PT1H"],
        ["06-01 09:00–10:00"],
    ),
    "in a zone of a library": (
        ["DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20270601T100000", "DURATION:PT1H"],
        ["06-01 08:00–09:00"],
    ),
    "in a zone in quotes": (['DTSTART;TZID="europe/paris":20270601T100000', "DURATION:PT1H"], ["06-01 08:00–09:00"]),
    "in UTC by its name": (["DTSTART;TZID=UTC:20270601T100000", "DURATION:PT1H"], PLAIN),
    "in UTC and a zone": (["DTSTART;TZID=Europe/Paris:20270601T100000Z", "DURATION:PT1H"], PLAIN),
    "without a zone": (["DTSTART:20270601T100000", "DTEND:20270601T110000"], ["~06-01 10:00–11:00"]),
    "a whole day": (["DTSTART;VALUE=DATE:20270601", "DTEND;VALUE=DATE:20270603"], ["~06-01 00:00–06-03 00:00"]),
    "a whole day without an end": (["DTSTART;VALUE=DATE:20270601"], ["~06-01 00:00–06-02 00:00"]),
    "a whole day that ends as it begins": (
        ["DTSTART;VALUE=DATE:20270601", "DTEND;VALUE=DATE:20270601"],
        ["~06-01 00:00–06-02 00:00"],
    ),
    "a time without an end": (["DTSTART:20270601T100000Z"], []),
    "an end before its beginning": (timed(end="20270601T090000Z"), []),
    "transparent": (timed("TRANSP:TRANSPARENT"), []),
    "cancelled": (timed("STATUS:CANCELLED"), []),
    "free in Outlook": (timed("X-MICROSOFT-CDO-BUSYSTATUS:FREE"), []),
    "declined by the owner": (timed("ATTENDEE;CN=Me;PARTSTAT=DECLINED:MAILTO:Me@Example.com"), []),
    "declined by another": (timed("ATTENDEE;PARTSTAT=DECLINED:mailto:you@example.com"), PLAIN),
    "tentative": (timed("STATUS:TENTATIVE"), PLAIN),
    "each week": (
        timed("RRULE:FREQ=WEEKLY;COUNT=3"),
        ["06-01 10:00–11:00", "06-08 10:00–11:00", "06-15 10:00–11:00"],
    ),
    "each day over a change of the clocks": (
        ["DTSTART;TZID=Europe/Paris:20270327T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"],
        ["03-27 09:00–10:00", "03-28 08:00–09:00"],
    ),
    "until a date, which counts": (
        ["DTSTART;TZID=Europe/Paris:20270601T230000", "DURATION:PT30M", "RRULE:FREQ=DAILY;UNTIL=20270602"],
        ["06-01 21:00–21:30", "06-02 21:00–21:30"],
    ),
    "whole days until a time": (
        ["DTSTART;VALUE=DATE:20270601", "RRULE:FREQ=DAILY;UNTIL=20270602T120000Z"],
        ["~06-01 00:00–06-02 00:00", "~06-02 00:00–06-03 00:00"],
    ),
    "without a zone until a time in UTC": (
        ["DTSTART:20270601T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;UNTIL=20270602T120000Z"],
        ["~06-01 10:00–11:00", "~06-02 10:00–11:00"],
    ),
    "for hours over a change of the clocks": (
        ["DTSTART;TZID=Europe/Paris:20270328T003000", "DURATION:PT4H"],
        ["03-27 23:30–03-28 03:30"],
    ),
    "for a day over a change of the clocks": (
        ["DTSTART;TZID=Europe/Paris:20270328T003000", "DURATION:P1D"],
        ["03-27 23:30–03-28 22:30"],
    ),
    "at a time that the clocks skip": (
        ["DTSTART;TZID=Europe/Paris:20270328T023000", "DURATION:PT1H"],
        ["03-28 01:30–02:30"],
    ),
    "but for one by its day": (
        timed("RRULE:FREQ=DAILY;COUNT=2", "EXDATE;VALUE=DATE:20270602"),
        PLAIN,
    ),
    "but for one": (
        timed("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20270602T100000Z"),
        ["06-01 10:00–11:00", "06-03 10:00–11:00"],
    ),
    "and one more": (timed("RDATE:20270701T100000Z"), ["06-01 10:00–11:00", "07-01 10:00–11:00"]),
    "by a rule that says nothing": (timed("RRULE:FREQ=SOMETIMES"), PLAIN),
    "by a rule since long ago": (
        ["DTSTART:20010601T100000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY"],
        PLAIN,
    ),
    "in a zone that only it knows": (
        ["DTSTART;TZID=Customized Time Zone:20270601T100000", "DURATION:PT1H"],
        ["06-01 07:00–08:00"],
    ),
    "in a zone that nobody knows": (
        ["DTSTART;TZID=Moon/Crater:20270601T100000", "DURATION:PT1H"],
        ["~06-01 10:00–11:00"],
    ),
    "before what is asked for": (timed(start="20260601T100000Z", end="20260601T110000Z"), []),
    "since before": (timed(start="20261231T230000Z", end="20270101T010000Z"), ["12-31 23:00–01-01 01:00"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_event_blocks_its_time(name: str) -> None:
    event, expected = CASES[name]
    whole = find_times(event, FINE, head=OWN_ZONE, mine=frozenset({"me@example.com"}))
    assert sorted(format_ranges(whole)) == sorted([*expected, FINE_READ])


@pytest.mark.parametrize("line", ["STATUS:TENTATIVE", "X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE"])
def test_tentative_events_do_not_block_if_the_owner_chose_so(line: str) -> None:
    assert format_ranges(find_times(timed(line), FINE, tentative=False)) == [FINE_READ]


BROKEN = {
    "no start": ["UID:b@x", "SUMMARY:B"],
    "no time": ["UID:b@x", "DTSTART:sometime", "SUMMARY:B"],
    "a year beyond": ["UID:b@x", "DTSTART:99990101T000000Z", "DURATION:P9999999D", "SUMMARY:B"],
    "a day of no month": ["UID:b@x", "DTSTART:20270231T100000Z", "SUMMARY:B"],
    "each minute": ["UID:b@x", "DTSTART:19700101T000000Z", "DURATION:PT1S", "RRULE:FREQ=MINUTELY", "SUMMARY:B"],
    "never": ["UID:b@x", "DTSTART:20270101T000000Z", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "SUMMARY:B"],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_event_does_not_affect_others(name: str) -> None:
    whole = find_times(BROKEN[name], FINE, seconds=0.4)
    assert format_ranges(whole) == [FINE_READ]
    assert (dict(whole.problem_counts), whole.titles) == ({"unread": 1}, {"unread": "B"})


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY", "INTERVAL=5;freq=secondly", "FREQ=SECONDLY;COUNT=3"])
def test_a_secondly_rule_is_unsupported_and_only_its_first_time_blocks(rule: str) -> None:
    whole = find_times(["UID:b@x", "DTSTART:20270601T100000Z", "DURATION:PT1H", f"RRULE:{rule}", "SUMMARY:B"], FINE)
    assert sorted(format_ranges(whole)) == sorted([*PLAIN, FINE_READ])
    assert (dict(whole.problem_counts), whole.titles) == ({"too_often": 1}, {"too_often": "B"})


def test_problems_are_reported() -> None:
    backwards = timed(end="20270601T090000Z")
    unknown = ["UID:z@x", "DTSTART;TZID=Moon/Crater:20270601T100000", "DURATION:PT1H"]
    whole = find_times(backwards, timed("RRULE:FREQ=SOMETIMES")[1:], unknown)
    assert dict(whole.problem_counts) == {"reversed": 1, "rule": 1} and whole.zones == ["Moon/Crater"]


def test_exceptions_of_a_series_replace_their_occurrences() -> None:
    series = timed("RRULE:FREQ=WEEKLY;COUNT=4", start="20270601T100000Z", end="20270601T110000Z")
    moved = ["UID:a@x", "RECURRENCE-ID:20270608T100000Z", "DTSTART:20270609T150000Z", "DTEND:20270609T160000Z"]
    gone = ["UID:a@x", "RECURRENCE-ID:20270615T100000Z", "DTSTART:20270615T100000Z", "STATUS:CANCELLED"]
    alone = ["UID:other@x", "RECURRENCE-ID:20270701T100000Z", "DTSTART:20270701T100000Z", "DURATION:PT1H"]
    assert format_ranges(find_times(moved, series, gone, alone)) == [
        "06-01 10:00–11:00",
        "06-09 15:00–16:00",
        "06-22 10:00–11:00",
        "07-01 10:00–11:00",
    ]


def test_events_with_the_same_or_no_uid_are_all_read() -> None:
    second = timed(start="20270701T100000Z", end="20270701T110000Z")
    assert len(find_times(timed(), second, timed()[1:], second[1:]).ranges) == 4
    assert format_ranges(find_times(timed("SEQUENCE:1"), [*second, "SEQUENCE:2"])) == ["07-01 10:00–11:00"]


def test_own_events_are_identified() -> None:
    ours = ["UID:bkg_1@Book.Example", *timed()[1:]]
    [one] = find_times(ours, hosts=frozenset({"book.example"})).ranges
    assert one.own_id == "bkg_1" and find_times(ours).ranges[0].own_id == ""


def test_titles_are_cleaned_and_shortened_and_alarms_and_folded_lines_are_parsed() -> None:
    alarm = ["BEGIN:VALARM", "TRIGGER:nonsense", "DTSTART:20280101T100000Z", "END:VALARM"]
    event = [
        *timed()[:3],
        "SUMMARY;LANGUAGE=de:Über\\, al",
        " les\\nund\x00 \u202emehr",
        *alarm,
        "X-BROKEN",
        "DESCRIPTION:" + "x" * 9,
    ]
    assert find_times(event).ranges[0].title == "Über, alles und mehr"
    assert len(find_times([*timed()[:3], "SUMMARY:" + "x" * 500]).ranges[0].title) == 100


def test_any_line_ending_and_a_byte_order_mark_are_accepted() -> None:
    text = feed(timed(), head=["X-WR-CALNAME:Work\\, mine"])
    for ending in ("\n", "\r"):
        whole = find_busy_times(["\ufeff" + text.replace("\r\n", ending)], BusyQuery(START, END))
        assert format_ranges(whole) == PLAIN and whole.name == "Work, mine"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "URL doesn't return a calendar"),
        ("<!doctype html><title>Sign in</title>", "URL doesn't return a calendar"),
        (feed(FINE).removesuffix("END:VCALENDAR\r\n"), "is incomplete"),
        (feed(*[["UID:x"]] * 20_001), "more than 20,000 events"),
    ],
)
def test_an_incomplete_calendar_is_rejected(text: str, words: str) -> None:
    with pytest.raises(InvalidCalendarError, match=words):
        find_busy_times([text], BusyQuery(START, END))
