"""A calendar's password is sent only to the host that its owner entered, not to hosts that the server names."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.delivery.calendars import reader
from workspace.delivery.dav.client import DavSession
from workspace.delivery.models.calendar import CalendarKind, CalendarPart
from workspace.lib import clock
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, Answer, serve_answer

pytestmark = pytest.mark.any_database


def read_calendar(address: str, part: str) -> reader.ReadResult:
    found: CalendarPart = {"url": part, "name": "Work", "reads": True, "writes": False}
    return reader.read_calendar(
        reader.ReadJob(
            kind=CalendarKind.CALDAV,
            url=address,
            credentials=(USER, PASSWORD),
            parts=[found],
            tags={},
            own_addresses=[],
            hosts=[],
            tentative=False,
            is_full_read=True,
            now=clock.now(),
        )
    )


def test_a_part_on_another_host_is_not_requested_and_the_problem_names_the_host(settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK

    def respond(environ: dict[str, Any]) -> Answer:
        return "404 Nothing", {}, b""

    with serve_answer(respond) as server:
        elsewhere = server.url.replace("127.0.0.1", "localhost")
        outcome = read_calendar(f"{server.url}/dav/", f"{elsewhere}/dav/work/")
        assert "redirects to localhost" in outcome.problem
        assert server.asked == []
        read_calendar(f"{server.url}/dav/", f"{server.url}/dav/work/")
        assert [headers["authorization"][:6] for _, _, headers in server.asked] == ["Basic "]


def test_a_session_with_a_password_needs_its_host() -> None:
    with pytest.raises(ValueError, match="Provide credential_host"):
        DavSession((USER, PASSWORD))
