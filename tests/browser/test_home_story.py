"""Home and search for an owner: a review is approved and the approval undone, and everything is found by keyboard.

The same works without scripts.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PHONE, assert_accessible, sign_in_by_link
from workspace.testing.service import Service

LAPTOP = {"width": 1280, "height": 800}


def _sign_in_with_review(service: Service, page: Page, email: str) -> str:
    """Sign in to an account with a pending review. Return the id of its page."""
    key = service.account(email)["api_key"]
    reviews: str = service.api(key, "svc_reviews_create", title="Our guests")["id"]
    service.api(
        key,
        "svc_reviews_save_items",
        page_id=reviews,
        consented=True,
        items=[{"name": "Ida", "text": "The poppy-seed cake!", "rating": 5}],
    )
    service.api(key, "svc_card_create", full_name="Jane Doe")
    _sign_in(service, page, email)
    return reviews


def _sign_in(service: Service, page: Page, email: str) -> None:
    sign_in_by_link(page, next(word for word in service.operate("sign-in", email).split() if word.startswith("http")))


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_review_is_approved_on_home_and_the_approval_undone(
    script: bool, service: Service, chromium: Browser
) -> None:
    context = chromium.new_context(viewport=PHONE, reduced_motion="reduce", java_script_enabled=script)  # type: ignore[arg-type]
    try:
        page = context.new_page()
        _sign_in_with_review(service, page, f"home{script}@example.com".lower())
        page.goto(f"{service.url}/app")
        today = page.get_by_role("region", name="Today")
        expect(today).to_contain_text("Ida left a review")
        if script:
            assert_accessible(page)
        today.get_by_role("button", name="Approve").click()
        expect(page.locator(".toasts")).to_contain_text("Review approved.")
        expect(page.get_by_role("button", name="Approve")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(today.get_by_role("button", name="Approve")).to_be_visible()
    finally:
        context.close()


def test_everything_is_found_by_keyboard(service: Service, phone: Page) -> None:
    page = phone
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    _sign_in_with_review(service, page, "finder@example.com")
    page.goto(f"{service.url}/app")
    page.keyboard.press("Control+k")
    finder, found = page.get_by_role("dialog", name="Search"), page.locator("#found")
    expect(found.get_by_role("link").first).to_be_visible()  # suggestions before anything is typed
    page.keyboard.type("jane")
    expect(found).to_have_attribute("data-q", "jane")
    expect(found.get_by_role("link")).to_have_count(1)
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    expect(found.get_by_role("link", name="Jane Doe")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(finder.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(finder).to_be_hidden()
    page.keyboard.press("Control+k")
    finder.get_by_role("textbox").fill("members")
    expect(found).to_have_attribute("data-q", "members")
    expect(found.get_by_role("link").first).to_contain_text("Members")
    page.keyboard.press("Enter")
    page.wait_for_url("**/app/members")


def test_the_search_works_without_scripts(service: Service, chromium: Browser) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)  # type: ignore[arg-type]
    try:
        page = context.new_page()
        _sign_in_with_review(service, page, "plain@example.com")
        page.get_by_role("link", name="Search").first.click()
        page.get_by_role("searchbox", name="Search").fill("jane")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name="Jane Doe").click()
        expect(page.locator("h1")).to_contain_text("Jane Doe")
        page.get_by_role("button", name="More").click()  # a native popover
        expect(page.get_by_role("button", name="Sign out").last).to_be_visible()
    finally:
        context.close()


def test_all_tools_are_reached_by_keyboard_without_scrolling(service: Service, phone: Page) -> None:
    page = phone
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    _sign_in_with_review(service, page, "sidebar@example.com")
    page.goto(f"{service.url}/app")
    side = page.get_by_role("navigation", name="Products")
    expect(side.get_by_role("link", name="Brand")).to_be_visible()
    side.locator("summary", has_text="More tools").focus()
    page.keyboard.press("Enter")
    expect(side.get_by_role("link", name="Event programs")).to_be_in_viewport()
    expect(side.get_by_role("link", name="Brand")).to_be_hidden()  # one group is open at a time
    expect(side.get_by_role("link", name="QR codes")).to_be_in_viewport()
    assert side.evaluate("(nav) => nav.scrollHeight <= nav.clientHeight")
    assert_accessible(page)
    side.locator("summary", has_text="Developers").focus()
    page.keyboard.press("Enter")
    expect(side.get_by_role("link", name="Webhooks")).to_be_in_viewport()


def test_an_item_is_shared_from_one_sheet_by_keyboard(service: Service, phone: Page) -> None:
    page = phone
    reviews = _sign_in_with_review(service, page, "sheet@example.com")
    page.goto(f"{service.url}/app/reviews/{reviews}")
    page.get_by_role("link", name="Share", exact=True).first.focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="Share “Our guests”")
    expect(sheet.get_by_role("link", name="WhatsApp")).to_be_visible()
    expect(sheet.get_by_role("link", name="Print")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("link", name="Share", exact=True).first).to_be_focused()
