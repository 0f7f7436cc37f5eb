"""Check-in with one hand: it shows who is expected, what is missing and what to press."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import assert_accessible
from tests.browser.test_menu_story import signed_in
from workspace.lib import clock
from workspace.testing.service import Service

ALWAYS = [{"from": "00:00", "until": "00:00"}]
LONG = "Maximiliana Featherstonehaugh-Wriothesley of Llanfairpwllgwyngyll"


def noon_zone() -> str:
    """Return a time zone where it is about noon now."""
    ahead = 12 - clock.now().hour  # Etc/GMT-3 is three hours ahead
    return "Etc/UTC" if ahead == 0 else f"Etc/GMT{-ahead:+d}"


def furnish(service: Service, key: str) -> None:
    def run(name: str, /, **arguments: Any) -> Any:
        return service.api(key, name, **arguments)

    zone = noon_zone()
    run("svc_account_edit", time_zone=zone)
    cut = {"name": "Cut", "duration": 30, "notice": 0}
    page = run("svc_booking_create", name="Hair", time_zone=zone, hours=ALWAYS, services=[cut])
    start = (clock.now() + timedelta(minutes=90)).replace(minute=0, second=0, microsecond=0)
    for number, name in enumerate(("Ada King", LONG, "ليلى حداد")):
        booking = {
            "service_id": page["services"][0]["id"],
            "start": clock.to_iso(start + timedelta(minutes=30 * number)),
            "name": name,
            "email": f"guest{number}@example.com",
            "phone": f"+43 664 123 45 6{number}",
        }
        run("svc_booking_save_bookings", page_id=page["id"], items=[booking])
    today = clock.today(zone).isoformat()
    chart = run("svc_seat_create", title="Gala", date=today, tables=[{"capacity": 4}])["chart"]["id"]
    run("svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}, {"name": "Cleo Sand"}])
    template = run("svc_certs_save_template", name="Aid", title="First-aid certificate", valid_months=12)["id"]
    run("svc_certs_issue", template_id=template, recipients=[{"name": "Ada King"}], date=today)


def test_check_in_finds_a_person_shows_what_is_missing_and_checks_them_in(service: Service, phone: Page) -> None:
    page = phone
    furnish(service, signed_in(service, page, "door@example.com"))
    page.goto(f"{service.url}/app/check-in")
    expect(page.get_by_role("heading", name="Expected today")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(3)
    field, fold = page.get_by_label("Search guests"), page.viewport_size
    assert fold is not None
    box = field.bounding_box()
    assert box is not None and box["y"] > fold["height"] / 2, "the field is by the thumb"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a long name stays on the phone"
    assert_accessible(page)

    field.press_sequentially("kin")
    expect(page.locator("#at-door [name=q]").first).to_have_value("kin")  # its buttons know what was typed
    ada = page.get_by_role("article", name="Ada King")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(ada).to_contain_text(re.compile(r"Booked for \d\d:\d\d today"))
    expect(ada).to_contain_text("First-aid certificate valid until")
    expect(ada).to_contain_text("No table yet")
    for button in ada.get_by_role("button").all():
        size = button.bounding_box()
        assert size is not None and size["height"] >= 44, "a thumb finds it"
    ada.get_by_role("button", name="Check in").first.click()
    done = re.compile("checked in at|Checked in, booked")
    expect(page.get_by_role("article", name="Ada King")).to_contain_text(done)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article", name="Ada King")).not_to_contain_text(done)
    expect(page).to_have_url(re.compile(r"\?q=kin$"))  # the search text is still there

    page.get_by_label("Search guests").fill("0664 123 45 62")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article", name="ليلى حداد")).to_be_visible()
    page.get_by_label("Search guests").fill("Zorro")
    expect(page.get_by_role("heading", name="No guests found")).to_be_visible()

    # offline: the list that this phone opened before, and a friendly message
    page.goto(f"{service.url}/app/check-in")
    page.get_by_role("link", name="Gala", exact=True).click()
    expect(page.get_by_text("0 of 2 checked in")).to_be_visible()
    page.wait_for_function("caches.match(location.pathname)")
    page.goto(f"{service.url}/app/check-in")
    page.wait_for_function("caches.match('/app/check-in/offline')")
    page.context.set_offline(True)
    page.get_by_label("Search guests").press_sequentially("kin")
    expect(page.get_by_role("status").filter(has_text="You’re offline")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Open list: Gala").click()
    expect(page.get_by_text("0 of 2 checked in")).to_be_visible()
    page.context.set_offline(False)
    page.goto(f"{service.url}/app/check-in")
    expect(page.get_by_role("heading", name="Check-in")).to_be_visible()
