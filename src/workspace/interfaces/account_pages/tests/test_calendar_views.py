from __future__ import annotations

from pathlib import Path
from typing import Any

from django.test import Client

from workspace.delivery.calendars.worker import CalendarWorker
from workspace.delivery.models import Calendar
from workspace.testing.dav_server import LOOPBACK, PASSWORD, USER, radicale

PAGE = "/app/account/calendars"


def main(browser: Client, path: str = "") -> str:
    return browser.get(PAGE + path).content.decode().split("<main")[1]


def test_a_calendar_is_connected_configured_read_and_disconnected(
    browser: Client, settings: Any, tmp_path: Path
) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK
    assert "Connect a calendar" in main(browser)
    steps = main(browser, "?with=icloud")
    assert 'value="https://caldav.icloud.com/"' in steps and "app-specific password" in steps
    google = main(browser, "?with=google")
    assert "Secret address in iCal format" in google and "App password" not in google
    with radicale(tmp_path) as server:
        server.create_calendar("a", "Work")
        server.create_calendar("b", "Home <3")
        there = {"url": server.url, "username": USER, "password": "wrong-horse"}
        wrong = browser.post(PAGE, there)
        assert wrong.status_code == 422
        assert "username or password is wrong" in wrong.content.decode() and "wrong-horse" not in wrong.content.decode()
        answer = browser.post(PAGE, {**there, "password": PASSWORD})
        one = Calendar.objects.get()
        assert answer.status_code == 302 and answer["Location"] == f"{PAGE}/{one.pk}"
        page = main(browser, f"/{one.pk}")
        assert "Syncing" in page and "hx-get" in page and "Home &lt;3" in page and PASSWORD not in page
        CalendarWorker().run_once()
        page = main(browser, f"/{one.pk}/state".replace("/state", ""))
        assert "Connected" in page and "0 busy times" in page
        assert "hx-get" not in browser.get(f"{PAGE}/{one.pk}/state").content.decode()
        [work] = [part["url"] for part in one.parts if part["name"] == "Work"]
        chosen = {"name": "Mine", "_has": ["read", "block_tentative", "my_addresses"], "read": work, "push_to": work}
        saved = browser.post(f"{PAGE}/{one.pk}", {**chosen, "my_addresses": ["me@example.com", ""]})
        assert saved.status_code in (302, 303), saved.content.decode()
        one.refresh_from_db()
        assert (one.name, one.write_to, one.block_tentative, one.my_addresses) == (
            "Mine",
            work,
            False,
            ["me@example.com"],
        )
        assert [part["reads"] for part in one.parts] == [False, True]
        none = browser.post(f"{PAGE}/{one.pk}", {**chosen, "read": []})
        assert none.status_code == 422 and "Select at least one" in none.content.decode()
        lead = browser.post(f"{PAGE}/{one.pk}", {"_lead": "1", "url": "", "username": USER, "password": "wrong-horse"})
        assert lead.status_code == 422 and "username or password is wrong" in lead.content.decode()
        assert browser.post(f"{PAGE}/{one.pk}/sync").status_code in (302, 303)
    Calendar.objects.update(problem="The server has a problem (503)", health="broken")
    assert "The server has a problem" in main(browser) and "Nothing of it counts yet" not in main(browser, f"/{one.pk}")
    assert "Bookings that we added stay there" in main(browser, f"/{one.pk}/remove")
    assert browser.get(f"{PAGE}/cal_nothing").status_code == 404
    browser.post(f"{PAGE}/{one.pk}/remove")
    assert not Calendar.objects.exists() and "Connect a calendar" in main(browser)
