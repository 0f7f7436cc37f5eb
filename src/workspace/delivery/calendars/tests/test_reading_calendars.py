"""Connected calendars are read by the worker: from a published file and from a real CalDAV server."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from workspace.accounts.models import Account
from workspace.delivery import mail
from workspace.delivery.calendars import EventSource, event_sources, list_busy_periods, register_source
from workspace.delivery.calendars.worker import LEASE, CalendarWorker
from workspace.delivery.models import Calendar, Delivery
from workspace.delivery.outbox.worker_thread import claim_due
from workspace.lib import clock
from workspace.lib.ics import Event, build_caldav_event, build_calendar
from workspace.storage import encryption, encryption_keys
from workspace.testing.api import Api
from workspace.testing.dav_server import PASSWORD, USER, Answer, Radicale, serve_answer

pytestmark = pytest.mark.django_db(transaction=True)
PARIS = ZoneInfo("Europe/Paris")


def monday() -> datetime:
    """Return ten o'clock on a day that is never before the period that is read."""
    return (clock.now() + timedelta(days=9)).astimezone(PARIS).replace(hour=10, minute=0, second=0, microsecond=0)


def event(uid: str, days: int = 0, title: str = "Lunch") -> Event:
    start = monday() + timedelta(days=days)
    return Event(uid, start, start + timedelta(hours=1), title, monday())


class Feed:
    """A published calendar. It responds with `status` and `body`, or with 304 if the ETag is known."""

    def __init__(self, *events: Event) -> None:
        self.status, self.tag, self.asked = "200 OK", "1", 0
        self.body = build_calendar(events, name="Olive’s days")

    def __call__(self, environ: dict[str, Any]) -> Answer:
        self.asked += 1
        if environ.get("HTTP_IF_NONE_MATCH") == f'"{self.tag}"' and self.status == "200 OK":
            return "304 Not Modified", {}, b""
        return self.status, {"ETag": f'"{self.tag}"', "Content-Type": "text/calendar"}, self.body


def connect(api: Api, url: str, **fields: Any) -> Calendar:
    row = api.run("svc_calendars_save", items=[{"url": url, **fields}])["items"][-1]
    return Calendar.objects.get(pk=row["calendar_id"])


def titles(account: Account) -> list[str]:
    return [
        one.title
        for one in list_busy_periods(account, monday() - timedelta(days=5), monday() + timedelta(days=60), zone=PARIS)
    ]


def make_due() -> None:
    Calendar.objects.update(next_at=clock.now())
    CalendarWorker().run_once()


def subjects() -> list[str]:
    return [
        mail.parse_message(one)["Subject"].strip() for one in Delivery.objects.filter(kind=mail.KIND).order_by("id")
    ]


def test_a_published_calendar_blocks_until_it_changes_and_is_requested_with_its_etag(api: Api) -> None:
    feed = Feed(event("a@x"), event("b@x", 1, "Dentist"))
    with serve_answer(feed) as server:
        one = connect(api, f"{server.url}/private-1234/basic.ics")
        assert (one.kind, one.name, one.health) == ("ics", "Olive’s days", "new")
        assert not {"private-1234"} & set(str(vars(one)).split("/"))
        CalendarWorker().run_once()
        assert titles(api.account) == ["Lunch", "Dentist"] and feed.asked == 2
        make_due()
        assert feed.asked == 3  # and gets 304
        feed.body, feed.tag = build_calendar([event("b@x", 1, "Dentist"), event("c@x", 2, "Market")]), "2"
        make_due()
        assert titles(api.account) == ["Dentist", "Market"]
        CalendarWorker().run_once()
        assert feed.asked == 4  # it is not due
    one.refresh_from_db()
    assert one.health == "good" and one.next_at - clock.now() > timedelta(minutes=8)
    assert api.run("svc_me")["calendar_connected"] is True


@pytest.mark.parametrize("breaks", ["500 Oh", "404 Gone", "login page"])
def test_the_last_copy_is_used_while_reading_fails_and_the_owner_is_notified_once(
    api: Api, breaks: str, time_machine: Any
) -> None:
    feed = Feed(event("a@x"))
    with serve_answer(feed) as server:
        one = connect(api, f"{server.url}/basic.ics")
        CalendarWorker().run_once()
        good = feed.body
        feed.status, feed.body, feed.tag = ("200 OK" if breaks == "login page" else breaks), b"<html>Sign in", "2"
        for _ in range(4):
            make_due()
            time_machine.move_to(clock.now() + timedelta(minutes=25))
        one.refresh_from_db()
        assert one.health == "broken" and one.problem and one.failing_since is not None
        assert titles(api.account) == ["Lunch"]
        feed.status, feed.body, feed.tag = "200 OK", good, "3"
        make_due()
        make_due()
    one.refresh_from_db()
    assert (one.health, one.problem, one.failing_since) == ("good", "", None)
    assert subjects() == [
        "We can’t read your calendar “Olive’s days”",
        "We can read your calendar “Olive’s days” again",
    ]


