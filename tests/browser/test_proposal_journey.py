"""A trainer writes and sends a proposal with a keyboard and four clicks, on the page that the client will see."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import assert_accessible, count_clicks, start_counting_clicks
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service


def test_a_proposal_is_written_and_sent_with_four_clicks(service: Service, phone: Page) -> None:
    page = phone
    page.set_viewport_size({"width": 1280, "height": 900})
    signed_in(service, page, "trainer@example.com")
    start_counting_clicks(page)
    page.goto(f"{service.url}/app/bid")
    page.get_by_role("link", name="Create proposal").click()
    page.get_by_label("Title").focus()
    for text in ("Ten weeks of training", "Ada Berger", "", "ada@example.com"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.get_by_role("button", name="Create proposal").click()
    page.wait_for_url(re.compile(r"/app/bid/bid_\w+\?made"))

    page.get_by_label("Introduction").focus()
    page.keyboard.type("Dear Ada, this is what we talked about.")
    lines = page.locator(".pl-lines")
    names = lines.get_by_label("Name", exact=True)
    names.first.focus()
    for name, quantity, price in (
        ("First session", "1", "90"),
        ("Training", "20", "75"),
        ("Nutrition plan", "", "140"),
    ):
        page.keyboard.type(name)
        for text in ("", quantity, "", price):  # the description and the unit stay empty
            page.keyboard.press("Tab")
            page.keyboard.type(text)
        page.keyboard.press("Enter")
    expect(names).to_have_count(4)
    expect(names.nth(3)).to_be_focused()
    page.keyboard.press("Backspace")  # the empty line is removed
    expect(names).to_have_count(3)
    expect(names.nth(2)).to_be_focused()
    expect(page.locator("[data-total]")).to_have_text("$1,730.00")
    assert lines.locator("[data-amount]").all_inner_texts() == ["$90.00", "$1,500.00", "$140.00"]
    page.get_by_label("Terms and conditions").focus()
    page.keyboard.type("Cancel up to 24 hours before.")
    assert_accessible(page)

    page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("button", name="Send proposal").click()
    expect(page.locator(".toasts")).to_contain_text("Proposal sent to ada@example.com.")
    assert count_clicks(page) == 4


def test_the_editor_works_with_the_keyboard_alone(service: Service, phone: Page) -> None:
    page = phone
    page.set_viewport_size({"width": 1280, "height": 900})
    key = signed_in(service, page, "keys@example.com")
    lines = [{"name": name, "unit_price": 10, "section": "Food"} for name in ("Soup", "Bread")]
    bid = service.api(key, "svc_bid_create", title="Party", line_items=lines)
    page.goto(f"{service.url}/app/bid/{bid['id']}")
    names, headings = page.locator(".pl-lines [name$='.name']"), page.locator(".pl-lines [name$='.section']")
    expect(headings.nth(1)).to_be_hidden()  # a heading is shown above its first line only
    headings.first.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Starters")
    page.keyboard.press("Tab")
    expect(headings.nth(1)).to_have_value("Starters")
    page.keyboard.press("Alt+ArrowDown")
    expect(names.nth(1)).to_have_value("Soup")
    expect(names.nth(1)).to_be_focused()
    more = page.locator(".pl-more summary").nth(1)
    more.press("Enter")
    page.get_by_label("Optional for the client").nth(1).press("Space")
    page.get_by_role("button", name="Add package").press("Enter")
    page.keyboard.type("Small")
    page.keyboard.press("Tab")
    page.keyboard.type("50")
    expect(page.locator("[data-total]")).to_have_text("$60.00")
    page.locator("summary", has_text="Deposit").press("Enter")
    page.get_by_label("Deposit", exact=True).fill("50")
    expect(page.locator('[data-value="deposit"]')).to_have_text("50\u00a0%")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.frame_locator("iframe[name=phone]").get_by_text("Starters")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.locator(".toasts")).to_contain_text("Proposal saved.")
    saved = service.api(key, "svc_bid_get", id=bid["id"])
    assert [(line["name"], line["section"], line["optional"]) for line in saved["line_items"]] == [
        ("Bread", "Starters", False),
        ("Soup", "Starters", True),
    ]
    assert [package["price"] for package in saved["packages"]] == [50]
