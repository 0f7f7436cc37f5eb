"""A link page at a phone's width: the owner creates it, a German-speaking guest clicks, and the owner sees it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, PHONE, assert_accessible, assert_german, sign_in_by_link
from tests.browser.test_qr_story import IPHONE
from workspace.testing.service import Service


def signed_in(service: Service, page: Page, email: str) -> None:
    words = ("account", "create", email, "--name", "Corner Café", "--admin", "--json")
    sign_in_by_link(page, json.loads(service.operate(*words))["sign_in_link"])


def names(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".lk-row-main a").all_inner_texts()]


def test_an_owner_creates_a_link_page_and_sees_who_clicked(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone
    signed_in(service, page, "links@example.com")
    service.operate("plan", "set", "links@example.com", "link", "pro")  # counts clicks
    page.goto(f"{service.url}/app/links")
    assert_accessible(page)
    page.get_by_role("link", name="Create link page").click()
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("Corner Café")
    page.get_by_label(re.compile("Custom link")).fill("corner-cafe")
    page.get_by_role("radio", name="Forest").check()
    page.get_by_role("button", name="Create link page").click()
    page.wait_for_url(re.compile(r"/app/links/page_"))
    assert_accessible(page)

    preview = page.frame_locator("iframe[name=phone]")
    for title, url in (("Our menu", f"{service.url}/about"), ("Call us", "+43 1 234 5678"), ("Shop", "example.com")):
        page.get_by_label("Destination").fill(url)
        page.get_by_label(re.compile("^Label")).fill(title)
        page.get_by_role("button", name="Preview").click()
        expect(preview.get_by_text(title)).to_be_visible()  # before it is saved
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Add link").click()
        expect(page.locator(".lk-row-main").get_by_role("link", name=title)).to_be_visible()
    page.get_by_text("Heading", exact=True).first.click()
    page.locator("#h-title").fill("Find us")
    page.get_by_role("button", name="Add heading").click()
    expect(page.locator(".lk-row")).to_have_count(4)
    assert names(page) == ["Our menu", "Call us", "Shop", "Find us"]

    _in_place(page)
    _by_keyboard(page)
    _by_dragging(page)
    page.get_by_role("switch", name="Show Shop").click()
    shop = str(page.get_by_role("link", name="Shop").get_attribute("href")).rpartition("/")[2]
    expect(page.get_by_role("switch", name="Show Shop")).to_have_attribute("aria-checked", "false")
    assert_accessible(page)
    address = page.url.split("?")[0]
    for tab in ("/look", "/share", "/settings", "/results"):
        page.goto(address + tab)
        assert_accessible(page)

    _visit(service, chromium, hidden=shop)

    page.goto(f"{address}/results")
    assert_accessible(page)
    expect(page.locator(".stats").nth(1)).to_contain_text("100.0 %")
    expect(page.get_by_role("row", name=re.compile("Our menu"))).to_contain_text("1")


def _in_place(page: Page) -> None:
    """Edit a link in place. Its unsaved input survives other actions and errors."""
    page.get_by_role("link", name="Shop").click()
    opened = page.locator(".lk-edit form")
    expect(opened.get_by_label("Destination")).to_be_focused()
    assert_accessible(page)
    opened.get_by_label("Label").fill("Our shop")
    page.get_by_role("switch", name="Show Our menu").click()
    expect(opened.get_by_role("button", name="Save")).to_be_focused()
    opened.get_by_label("Destination").fill("javascript:alert(1)")
    opened.get_by_role("button", name="Save").click()
    expect(page.locator(".lk-edit")).to_contain_text(["", "", "Only http and https", ""])
    opened.get_by_label("Label").fill("Shop")
    opened.get_by_label("Destination").fill("example.com/shop")
    opened.get_by_role("button", name="Save").click()
    expect(page.locator(".lk-row").nth(2)).to_contain_text("example.com/shop")
    expect(page.get_by_role("link", name="Shop")).to_be_focused()
    expect(page.get_by_role("switch", name="Show Our menu")).to_have_attribute("aria-checked", "true")


def _by_keyboard(page: Page) -> None:
    """Move a link by keyboard: the arrow retains the focus for another press, and the change is announced."""
    up = page.get_by_role("button", name="Move Find us up")
    up.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="position 3 of 4")).to_have_count(1)
    expect(page.get_by_role("button", name="Move Find us up")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="position 2 of 4")).to_have_count(1)
    assert names(page) == ["Our menu", "Find us", "Call us", "Shop"]


def _by_dragging(page: Page) -> None:
    handles = page.locator(".lk-handle")
    handles.nth(2).scroll_into_view_if_needed()
    start, end = handles.nth(2).bounding_box(), handles.nth(1).bounding_box()
    assert start is not None and end is not None
    page.mouse.move(start["x"] + 8, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 8, end["y"] + 30, steps=4)
    page.mouse.move(end["x"] + 8, end["y"] + 5, steps=4)
    page.mouse.up()
    expect(page.get_by_role("status").filter(has_text="Order saved.")).to_have_count(1)
    assert names(page) == ["Our menu", "Call us", "Find us", "Shop"]


def _visit(service: Service, chromium: Browser, hidden: str) -> None:
    """Visit the page as a guest without scripts, and click. A hidden button shows a notice."""
    context = chromium.new_context(**GUEST, user_agent=IPHONE, java_script_enabled=False)
    guest = context.new_page()
    guest.goto(f"{service.url}/l/corner-cafe/{hidden}")
    expect(guest.locator("main")).to_contain_text("Diesen Link gibt es hier gerade nicht")
    guest.goto(f"{service.url}/l/corner-cafe")
    assert_german(guest)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Corner Café")
    assert guest.get_by_role("link", name="Shop").count() == 0
    places = [guest.get_by_text(text, exact=True).bounding_box() for text in ("Our menu", "Call us", "Find us")]
    tops = [place["y"] for place in places if place is not None]
    assert tops == sorted(tops) and len(tops) == 3
    guest.get_by_role("link", name="Our menu").click()
    guest.wait_for_url(f"{service.url}/about")
    context.close()
    axed = chromium.new_page(**GUEST, user_agent="Mozilla/5.0 HeadlessChrome")
    axed.goto(f"{service.url}/l/corner-cafe")
    assert_accessible(axed)
    assert axed.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    axed.context.close()
