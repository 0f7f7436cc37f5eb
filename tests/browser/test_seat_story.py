"""A wedding on a laptop and on a phone: tables are added, and guests are dragged onto them.

A full table refuses, the remaining guests are seated automatically, a guest finds their table, and arrivals are ticked
off offline.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, PHONE, assert_accessible, sign_in_by_link
from workspace.testing.service import Service

LAPTOP = {"width": 1280, "height": 860}
GUESTS = ["Ada Berg", "Ben Berg", "Cleo Müller", "Dan Quist"]


def _sign_in(service: Service, page: Page, email: str) -> None:
    sign_in_by_link(page, next(word for word in service.operate("sign-in", email).split() if word.startswith("http")))


def _begun(service: Service, email: str) -> tuple[str, str]:
    """Create an account with a chart of four guests in an empty room. Return its key and the chart's id."""
    key = service.account(email)["api_key"]
    chart: str = service.api(key, "svc_seat_create", title="A wedding")["chart"]["id"]
    named: list[Any] = [{"name": name, "party": "Berg" if "Berg" in name else ""} for name in GUESTS]
    service.api(key, "svc_seat_add_guests", event_id=chart, guests=named)
    return key, chart


SCALE = "document.getElementById('st-world').getScreenCTM().a"


def _chair(page: Page, name: str) -> Any:
    return page.locator(f".st-seat[data-name='{name}'] > rect")


def _color(page: Page, name: str) -> str | None:
    return page.locator(f".st-seat[data-name='{name}']").get_attribute("data-k")


def _drag(page: Page, what: Any, onto: Any) -> None:
    what.scroll_into_view_if_needed()
    begin, end = what.bounding_box(), onto.bounding_box()
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(begin["x"] + 30, begin["y"] + 20, steps=3)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()


