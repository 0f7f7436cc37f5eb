"""Reviews at a phone's width: the owner creates a page, a guest who reads German leaves a review and confirms it.

The owner approves it. Readers see it on the wall and on the owner's website, and on no other website.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, PHONE, assert_accessible, assert_german, sign_in_by_link
from tests.browser.website import website
from workspace.testing.service import Service

WORDS = "We came in soaked, and were met with towels. Then the poppy-seed cake!"


def test_a_review_goes_from_a_guest_to_the_owners_website(
    service: Service, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    key = _sign_in(service, phone)
    page_url, form_url = _make_page(service, phone)

    guest = chromium.new_context(**GUEST, java_script_enabled=False)
    try:
        _leave_words(guest.new_page(), form_url, tmp_path)
        _confirm(guest.new_page(), service, phone)
    finally:
        guest.close()

    _approve_and_reply(phone, page_url)
    reader = chromium.new_context(**GUEST)
    try:
        _read_the_wall(reader.new_page(), form_url)
        _show_on_websites(phone, reader.new_page(), page_url)
        words = [{"name": name, "text": "Warm.", "consented": True, "action": "approve"} for name in ("Bo", "Cy")]
        service.api(key, "svc_reviews_save_items", page_id=page_url.rpartition("/")[2], items=words)
        _turn_the_row(reader.new_page(), form_url)
    finally:
        reader.close()


def _sign_in(service: Service, page: Page) -> str:
    """Sign in to a new account. Return its key."""
    made = service.operate("account", "create", "reviews@example.com", "--name", "Corner Café", "--admin", "--json")
    sign_in_by_link(page, json.loads(made)["sign_in_link"])
    return str(json.loads(made)["api_key"])


def _make_page(service: Service, page: Page) -> tuple[str, str]:
    page.goto(f"{service.url}/app/reviews")
    assert_accessible(page)
    page.get_by_role("link", name="Create review page").click()
    assert_accessible(page)
    page.get_by_label("Heading", exact=True).fill("How was your experience?")
    page.get_by_label(re.compile("^Custom link")).fill("corner-cafe")
    page.get_by_role("button", name="Create review page").click()
    page.wait_for_url(re.compile(r"/app/reviews/rvp_\w+\?made"))
    assert_accessible(page)
    url = page.url.partition("?")[0]
    for tab in ("share", "look", "settings", "results"):
        page.goto(f"{url}/{tab}")
        assert_accessible(page)
    return url, f"{service.url}/r/corner-cafe"


def _leave_words(page: Page, url: str, folder: Path) -> None:
    photo = folder / "me.jpg"
    Image.new("RGB", (400, 500), "teal").save(photo)
    page.goto(url)
    assert_german(page)
    expect(page.locator("main")).to_contain_text("Wählen Sie Ihre Sterne. Dann ein paar Worte.")
    expect(page.get_by_label("Ihre Worte")).to_be_hidden()
    page.get_by_text("5 Sterne").locator("..").click()
    page.get_by_label("Ihre Worte").fill(WORDS)
    page.get_by_label("Ihr Name").fill("Ida Stern")
    page.get_by_text("E-Mail, Foto, Ort").click()
    page.get_by_label(re.compile("^E-Mail")).fill("ida@example.com")
    page.get_by_label(re.compile("^Ein Foto")).set_input_files(photo)
    page.get_by_role("checkbox").check()
    page.wait_for_timeout(2100)  # people take longer than this
    page.get_by_role("button", name="Bewertung senden").click()
    expect(page.locator("main")).to_contain_text("Ihre Bewertung ist angekommen")
    expect(page.locator("main")).to_contain_text("Wir haben Ihnen einen Link geschickt")


def _read_the_wall(page: Page, url: str) -> None:
    """Read the wall, and the form with scripts, whose stars are as wide as a thumb even on the narrowest phone."""
    page.goto(f"{url}/wall")
    assert_german(page)
    expect(page.locator("main")).to_contain_text("Ausgewählte Bewertungen · 1 von 1 gezeigt")
    expect(page.locator("article")).to_contain_text(WORDS)
    expect(page.locator("article")).to_contain_text("E-Mail bestätigt")
    expect(page.locator("article")).to_contain_text("Come back soon, Ida!")
    expect(page.locator("article img")).to_be_visible()
    assert "ida@example.com" not in page.content()
    assert_accessible(page)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(url)
    for star in page.locator(".stars label").all():
        box = star.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    page.get_by_text("4 Sterne").locator("..").click()
    assert_german(page)
    assert_accessible(page)
    page.set_viewport_size(PHONE)


def _confirm(page: Page, service: Service, owner: Page) -> None:
    """Open the confirmation link from the outbox page, which shows emails of an instance without a mail server."""
    owner.goto(f"{service.url}/outbox")
    expect(owner.locator("main")).to_contain_text("Ida Stern left you a review")
    owner.get_by_role("link", name=re.compile("Bitte bestätigen Sie Ihre Bewertung")).click()
    expect(owner.locator("body")).to_contain_text(f"{service.url}/r/corner-cafe/confirm/")
    found = re.search(rf"{service.url}/r/corner-cafe/confirm/[\w-]+", owner.content())
    assert found is not None
    page.goto(found.group())
    page.get_by_role("button", name="Bewertung bestätigen").click()
    expect(page.locator("main")).to_contain_text("Bestätigt, vielen Dank")


def _approve_and_reply(page: Page, url: str) -> None:
    page.goto(f"{url}/items?status=pending")
    expect(page.locator(".rv-row")).to_contain_text(WORDS)
    assert_accessible(page)
    page.get_by_role("link", name="Ida Stern").click()
    assert_accessible(page)
    page.get_by_label("Your reply").fill("Come back soon, Ida!")
    page.get_by_role("button", name="Publish reply").click()
    expect(page.locator("main")).to_contain_text("Reply published.")
    page.get_by_role("button", name="Approve and pin").click()
    expect(page.locator("main")).to_contain_text("Unpin")


def _show_on_websites(owner: Page, page: Page, page_url: str) -> None:
    with website() as friend, website() as foreign:
        owner.goto(f"{page_url}/share/websites")
        owner.get_by_label("Website 1").fill(f"http://{friend.address}/about")
        owner.get_by_role("button", name="Save").click()
        expect(owner.get_by_label("Website 1")).to_have_value(friend.address)
        assert_accessible(owner)
        owner.goto(f"{page_url}/share")
        code = owner.locator("code, .copy-text").filter(has_text="widget.js").first.inner_text()
        frame_code = owner.locator("code, .copy-text").filter(has_text="<iframe").first.inner_text()
        friend.body = foreign.body = f"<!doctype html><title>Shop</title><h1>Shop</h1>{code}"
        page.goto(f"http://{friend.address}/")
        expect(page.frame_locator("iframe").locator("article")).to_contain_text(WORDS)
        _expect_height_to_fit(page)
        friend.body = friend.body.replace(" async", ' data-layout="badge" async')
        page.goto(f"http://{friend.address}/badge")
        expect(page.frame_locator("iframe").locator("a.score")).to_be_visible()  # a single rating has no average
        friend.body = f"<!doctype html><title>Shop</title>{frame_code}"
        page.goto(f"http://{friend.address}/plain")
        expect(page.frame_locator("iframe").locator("article")).to_contain_text(WORDS)
        page.goto(f"http://{foreign.address}/")
        expect(page.frame_locator("iframe").get_by_role("heading")).to_have_text("Das kann hier noch nicht erscheinen")
        expect(page.frame_locator("iframe").locator("main")).to_contain_text(foreign.address)
        assert WORDS not in page.frames[1].content()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        # if a website sends no referrer, the browser itself refuses
        foreign.body = foreign.body.replace("<title>", '<meta name="referrer" content="no-referrer"><title>')
        page.goto(f"http://{foreign.address}/silent")
        deadline = time.monotonic() + 60
        while not any("frame-ancestors" in text for text in said):
            assert time.monotonic() < deadline, said
            page.wait_for_timeout(50)
        assert len(page.frames) == 2 and WORDS not in page.frames[1].content()


def _turn_the_row(page: Page, url: str) -> None:
    page.goto(f"{url}/embed?layout=carousel")
    first, last = page.locator("article").first, page.locator("article").last
    back, on = page.get_by_role("button", name="Vorherige"), page.get_by_role("button", name="Weitere")
    expect(back).to_have_attribute("aria-disabled", "true")
    on.click()
    expect(first).not_to_be_in_viewport(ratio=0.5)
    on.press("Enter")
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(on).to_have_attribute("aria-disabled", "true")
    page.get_by_role("region").focus()
    page.keyboard.press("ArrowLeft")
    expect(last).not_to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)


def _expect_height_to_fit(page: Page) -> None:
    """Assert that the frame is as tall as its content, and ignores messages from other windows."""
    page.wait_for_function("document.querySelector('iframe').height !== '420'")
    for _ in range(600):
        height = int(page.locator("iframe").get_attribute("height") or 0)
        inside = page.frames[1].evaluate("document.body.getBoundingClientRect().height")
        if abs(height - inside) <= 1:
            break
        page.wait_for_timeout(100)
    assert abs(height - inside) <= 1
    page.evaluate("window.postMessage({type: 'frame:height', height: 9999}, '*')")
    page.frames[1].evaluate("parent.postMessage({type: 'frame:height', height: 'tall'}, '*')")
    page.wait_for_timeout(200)
    assert int(page.locator("iframe").get_attribute("height") or 0) == height
