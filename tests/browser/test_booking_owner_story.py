"""A salon's owner answers a request and drags a booking by mouse, touch and keyboard.

They block an afternoon, book for a caller, reassign a day's hours, and check why a time is not available.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PHONE, assert_accessible
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service

WEEK = [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "08:00", "until": "18:00"}]
MONDAY = datetime.now(UTC).date() + timedelta(days=14 - datetime.now(UTC).weekday())


def _middle(page: Page, selector: str, text: str = "") -> tuple[float, float]:
    found = page.locator(selector, has_text=text) if text else page.locator(selector)
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 20)


def _cell(day: date, clock: str) -> str:
    return f'td[data-at="{day}T{clock}"]'


def _drag_by_finger(page: Page, text: str, to: str) -> None:
    """Drag as Chromium receives it from a touch screen: press, move and release."""
    (x, y), (to_x, to_y) = _middle(page, ".bo-booked", text), (0.0, 0.0)
    box = page.locator(to).bounding_box()
    assert box
    to_x, to_y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    expect(page.locator(".bo-held")).to_have_count(1)
    for part in range(1, 6):
        send("touchMove", {"x": x + (to_x - x) * part / 5, "y": y + (to_y - y) * part / 5})
    expect(page.locator(to)).to_have_class(re.compile("bo-over"))
    send("touchEnd")


def test_an_owner_answers_reschedules_blocks_and_books(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone
    key = signed_in(service, page, "salon@example.com")
    made = service.api(
        key, "svc_booking_create", name="Salon Eck", hours=WEEK, time_zone="Europe/Vienna",
        services=[
            {"name": "Cut", "duration": 60, "interval": 30},
            {"name": "Beard", "duration": 90, "questions": [{"label": "Which oil?", "type": "short"}]},
        ],
    )  # fmt: skip
    id, home = made["id"], f"{service.url}/app/booking/{made['id']}"
    cut = service.api(key, "svc_booking_pages")["items"][0]["services"][0]["id"]

    def book(day: int, clock: str, name: str) -> str:
        start = f"{MONDAY + timedelta(days=day)}T{clock}"
        [row] = service.api(
            key, "svc_booking_save_bookings", page_id=id, items=[{"service_id": cut, "start": start, "name": name}]
        )["saved"]
        return str(row["id"])

    def booking_start(booking: str) -> str:
        [row] = service.api(key, "svc_booking_get", page_id=id, booking_id=booking)["bookings"]
        return str(row["start"])[:16]

    ada, bo = book(0, "09:00", "Ada King"), book(1, "10:00", "Bo Lind")

    # a guest sends a request, which is answered on the phone
    service.api(
        key, "svc_booking_save_services", page_id=id, items=[{"name": "Color", "duration": 90, "approval": True}]
    )
    guest = chromium.new_context(locale="en-GB", timezone_id="Europe/Vienna").new_page()
    guest.goto(f"{made['public_url']}?date={MONDAY + timedelta(days=3)}")
    guest.get_by_role("link", name="Color").click()
    guest.locator(".b-times input").first.check()
    guest.get_by_role("button", name="Continue").click()
    guest.get_by_label("Your name").fill("Cy Day")
    guest.get_by_label("Email").fill("cy@example.com")
    guest.wait_for_timeout(2500)  # no one types faster
    guest.get_by_role("button", name="Request appointment").click()
    expect(guest.get_by_role("heading", name="Request sent")).to_be_visible()
    page.goto(home)
    assert_accessible(page)
    page.get_by_role("button", name="Approve Cy Day").click()
    expect(page.get_by_text("Booking approved. Client notified.")).to_be_visible()
    guest.reload()
    expect(guest.get_by_role("heading", name="Your appointment is booked")).to_be_visible()
    guest.context.close()

    # dragged by mouse on a laptop
    week = f"{home}?view=week&day={MONDAY}"
    page.set_viewport_size({"width": 1280, "height": 1100})
    page.goto(week)
    assert_accessible(page)
    to = _cell(MONDAY + timedelta(days=2), "14:30")
    page.mouse.move(*_middle(page, ".bo-booked", "Ada King"))
    page.mouse.down()
    page.mouse.move(*_middle(page, to), steps=5)
    expect(page.locator(to)).to_have_class(re.compile("bo-over"))
    page.mouse.up()
    page.wait_for_url("**/move?start=*")
    expect(page.get_by_role("heading", name="Reschedule to this time?")).to_be_visible()
    assert booking_start(ada) == f"{MONDAY}T09:00"  # nothing moves before the confirmation
    page.get_by_role("button", name="Reschedule booking").click()
    expect(page.get_by_text("Booking rescheduled to")).to_be_visible()
    assert booking_start(ada) == f"{MONDAY + timedelta(days=2)}T14:30"

    # by keyboard: two days later, half an hour later; Escape cancels another move
    page.goto(week)
    page.locator(".bo-booked", has_text="Ada King").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    expect(page.locator(".bo-over")).to_have_count(0)
    page.locator(".bo-booked", has_text="Bo Lind").focus()
    for pressed in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(pressed)
    expect(page.locator(".bo-said")).to_contain_text("Thursday")
    page.keyboard.press("Enter")
    page.wait_for_url("**/move?start=*")
    page.get_by_role("button", name="Reschedule booking").click()
    expect(page.get_by_text("Booking rescheduled to")).to_be_visible()
    assert booking_start(bo) == f"{MONDAY + timedelta(days=3)}T10:30"

    # by touch on a phone, onto a taken time, which is refused, and then beside it
    context = chromium.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, storage_state=page.context.storage_state(), locale="en-GB"
    )
    thumb = context.new_page()
    thumb.goto(f"{home}?view=week&day={MONDAY}")
    thumb.locator(".bo-booked", has_text="Ada King").scroll_into_view_if_needed()
    _drag_by_finger(thumb, "Ada King", _cell(MONDAY + timedelta(days=2), "12:00"))
    thumb.wait_for_url("**/move?start=*")
    assert_accessible(thumb)
    assert thumb.evaluate("document.documentElement.scrollWidth <= innerWidth")
    thumb.get_by_label("New date and time").fill(f"{MONDAY + timedelta(days=3)}T10:00")
    thumb.get_by_role("button", name="Reschedule booking").click()
    expect(thumb.locator("main")).to_contain_text("Available times nearby")
    thumb.get_by_label("New date and time").fill(f"{MONDAY + timedelta(days=2)}T12:00")
    thumb.get_by_role("button", name="Reschedule booking").click()
    expect(thumb.get_by_text("Booking rescheduled to")).to_be_visible()
    assert booking_start(ada) == f"{MONDAY + timedelta(days=2)}T12:00"
    context.close()

    # a blocked afternoon, and a day's hours reassigned
    page.set_viewport_size(PHONE)
    friday = MONDAY + timedelta(days=4)
    page.goto(f"{home}/hours")
    page.get_by_label("From", exact=True).last.fill(f"{friday}T13:00")
    page.get_by_label("Until", exact=True).last.fill(f"{friday}T18:00")
    page.get_by_label("Reason").fill("Dentist")
    page.get_by_role("button", name="Block time").click()
    expect(page.get_by_text("Time blocked. Existing bookings are kept.")).to_be_visible()
    page.get_by_label("Friday until").first.fill("20:00")
    page.locator("[aria-label='Copy Friday to other days']").click()
    page.locator(".bo-copy[open]").get_by_label("Saturday").check()
    page.get_by_role("button", name="Copy Friday").click()
    expect(page.get_by_text("Friday copied to Saturday")).to_be_visible()
    assert_accessible(page)
    hours = service.api(key, "svc_booking_get", page_id=id)["page"]["hours"]
    assert [(one["from"], one["until"]) for one in hours if "sat" in one["days"]] == [("08:00", "20:00")]

    # why is two o'clock on that Friday not available?
    page.goto(f"{home}?day={friday}")
    page.get_by_role("link", name="Why is a time unavailable?").click()
    expect(page.locator("li", has_text="14:00")).to_contain_text("This time is taken: blocked")
    assert_accessible(page)

    # a client calls
    page.goto(f"{home}?day={friday}")
    page.get_by_role("link", name="New booking").click()
    page.locator(".bo-free a", has_text="08:00").first.click()
    page.get_by_label("Client name").fill("Dee by phone")
    page.get_by_role("combobox", name="Service").select_option(label="Beard, 90 min")
    expect(page.get_by_role("heading", name="Available times for Beard")).to_be_visible()
    page.get_by_label("Which oil?").fill("Cedar")
    page.get_by_role("button", name="Create booking").click()
    expect(page.get_by_text("Booking for Dee by phone at 08:00 created.")).to_be_visible()
    expect(page.locator(".bo-timeline")).to_contain_text("Dee by phone")
    booked: list[dict[str, Any]] = service.api(key, "svc_booking_list")["items"]
    assert [row["name"] for row in booked] == ["Ada King", "Cy Day", "Bo Lind", "Dee by phone"]