def test_a_planner_seats_by_dragging_and_the_rest_by_auto_seating(service: Service, chromium: Browser) -> None:
    key, chart = _begun(service, "planner@example.com")
    context = chromium.new_context(viewport=LAPTOP, reduced_motion="reduce")  # type: ignore[arg-type]
    try:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        _sign_in(service, page, "planner@example.com")
        page.goto(f"{service.url}/app/seat/{chart}")
        told = page.locator("#st-said")

        page.get_by_text("Add", exact=True).click()
        page.get_by_label("Seats", exact=True).fill("2")
        page.get_by_label("Number of tables").fill("2")
        page.get_by_role("button", name="Add tables").click()
        expect(told).to_have_text("2 tables added.")
        one, two = (page.get_by_role("button", name=f"Table {number}, ") for number in (1, 2))
        assert_accessible(page)

        # a table moves by pointer and by arrow keys, and both are saved
        before = one.get_attribute("data-x")
        _drag(page, one.locator(".st-top"), page.locator(".st-room"))
        expect(told).to_have_text("Table 1 moved.")
        moved = one.get_attribute("data-x")
        assert moved is not None and before is not None and float(moved) != float(before) and float(moved) % 10 == 0
        one.focus()
        page.keyboard.press("ArrowLeft")
        expect(one).to_have_attribute("data-x", f"{float(moved) - 10:g}")

        # the whole party by its handle, within the number of chairs
        line = page.locator(".st-guest", has_text="Ada Berg")
        _drag(page, line.locator(".st-whole"), two)
        expect(told).to_have_text("Party “Berg” moved to Table 2.")
        _drag(page, page.locator(".st-guest", has_text="Cleo"), two)
        ask = page.get_by_role("dialog")
        expect(ask).to_contain_text("Table 2 is full")
        ask.get_by_role("button", name="Table 1 · 2 free").click()
        expect(told).to_have_text("Cleo Müller moved to Table 1.")

        # a chair is dragged: onto another guest to swap, onto the list to unseat; the table stays
        where = one.get_attribute("data-x")
        _drag(page, _chair(page, "Cleo Müller"), _chair(page, "Ben Berg"))
        expect(told).to_have_text("Cleo Müller and Ben Berg swapped.")
        expect(one.locator("[data-name='Ben Berg']")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(one.locator("[data-name='Cleo Müller']")).to_be_visible()
        _drag(page, _chair(page, "Cleo Müller"), page.locator("#st-list-title"))
        expect(told).to_have_text("Cleo Müller unseated.")
        # onto a certain chair
        _drag(page, page.locator(".st-guest", has_text="Cleo"), one.locator("[data-seat='2'] rect"))
        expect(told).to_have_text("Cleo Müller moved to Table 1.")
        expect(one.locator("[data-seat='2']")).to_have_attribute("data-name", "Cleo Müller")
        assert one.get_attribute("data-x") == where

        # a click on a chair opens its guest, and the plan keeps its scale; Escape returns to the plan
        scale = page.evaluate(SCALE)
        _chair(page, "Cleo Müller").click()
        expect(page.locator("#st-details h2")).to_have_text("Cleo Müller")
        page.get_by_role("button", name="Close guests").click()
        assert page.evaluate(SCALE) == scale
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(page.locator(".st-side")).to_be_hidden()
        page.get_by_role("button", name="Guests", exact=False).first.click()

        # chairs are colored by party, or by meal with a legend
        assert _color(page, "Ada Berg") == _color(page, "Ben Berg")
        page.get_by_role("button", name="Meal", exact=True).click()
        expect(page.get_by_role("list", name="Meals")).to_contain_text("None 3")
        page.get_by_role("button", name="Party", exact=True).click()

        # a number and Enter; undone and redone, also after a reload
        page.locator(".st-guest", has_text="Dan").get_by_role("link").focus()
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        expect(ask).to_contain_text("is full")
        ask.get_by_role("button", name="Add chair at Table 2").click()
        expect(told).to_have_text("Dan Quist moved to Table 2.")
        expect(two).to_contain_text("3/2")
        page.reload()
        page.get_by_role("button", name="Undo").click()
        expect(told).to_contain_text("Undone: Dan Quist moved to Table 2.")
        expect(page.locator("#st-free")).to_contain_text("Dan Quist")

        # changes by others appear automatically
        guests = service.api(key, "svc_seat_guests", event_id=chart, unseated_only=True)["items"]
        items = [{"id": guests[0]["id"], "party": "Later"}]
        service.api(key, "svc_seat_save_guests", event_id=chart, items=items)
        expect(page.locator(".st-guest", has_text="Dan")).to_contain_text("Later")

        # an impossible preference is reported by name; without it everyone is seated, and the result accepted
        page.goto(f"{service.url}/app/seat/{chart}/arrange")
        rule = page.locator(".st-new-rule")
        rule.get_by_label("Guest or party", exact=True).fill("Ada Berg")
        rule.get_by_label("Rule", exact=True).select_option("must not sit with")
        rule.get_by_label("Other guest, party or table").fill("Ben Berg")
        page.get_by_role("button", name="Add rule").click()
        expect(page.locator(".st-why")).to_contain_text("Ada Berg and Ben Berg")
        page.get_by_text("must not sit with").first.click()
        page.get_by_role("button", name="Remove rule").click()
        expect(page.get_by_text("No rules yet")).to_be_visible()
        assert_accessible(page)

        # the proposal is drawn on the plan, another is found by the slider, and only keeping it moves guests
        page.get_by_role("button", name="Find seating plan").click()
        expect(page.get_by_role("button", name="Keep", exact=True)).to_be_visible()
        expect(page.locator(".st-sums")).to_contain_text("1 of 1 parties together")
        expect(page.locator(".st-seat.st-proposed[data-name='Dan Quist']")).to_be_visible()
        first = page.url
        page.get_by_label("Fill tables or even tables").press("ArrowRight")
        page.wait_for_url(lambda url: url != first)
        expect(page.get_by_role("button", name="Keep", exact=True)).to_be_visible()
        assert_accessible(page)
        assert service.api(key, "svc_seat_tables", event_id=chart)["unseated"] == 1
        page.get_by_role("button", name="Keep", exact=True).click()
        expect(page.locator("#st-facts")).to_have_text("4 of 4 seated")

        # the list: a click edits a cell, Enter saves it and goes on, and a new guest is one line
        page.goto(f"{service.url}/app/seat/{chart}/guests")
        page.locator("#st-people tr", has_text="Ada Berg").get_by_text("No reply").click()
        page.get_by_label("Reply of Ada Berg").select_option("yes")
        page.get_by_label("Notes on Ada Berg").fill("Late")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Notes on Ben Berg")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#st-people tr", has_text="Ada Berg")).to_contain_text("Late")
        page.get_by_label("Name of the new guest").first.fill("Eva Moor")
        page.keyboard.press("Enter")
        expect(page.locator(".st-sum")).to_have_text("5 invited, 1 attending")
        page.get_by_role("link", name="Attending 1").click()
        expect(page.locator("#st-people tbody tr")).to_have_count(1)
        assert_accessible(page)
        assert not problems, problems
    finally:
        context.close()


