"""The calendar tool probes each address and reports errors at their paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workspace.delivery.models import Calendar
from workspace.lib.ics import build_calendar
from workspace.testing.api import Api
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, radicale, serve_answer

pytestmark = pytest.mark.django_db(transaction=True)
EMPTY = build_calendar([])
ANSWERS: dict[str, tuple[str, bytes]] = {
    "/fine.ics": ("200 OK", EMPTY),
    "/page.ics": ("200 OK", b"<!doctype html><title>Sign in</title>"),
    "/other.ics": ("200 OK", b"%PDF-1.7"),
    "/locked.ics": ("401 Who", b""),
    "/gone.ics": ("404 Nothing", b""),
}


def respond(environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    if environ["PATH_INFO"] == "/loop.ics":
        return "302 There", {"Location": "/loop.ics"}, b""
    status, body = ANSWERS.get(environ["PATH_INFO"], ("404 Nothing", b""))
    return status, {}, body


def refused(api: Api, **item: Any) -> tuple[str, str]:
    issue = api.refuse("svc_calendars_save", items=[item])["issues"][0]
    return issue["path"], issue["message"]


def test_an_address_without_a_calendar_is_rejected_with_advice(api: Api, settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    with serve_answer(respond) as server:
        for path, words in (
            ("page.ics", "private address in iCal format"),
            ("other.ics", "doesn’t return a calendar"),
            ("locked.ics", "requires a username"),
            ("gone.ics", "Nothing was found at this address"),
            ("loop.ics", "redirects too many times"),
        ):
            where, message = refused(api, url=f"{server.url}/{path}")
            assert where == "items.0.url" and words in message
        where, message = refused(api, url=server.url, username="a", password="b")
        assert "No calendar server" in message
    assert "Could not connect" in refused(api, url=f"{server.url}/fine.ics")[1]
    assert not Calendar.objects.exists()


def test_private_addresses_are_never_requested_and_passwords_need_https(api: Api, settings: Any) -> None:
    for url in ("http://127.0.0.1/a.ics", "https://10.0.0.1/a.ics", "webcal://[::1]/a.ics", "http://localhost:5232/"):
        assert refused(api, url=url)[0] == "items.0.url"
    settings.CALENDAR_NETWORKS = LOOPBACK
    with serve_answer(lambda environ: ("302 In", {"Location": "http://169.254.169.254/latest"}, b"")) as server:
        assert "public internet" in refused(api, url=f"{server.url}/a.ics")[1]
    settings.CALENDAR_NETWORKS = []
    with serve_answer(respond):
        words = refused(api, url="http://calendar.example.com/", username="a", password="b")[1]
    assert "https://" in words


def test_choices_inside_a_calendar_are_validated(api: Api, stranger: Api, settings: Any, tmp_path: Path) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    with radicale(tmp_path) as server:
        server.create_calendar("a", "Work")
        server.create_calendar("b", "Home")
        there = {"url": server.url, "username": USER, "password": PASSWORD}
        assert refused(api, **{**there, "password": "wrong"})[0] == "items.0.password"
        assert refused(api, **there, read=["Elsewhere"]) == (
            "items.0.read",
            "This connection has no calendar with this name. Use one of these: Home, Work.",
        )
        assert refused(api, **there, read=[])[0] == "items.0.read" and not Calendar.objects.exists()
        told = api.run("svc_calendars_save", items=[{**there, "read": ["Work"], "push_to": "Home", "name": "Mine"}])
        [row] = told["items"]
        assert [one["reads"] for one in row["calendars"]] == [False, True] and row["push_to"].endswith("/olive/b/")
        assert told["change"]["id"] and PASSWORD not in str(told)
        foreign = row["calendar_id"]
        assert (
            "No calendar has this ID"
            in stranger.refuse("svc_calendars_save", items=[{"id": foreign, "name": "X"}])["message"]
        )
        assert "No calendar has this ID" in stranger.refuse("svc_calendars_save", remove=[foreign])["message"]
        assert refused(api, id=row["calendar_id"], url="https://other.example/")[0] == "items.0.password"
        gone = api.run("svc_calendars_save", remove=[row["calendar_id"]])
    assert (gone["items"], gone["removed"]) == ([], 1) and "isn't stored" in gone["change"]["cannot_be_undone"]
    assert api.run("svc_me")["calendar_connected"] is False


def test_a_dry_run_saves_nothing_and_a_private_url_is_never_shown(api: Api, settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    with serve_answer(respond) as server:
        item = {"url": f"{server.url}/fine.ics?token=s3cret"}
        assert api.run("svc_calendars_save", items=[item], dry_run=True)["items"] and not Calendar.objects.exists()
        told = api.run("svc_calendars_save", items=[item])
        assert refused(api, **item, push_to="Calendar")[0] == "items.0.push_to"
    activity = api.run("svc_activity")
    assert "s3cret" not in str(told) + str(activity) + str(Calendar.objects.values().get())
