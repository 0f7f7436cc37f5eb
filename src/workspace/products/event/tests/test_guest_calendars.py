"""Calendars of a program for guests, read back by two other libraries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import icalendar
import pytest
import vobject
from django.conf import settings
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.event.models import Event, Session
from workspace.products.event.tests.programs import program, session

pytestmark = pytest.mark.django_db
CHANGED = datetime(2026, 5, 1, 8, 30, tzinfo=UTC)


@pytest.fixture
def event(account: Account) -> Event:
    event = program(account, title="Harbour Days; all, of them", venue="Old Hall")
    session(
        event, "Glass", "09:00", "10:00", room="Hall", speakers=("Zoë",), track="Craft", description="Größe, 1;2\nhot"
    )
    session(event, "Party", "23:00", "01:00")
    session(event, "Open end", "18:00", room="Yard")
    session(event, "Next door", "18:20", "19:00", room="Yard")
    session(event, "Off", "11:00", "12:00", cancelled=True)
    session(event, "Untimed")
    Session.objects.filter(event=event).update(changed_at=CHANGED, sequence=3)
    return event


def entries(content: bytes) -> dict[str, Any]:
    whole = icalendar.Calendar.from_ical(content)
    return {str(item["SUMMARY"]): item for item in whole.walk("VEVENT")}


def test_the_program_is_a_feed(event: Event, guest: Client) -> None:
    response = guest.get(f"/e/{event.slug}.ics")
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = icalendar.Calendar.from_ical(response.content)
    assert calendar["METHOD"] == "PUBLISH"
    assert b"X-WR-CALNAME:Harbour Days\\; all\\, of them\r\n" in response.content
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in response.content
    assert b"X-PUBLISHED-TTL:PT1H\r\n" in response.content
    assert [zone["TZID"] for zone in calendar.walk("VTIMEZONE")] == ["Europe/Paris"]
    result = entries(response.content)
    assert list(result) == ["Glass", "Off", "Open end", "Next door", "Party"]
    glass = result["Glass"]
    assert glass["DTSTART"].dt.isoformat() == "2026-05-15T09:00:00+02:00"
    assert str(glass["LOCATION"]) == "Hall, Old Hall"
    assert str(glass["DESCRIPTION"]) == "Zoë\n\nGröße, 1;2\nhot"
    assert str(glass["URL"]).endswith(f"/e/{event.slug}/s/{event.sessions.get(title='Glass').pk}")
    assert (glass["SEQUENCE"], glass["DTSTAMP"].dt, glass["LAST-MODIFIED"].dt) == (3, CHANGED, CHANGED)
    assert result["Party"]["DTEND"].dt - result["Party"]["DTSTART"].dt == timedelta(hours=2)
    assert result["Open end"]["DTEND"].dt - result["Open end"]["DTSTART"].dt == timedelta(minutes=20), (
        "until the next there"
    )
    assert str(result["Off"]["STATUS"]) == "CANCELLED"
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    by_another = {item.summary.value: item for item in vobject.readOne(response.content.decode()).vevent_list}
    assert by_another["Glass"].dtstart.value.astimezone(UTC) == datetime(2026, 5, 15, 7, tzinfo=UTC)


def test_a_session_is_the_same_event_in_every_calendar(event: Event, guest: Client) -> None:
    glass = event.sessions.get(title="Glass")
    made = guest.post(f"/e/{event.slug}/my", {"sessions": glass.pk}).json()
    whole, own, single = (
        entries(guest.get(f"/e/{event.slug}{path}").content)
        for path in (".ics", f"/my/{made['token']}.ics", f"/s/{glass.pk}.ics")
    )
    assert list(own) == list(single) == ["Glass"]
    assert str(whole["Glass"]["UID"]) == f"{glass.pk}@{urlsplit(settings.BASE_URL).hostname}"
    assert whole["Glass"].to_ical() == own["Glass"].to_ical() == single["Glass"].to_ical()
    assert guest.get(f"/e/{event.slug}/s/{event.sessions.get(title='Untimed').pk}.ics").status_code == 404


def test_a_feed_is_the_same_until_something_changes(event: Event, guest: Client) -> None:
    made = guest.post(f"/e/{event.slug}/my", {"sessions": event.sessions.get(title="Glass").pk}).json()
    for path in (".ics", f"/my/{made['token']}.ics"):
        first = guest.get(f"/e/{event.slug}{path}")
        again = guest.get(f"/e/{event.slug}{path}", headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        later = CHANGED + timedelta(days=1)
        event.sessions.filter(title="Glass").update(sequence=4, changed_at=later)
        event.mark_changed()
        changed = guest.get(f"/e/{event.slug}{path}", headers={"if-none-match": first["ETag"]})
        assert changed.status_code == 200
        assert (entries(changed.content)["Glass"]["SEQUENCE"], entries(changed.content)["Glass"]["DTSTAMP"].dt) == (
            4,
            later,
        )
        event.sessions.filter(title="Glass").update(sequence=3, changed_at=CHANGED)
        event.mark_changed()