def test_on_a_phone_a_guest_finds_the_table_and_check_in_works_offline(
    service: Service, chromium: Browser, phone: Page
) -> None:
    key, chart = _begun(service, "tables@example.com")
    made = service.api(key, "svc_seat_save_tables", event_id=chart, items=[{"capacity": 4}])["items"][0]["id"]
    rows = service.api(key, "svc_seat_guests", event_id=chart)["items"]
    for row in rows[1:]:
        service.api(key, "svc_seat_assign", event_id=chart, guest_id=row["id"], table_id=made)
    service.api(key, "svc_seat_edit", event_id=chart, find_table=True, show_names=True, slug="a-wedding")

    context = chromium.new_context(**{**GUEST, "java_script_enabled": False})
    try:
        page = context.new_page()
        page.goto(f"{service.url}/s/a-wedding")
        page.get_by_role("searchbox").fill("mu")
        page.get_by_role("button").click()
        expect(page.locator("#found .note")).to_be_visible()
        page.get_by_role("searchbox").fill("MUL")
        page.get_by_role("button").click()
        expect(page.locator(".s-here")).to_contain_text("Cleo Müller")
        expect(page.locator(".s-table")).to_have_text("Tisch 1")
        expect(page.locator(".s-plan")).to_contain_text("Sie sind hier")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        context.close()

    _sign_in(service, phone, "tables@example.com")
    phone.goto(f"{service.url}/app/seat/{chart}")
    # on a phone without dragging: a guest, then the table
    phone.get_by_role("button", name=f"Move {rows[0]['name']} to a table").click()
    phone.get_by_label("Table name or number").fill("1")
    phone.get_by_role("button", name="Move", exact=True).click()
    expect(phone.locator("#st-said")).to_contain_text(f"{rows[0]['name']} moved to Table 1.")
    phone.get_by_role("button", name="Close guests").click()
    expect(phone.locator("#st-svg")).to_contain_text("4/4")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    phone.goto(f"{service.url}/app/seat/{chart}/door")
    expect(phone.get_by_text("0 of 4 checked in")).to_be_visible()
    assert_accessible(phone)
    phone.evaluate("navigator.serviceWorker.ready")
    phone.context.set_offline(True)
    phone.get_by_label("Search guests by name, party or phone").fill("quist")
    phone.keyboard.press("Enter")
    expect(phone.locator("#st-arrived")).to_have_text("1")
    expect(phone.locator("#st-off")).to_contain_text("Not sent yet: 1")
    phone.context.set_offline(False)
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator("#st-off")).to_be_empty()
    here = [row["name"] for row in service.api(key, "svc_seat_guests", event_id=chart)["items"] if row["arrived"]]
    assert here == ["Dan Quist"]
    assert PHONE["width"] == 390