def test_a_short_outage_of_the_server_sends_no_notification(api: Api) -> None:
    feed = Feed(event("a@x"))
    with serve_answer(feed) as server:
        connect(api, f"{server.url}/basic.ics")
        feed.status = "503 Restarting"
        CalendarWorker().run_once()
    assert (
        Calendar.objects.get().problem == "The server has a problem (503). We’ll try again later." and subjects() == []
    )


def test_own_bookings_do_not_block_themselves_but_those_of_other_accounts_do(
    api: Api, settings: Any, monkeypatch: Any
) -> None:
    settings.BASE_URL = "https://book.example"
    monkeypatch.setattr(event_sources, "_sources", {})
    register_source(
        EventSource(
            "tests",
            find_own_ids=lambda account, ids: [id for id in ids if id == "bkg_mine"],
            list_upcoming=lambda account: [],
        )
    )
    feed = Feed(
        event("bkg_mine@book.example"),
        event("bkg_other@book.example", 1, "With another"),
        event("bkg_mine@elsewhere.example", 2, "Elsewhere"),
    )
    with serve_answer(feed) as server:
        connect(api, f"{server.url}/basic.ics")
        CalendarWorker().run_once()
    assert titles(api.account) == ["With another", "Elsewhere"]


def test_changing_selected_parts_reads_everything_again_and_so_does_undo(api: Api) -> None:
    feed = Feed(event("a@x"))
    feed.body = feed.body.replace(b"STATUS:CONFIRMED", b"STATUS:TENTATIVE")
    with serve_answer(feed) as server:
        one = connect(api, f"{server.url}/basic.ics")
        CalendarWorker().run_once()
        assert titles(api.account) == ["Lunch"]
        change = api.run("svc_calendars_save", items=[{"id": one.pk, "block_tentative": False}])["change"]
        CalendarWorker().run_once()
        assert titles(api.account) == []
        api.run("svc_undo", change_id=change["id"])
        CalendarWorker().run_once()
        assert titles(api.account) == ["Lunch"]


def test_a_calendar_server_is_read_only_in_the_selected_calendars(api: Api, server: Radicale) -> None:
    server.create_calendar("work", "Work & play")
    server.create_calendar("family", "Family")
    server.create_calendar("tasks", "Tasks", "VTODO")
    server.send("PUT", f"/{USER}/work/1.ics", build_caldav_event(event("1@x", title="Zoë’s <lunch>")))
    server.send("PUT", f"/{USER}/family/2.ics", build_caldav_event(event("2@x", 1, "School")))
    one = connect(api, server.url, username=USER, password=PASSWORD)
    assert [(part["name"], part["reads"], part["writes"]) for part in one.parts] == [
        ("Family", True, True),
        ("Work & play", True, True),
    ]
    CalendarWorker().run_once()
    assert titles(api.account) == ["Zoë’s <lunch>", "School"]
    server.methods()
    make_due()
    assert server.methods() == ["PROPFIND", "PROPFIND"]  # nothing has changed, so nothing is fetched
    api.run("svc_calendars_save", items=[{"id": one.pk, "read": ["Work & play"]}])
    assert titles(api.account) == ["Zoë’s <lunch>"]
    server.send("DELETE", f"/{USER}/work/1.ics")
    CalendarWorker().run_once()
    assert titles(api.account) == []
    one.refresh_from_db()
    assert one.health == "good" and one.password and PASSWORD not in str(vars(one))


def test_two_workers_read_a_calendar_only_once(api: Api) -> None:
    feed = Feed(event("a@x"))
    with serve_answer(feed) as server:
        connect(api, f"{server.url}/basic.ics")
        first = claim_due(Calendar.objects.all(), 4, LEASE)
        second = claim_due(Calendar.objects.all(), 4, LEASE)
        assert len(first) == 1 and second == []


def test_secrets_follow_new_keys_and_a_lost_key_is_reported(api: Api, settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    old, new = encryption_keys.generate_key(), encryption_keys.generate_key()
    settings.ENCRYPTION_KEYS = old
    with serve_answer(Feed(event("a@x"))) as server:
        one = connect(api, f"{server.url}/basic.ics", username="olive", password="right", kind="ics")
        settings.ENCRYPTION_KEYS = f"{new}, {old}"
        assert encryption.reencrypt_all() == 2
        settings.ENCRYPTION_KEYS = new
        CalendarWorker().run_once()
        assert titles(api.account) == ["Lunch"]
        assert Calendar.objects.get(pk=one.pk).credentials() == ("olive", "right")
    settings.ENCRYPTION_KEYS = encryption_keys.generate_key()
    make_due()
    assert "Enter it again" in Calendar.objects.get(pk=one.pk).problem and titles(api.account) == ["Lunch"]
