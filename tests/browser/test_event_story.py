"""A program on a phone: a guest searches it, stars sessions and continues offline.

The stars are transferred to another phone and to a calendar.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import icalendar
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.pages import GUEST, PHONE, assert_accessible, assert_german
from workspace.testing.service import Service, running_service

HERE: dict[str, Any] = {**GUEST, "timezone_id": "Europe/Vienna"}
AWAY: dict[str, Any] = {"viewport": PHONE, "locale": "en-GB", "timezone_id": "America/New_York"}
DAY = "2037-05-15"
SESSIONS: list[dict[str, Any]] = [
    {
        "title": "Blowing glass",
        "start_time": "09:00",
        "end_time": "10:00",
        "location": "Hall",
        "speakers": ["Zoë Müller"],
    },
    {"title": "Bread", "start_time": "09:00", "end_time": "10:00", "location": "Yard", "description": "Sourdough."},
    {"title": "Music", "start_time": "20:00", "end_time": "21:00", "location": "Yard"},
]


@pytest.fixture
def service() -> Iterator[Service]:
    """Run a service that this module stops."""
    with running_service() as running:
        yield running


def test_a_guest_uses_the_program_on_a_phone(service: Service, chromium: Browser) -> None:
    account = service.account()
    key = account["api_key"]
    service.operate("plan", "set", account["email"], "program", "pro")  # publishes without a credit
    made = service.api(
        key, "svc_event_create", title="Harbour Days", time_zone="Europe/Paris", days=[{"date": DAY}], sessions=SESSIONS
    )
    service.api(key, "svc_event_edit", event_id=made["id"], published=True)
    url = f"{service.url}/e/{made['slug']}"
    music = next(one["id"] for one in made["schedule"] if one["title"] == "Music")
    with closing(chromium.new_context(**HERE)) as phone, closing(chromium.new_context(**AWAY)) as other:
        phone.set_default_timeout(60_000)
        page = phone.new_page()
        page.goto(url)
        assert_accessible(page)
        assert_german(page)
        # the time zones are equal, so there is nothing to switch
        expect(page.locator("[data-zones] button")).to_have_count(0)
        _search(page)
        _star(page)
        link = _take_along(page)
        _take_over(other.new_page(), link)
        _subscribe(phone, link)

        moved = {"id": music, "start_time": "21:00", "end_time": "22:00"}
        service.api(key, "svc_event_save_sessions", event_id=made["id"], items=[moved])
        page.reload()
        expect(page.locator(".was")).to_have_text("Vorher 20:00")
        _wait_until_kept(page, f"/e/{made['slug']}/speakers")
        service.stop()
        page.reload()
        expect(page.locator("[data-old]")).to_contain_text("Stand ")
        expect(page.get_by_role("button", name="Merken: Music")).to_have_attribute("aria-pressed", "true")
        _search(page)
        page.get_by_role("link", name="Bread").last.click()  # not opened before
        expect(page.locator(".about")).to_have_text("Sourdough.")


def _star(page: Page) -> None:
    for title in ("Blowing glass", "Music"):
        page.get_by_role("button", name=f"Merken: {title}").click()
    expect(page.get_by_role("button", name="Merken: Music")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-filter] summary").click()
    page.get_by_role("button", name="Nur Gemerktes").click()
    expect(page.locator("li.slot:visible")).to_have_count(2)
    page.get_by_role("link", name="Alles zeigen").click()
    expect(page.locator("li.slot:visible")).to_have_count(3)


def _take_along(page: Page) -> str:
    """Return the link for another phone."""
    page.get_by_role("button", name="Teilen oder abonnieren").click()
    way = page.locator("[data-way]")
    expect(way).to_be_visible()
    assert_accessible(page)
    return str(way.get_attribute("href"))


def _subscribe(phone: BrowserContext, link: str) -> None:
    file = phone.request.get(f"{link}.ics")
    entries = icalendar.Calendar.from_ical(file.text()).walk("VEVENT")
    assert [str(one["SUMMARY"]) for one in entries] == ["Blowing glass", "Music"]


def _search(page: Page) -> None:
    page.locator("[data-day] summary").click()  # a search expands the day again
    page.locator("[data-filter] summary").click()
    field = page.get_by_role("searchbox")
    expect(page.locator("li.slot:visible")).to_have_count(0)
    for words, title in (("ZOE muller", "Blowing glass"), ("sourdough", "Bread")):
        field.fill(words)
        expect(page.locator("li.slot:visible > a")).to_have_text([title])
    field.fill("")
    field.press("Escape")
    expect(field).to_be_hidden()
    expect(page.locator("li.slot:visible")).to_have_count(3)


def _take_over(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_role("status").filter(has_text="starred on this phone")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="View program").first.click()
    expect(page.get_by_role("button", name="Star: Music")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Star: Bread")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Show Eastern").click()
    expect(page.locator("[data-day] h3").first).to_have_text("03:00")
    page.get_by_role("button", name="Show Central European").click()
    expect(page.locator("[data-day] h3").first).to_have_text("09:00")


def _wait_until_kept(page: Page, path: str) -> None:
    deadline = time.monotonic() + 60
    while not page.evaluate("(path) => caches.match(path).then(Boolean)", path):
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)
    page.wait_for_load_state("networkidle")
