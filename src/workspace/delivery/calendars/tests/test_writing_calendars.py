"""Bookings in the owner's calendar on a real CalDAV server: written, moved, removed and retried."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest

from workspace.accounts.models import Account
from workspace.delivery.calendars import EventSource, UpcomingEvent, caldav, event_sources, push_event, register_source
from workspace.delivery.calendars.worker import CalendarWorker
from workspace.delivery.dav.client import DavSession
from workspace.delivery.models import Calendar, EventCopy
from workspace.lib import clock
from workspace.lib.ics import CalendarUser, Event
from workspace.storage.database.transactions import dry_run_transaction, write_transaction
from workspace.testing.api import Api
from workspace.testing.dav_server import PASSWORD, USER, Radicale, serve_answer

pytestmark = pytest.mark.django_db(transaction=True)
AT = datetime(2027, 6, 1, 10, tzinfo=UTC)
EVENT = Event("bkg_1@x", AT, AT + timedelta(hours=1), "Haircut: Zoë", AT, organizer=CalendarUser("a@x.example"))


def there(server: Radicale, path: str = "work/bkg_1.ics") -> Any:
    """Return the event as another client of the owner finds it, or None."""
    status, body = server.send("GET", f"/{USER}/{path}")
    return icalendar.Calendar.from_ical(body).events[0] if status == 200 else None


def book(account: Account, event: Event | None, subject: str = "bkg_1", **more: Any) -> int:
    with write_transaction():
        return push_event(account, subject, event, **more)


def moved(hours: int) -> Event:
    start = AT + timedelta(hours=hours)
    return Event("bkg_1@x", start, start + timedelta(hours=1), "Haircut: Zoë", AT, sequence=hours)


def state() -> tuple[str, int, str]:
    row = EventCopy.objects.get()
    return row.state, row.attempts, row.body


@pytest.fixture
def mine(api: Api, server: Radicale) -> Calendar:
    server.create_calendar("work", "Work")
    items = [{"url": server.url, "username": USER, "password": PASSWORD, "push_to": "Work"}]
    api.run("svc_calendars_save", items=items)
    server.methods()
    return Calendar.objects.get()


def test_a_booking_is_written_moved_and_removed(account: Account, server: Radicale, mine: Calendar) -> None:
    lane = CalendarWorker()
    assert book(account, EVENT) == 1
    lane.run_once()
    found = there(server)
    assert (found["UID"], found["SUMMARY"], found.start) == ("bkg_1@x", "Haircut: Zoë", AT) and "ORGANIZER" not in found
    assert state() == ("there", 0, "")  # the guest's data is not stored
    book(account, moved(1))
    book(account, moved(2))
    lane.run_once()
    assert there(server).start == AT + timedelta(hours=2)
    assert book(account, None) == 1 and book(account, None) == 0
    lane.run_once()
    assert there(server) is None and state()[0] == "gone"


def test_an_event_changed_or_deleted_by_the_owner_is_restored_to_the_booking(
    account: Account, server: Radicale, mine: Calendar
) -> None:
    lane = CalendarWorker()
    book(account, EVENT)
    lane.run_once()
    changed = server.send("GET", f"/{USER}/work/bkg_1.ics")[1].replace(b"Haircut", b"Haircutt")
    server.send("PUT", f"/{USER}/work/bkg_1.ics", changed)
    book(account, moved(1))
    lane.run_once()
    assert (there(server)["SUMMARY"], there(server).start) == ("Haircut: Zoë", AT + timedelta(hours=1))
    server.send("DELETE", f"/{USER}/work/bkg_1.ics")
    book(account, moved(2))
    lane.run_once()
    assert there(server).start == AT + timedelta(hours=2)
    server.send("DELETE", f"/{USER}/work/bkg_1.ics")
    book(account, None)
    lane.run_once()
    assert state()[0] == "gone"


def test_a_failing_server_is_retried_and_gets_the_latest_version(
    account: Account, server: Radicale, mine: Calendar, time_machine: Any
) -> None:
    server.answer = lambda environ: ("503 Not now", {}, b"") if environ["REQUEST_METHOD"] == "PUT" else None
    book(account, EVENT)
    CalendarWorker().run_once()
    assert state()[:2] == ("waiting", 1)
    server.methods()
    CalendarWorker().run_once()
    assert "PUT" not in server.methods()
    server.answer = lambda environ: None
    book(account, moved(3))
    CalendarWorker().run_once()
    assert there(server).start == AT + timedelta(hours=3) and state() == ("there", 0, "")


def test_an_event_that_never_arrives_fails_and_is_reported(
    account: Account, api: Api, server: Radicale, mine: Calendar
) -> None:
    server.answer = lambda environ: ("507 Full", {}, b"") if environ["REQUEST_METHOD"] == "PUT" else None
    book(account, EVENT)
    for _ in range(30):
        EventCopy.objects.update(next_at=clock.now())
        CalendarWorker().run_once()
    [row] = api.run("svc_calendars_save")["items"]
    assert (row["not_written"], row["to_write"], row["why_not_written"]) == (
        1,
        0,
        "The server has a problem (507). We’ll try again later.",
    )
    assert state()[2] == ""


def test_upcoming_events_are_written_to_a_calendar_selected_later(
    account: Account, api: Api, server: Radicale, mine: Calendar, monkeypatch: Any
) -> None:
    monkeypatch.setattr(event_sources, "_sources", {})
    register_source(
        EventSource(
            "tests", find_own_ids=lambda account, ids: [], list_upcoming=lambda account: [UpcomingEvent("bkg_1", EVENT)]
        )
    )
    api.run("svc_calendars_save", items=[{"id": mine.pk, "push_to": ""}])
    assert book(account, EVENT) == 0
    api.run("svc_calendars_save", items=[{"id": mine.pk, "push_to": "Work"}])
    CalendarWorker().run_once()
    assert there(server) is not None


def test_a_weak_etag_is_not_sent_because_it_never_matches() -> None:
    with serve_answer(lambda environ: ("204 Done", {"ETag": 'W/"2"'}, b"")) as server:
        assert caldav.put(DavSession(), f"{server.url}/1.ics", b"x", 'W/"1"') == 'W/"2"'
    assert "if-match" not in server.asked[0][2]


def test_only_calendars_of_the_page_are_written_and_nothing_in_a_dry_run(account: Account, mine: Calendar) -> None:
    Calendar.objects.update(pages=" bpg_1 ")
    assert book(account, EVENT, page_id="bpg_2") == 0 and book(account, EVENT, subject="bkg_2", page_id="bpg_1") == 1
    EventCopy.objects.all().delete()
    with dry_run_transaction():
        push_event(account, "bkg_3", EVENT, page_id="bpg_1")
    assert not EventCopy.objects.exists()
