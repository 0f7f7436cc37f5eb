"""Reading calendars in a subprocess, as the calendar worker does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workspace.lib.ics import Event, build_caldav_event
from workspace.lib.ics.subprocess_reader import MODULE, build_request, handle, parse_reply
from workspace.lib.subprocess_worker.pool import SubprocessLimits

pytestmark = pytest.mark.any_database
SPAN = {"start": "2027-01-01T00:00:00+00:00", "end": "2028-01-01T00:00:00+00:00"}
AT = datetime(2027, 6, 1, 10, tzinfo=UTC)
OURS = build_caldav_event(Event("bkg_1@book.example", AT, AT.replace(hour=11), "Zoë <&> 予約", AT))


def test_a_secondly_rule_is_reported_in_a_remark() -> None:
    body = OURS.replace(b"SUMMARY:", b"RRULE:FREQ=SECONDLY\r\nSUMMARY:")
    read = parse_reply(handle(build_request(body, is_caldav=False, hosts=["book.example"], **SPAN)))
    assert len(read.ranges) == 1
    said = "1 event repeats every second, so it blocks only its first time: Zoë <&> 予約"
    assert read.remarks == [said]


def test_a_minutely_rule_takes_limited_time() -> None:
    hostile = OURS.replace(b"SUMMARY:", b"RRULE:FREQ=MINUTELY\r\nSUMMARY:").replace(b"bkg_1@", b"x@")
    body = hostile.replace(b"END:VCALENDAR\r\n", b"") + OURS.partition(b"\r\n")[2]
    read = parse_reply(
        SubprocessLimits(256, 20).run(
            MODULE, build_request(body, is_caldav=False, hosts=["book.example"], seconds=0.5, **SPAN)
        )
    )
    assert read.ranges == [(AT, AT.replace(hour=11), False, "Zoë <&> 予約", "bkg_1")]
    assert read.remarks == ["1 event can’t be read, so it doesn’t block any time: Zoë <&> 予約"]


def test_the_response_of_a_calendar_server_contains_all_its_files() -> None:
    text = OURS.decode().replace("&", "&amp;").replace("<", "&lt;")
    entry = (
        f'<d:response><c:calendar-data xmlns:c="urn:ietf:params:xml:ns:caldav">{text}</c:calendar-data></d:response>'
    )
    whole = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{entry * 2}</d:multistatus>'
    assert len(parse_reply(handle(build_request(whole.encode(), is_caldav=True, **SPAN))).ranges) == 2
    nothing = b'<d:multistatus xmlns:d="DAV:"/>'
    assert parse_reply(handle(build_request(nothing, is_caldav=True, **SPAN))).problem == ""


@pytest.mark.parametrize(
    "body", [b"<html>", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"\xff\xfe<\x00a\x00/\x00>\x00"]
)
def test_an_invalid_response_of_a_calendar_server_is_reported(body: bytes) -> None:
    assert "return a calendar" in parse_reply(handle(build_request(body, is_caldav=True, **SPAN))).problem
