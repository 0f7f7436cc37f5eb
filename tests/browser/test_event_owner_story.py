"""A program is built from a pasted list, rearranged in the grid, edited in the table, and published."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.pages import PHONE, assert_accessible
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service

LIST = """day;start;end;title;location;speakers
2037-05-15;9:00;9:30;Opening;Great hall;Ada King
2037-05-15;9:30;10:30;Boats of the north;Great hall;Bo Lind
2037-05-15;9:30;10:30;Knots;Deck;Cy Day
2037-05-16;10:00;11:00;Walk;;
"""


def test_an_owner_builds_rearranges_and_publishes_a_program(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone
    key = signed_in(service, page, "events@example.com")
    service.operate("plan", "set", "events@example.com", "program", "pro")  # publishes without a credit
    page.goto(f"{service.url}/app/event/new")
    assert_accessible(page)
    page.get_by_label("Title").fill("Harbour Days")
    page.get_by_role("button", name="Create program").click()
    page.wait_for_url(re.compile(r"/app/event/evt_"))
    home = page.url.split("?")[0]
    id = home.rpartition("/")[2]

    def schedule() -> list[dict[str, Any]]:
        return list(service.api(key, "svc_event_get", id=id)["schedule"])

    def session_place(title: str) -> tuple[str, str, str]:
        [row] = [row for row in schedule() if row["title"] == title]
        return row["start_time"], row["end_time"], row["location"]

    page.goto(f"{home}/import")
    page.get_by_label("Or paste your list").fill(LIST.replace("9:30;10:30;Knots", "half;10:30;Knots"))
    page.get_by_role("button", name="Preview import").click()
    expect(page.get_by_role("alert")).to_contain_text("Correct 1 cell")
    expect(page.locator('td[data-kind="bad"]')).to_contain_text("half")
    assert_accessible(page)
    page.get_by_label("Or paste your list").fill(LIST)
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("heading", name="4 sessions to add.")).to_be_visible()
    assert schedule() == []  # only a preview
    assert_accessible(page)
    page.get_by_role("button", name="Import 4 sessions").click()
    expect(page.locator("#bar")).to_contain_text("1 session without a room")
    assert_accessible(page)

    page.set_viewport_size({"width": 1280, "height": 1200})
    page.goto(f"{home}/grid")
    assert_accessible(page)
    block, deck = page.locator(".ev-block", has_text="Boats"), page.locator('[data-room="Deck"] ol')
    page.get_by_label("Snap to").select_option("30")
    box, column = block.bounding_box(), deck.bounding_box()
    assert box and column
    x, y = box["x"] + 30, box["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(column["x"] + 30, y + 96, steps=6)  # an hour later, in the other room
    with page.expect_response(re.compile("/grid/ses_")):
        page.mouse.up()
    assert session_place("Boats of the north") == ("10:30", "11:30", "Deck")
    expect(page.locator('[data-room="Deck"] .ev-block', has_text="Boats").locator("time")).to_have_text(
        re.compile("10:30")
    )
    page.locator(".ev-block a", has_text="Knots").focus()
    with page.expect_response(re.compile("/grid/ses_")):
        page.keyboard.press("ArrowDown")
    assert session_place("Knots") == ("10:00", "11:00", "Deck")
    expect(page.locator("#bar")).to_contain_text("1 conflict")

    page.set_viewport_size(PHONE)
    page.goto(f"{home}/grid")
    page.locator(".ev-grid").evaluate("it => it.scrollIntoView()")
    _drag_by_finger(page, page.locator(".ev-block", has_text="Opening").locator(".ev-grip"), 96)  # an hour later
    expect(page.locator(".ev-block", has_text="Opening").locator("time")).to_have_text(re.compile("10:00"))
    assert session_place("Opening") == ("10:00", "10:30", "Great hall")
    page.set_viewport_size({"width": 1280, "height": 1200})

    page.goto(home)
    expect(page.get_by_label("Start of Knots")).not_to_have_attribute("maxlength", "5")  # the script counts instead
    expect(page.locator("output.field-echo")).to_have_count(0)  # a complete time is not near its limit
    page.get_by_label("Start of Knots").fill("9:99")
    page.keyboard.press("Enter")
    expect(page.locator("tr", has_text="Enter the time as HH:MM")).to_be_visible()
    page.get_by_label("Start of Knots").fill("09:00")
    with page.expect_response(re.compile("/row")):
        page.keyboard.press("Enter")
    expect(page.locator("#bar")).not_to_contain_text("1 conflict")
    assert session_place("Knots") == ("09:00", "10:00", "Deck")
    adding = page.locator("#add")
    expect(adding.get_by_label("Start")).to_have_value("11:30")  # the end of the last session
    adding.get_by_label("End", exact=True).fill("12:00")
    adding.get_by_label("Title of the new session").fill("Soup")
    with page.expect_response(re.compile("/sessions")):
        page.keyboard.press("Enter")
    expect(adding.get_by_label("Start")).to_have_value("12:00")
    expect(adding.get_by_label("Title of the new session")).to_be_focused()
    assert session_place("Soup")[:2] == ("11:30", "12:00")

    address = service.api(key, "svc_event_get", id=id)["public_url"]
    guest = chromium.new_page()
    assert guest.goto(address).status == 404  # type: ignore[union-attr]
    page.get_by_role("switch", name="Published").click()
    expect(page.get_by_role("switch", name="Published")).to_be_checked()
    guest.goto(address)
    expect(guest.get_by_text("Boats of the north").first).to_be_visible()
    guest.close()


def _drag_by_finger(page: Page, grip: Locator, down: float) -> None:
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 5):
        points = [{"x": x, "y": y + down * step / 4}]
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    with page.expect_response(re.compile("/grid/ses_")):
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
