"""Reviews on a phone's width: the owner makes a page, a guest leaves words and confirms them, the owner approves,
readers see them on the wall and on the owner's own website, and on no other."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, assert_accessible
from tests.service import Service

WORDS = "We came in soaked, and were met with towels. Then the poppy-seed cake!"


def test_words_travel_from_a_guest_to_the_owners_website(
    service: Service, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    _sign_in(service, phone)
    page_url, form_url = _make_page(service, phone)

    guest = chromium.new_context(viewport=PHONE, reduced_motion="reduce", java_script_enabled=False)
    try:
        _leave_words(guest.new_page(), form_url, tmp_path)
        _confirm(guest.new_page(), service, phone)
    finally:
        guest.close()

    _approve_and_reply(phone, page_url)
    phone.goto(f"{form_url}/wall")
    expect(phone.locator("main")).to_contain_text("Selected testimonials · 1 of 1 shown")
    expect(phone.locator("article")).to_contain_text(WORDS)
    expect(phone.locator("article")).to_contain_text("E-mail confirmed")
    expect(phone.locator("article")).to_contain_text("Come back soon, Ida!")
    expect(phone.locator("article img")).to_be_visible()
    assert "ida@example.com" not in phone.content()
    assert_accessible(phone)

    _show_on_websites(phone, chromium, page_url, form_url)
    _leave_words_in_german(chromium, form_url)


def _sign_in(service: Service, page: Page) -> None:
    made = service.operate("account", "create", "olive@example.com", "--name", "Corner Café", "--admin", "--json")
    page.goto(json.loads(made)["sign_in_link"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def _make_page(service: Service, page: Page) -> tuple[str, str]:
    page.goto(f"{service.url}/app/reviews")
    assert_accessible(page)
    page.get_by_role("link", name="Make your first page").click()
    assert_accessible(page)
    page.get_by_label("Heading", exact=True).fill("How was your visit?")
    page.get_by_label(re.compile("^Address")).fill("corner-cafe")
    page.get_by_role("button", name="Create page").click()
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
    expect(page.get_by_label("Your words")).to_be_hidden()
    page.get_by_text("5 stars").locator("..").click()
    page.get_by_label("Your words").fill(WORDS)
    page.get_by_label("Your name").fill("Ida Stern")
    page.get_by_text("E-mail, photo, town").click()
    page.get_by_label(re.compile("^E-mail")).fill("ida@example.com")
    page.get_by_label(re.compile("^A photo")).set_input_files(photo)
    page.get_by_role("checkbox").check()
    page.wait_for_timeout(2100)  # people take longer than this
    page.get_by_role("button", name="Send my review").click()
    expect(page.locator("main")).to_contain_text("Your review has arrived")
    expect(page.locator("main")).to_contain_text("we have sent a link")


def _leave_words_in_german(chromium: Browser, url: str) -> None:
    guest = chromium.new_context(viewport={"width": 320, "height": 640}, reduced_motion="reduce", locale="de-AT")
    try:
        page = guest.new_page()
        page.goto(url)
        expect(page.locator("main")).to_contain_text("Wählen Sie Ihre Sterne")
        for star in page.locator(".stars label").all():
            box = star.bounding_box()
            assert box is not None and min(box["width"], box["height"]) >= 44
        page.get_by_text("4 Sterne").locator("..").click()
        assert_accessible(page)
        page.get_by_label("Ihre Worte").fill("Sehr guter Kuchen.")
        page.get_by_label("Ihr Name").fill("Otto")
        page.wait_for_timeout(2100)  # people take longer than this
        page.get_by_role("button", name="Bewertung senden").click()
        expect(page.locator("main")).to_contain_text("Ihre Bewertung ist angekommen")
        assert_accessible(page)
    finally:
        guest.close()


def _confirm(page: Page, service: Service, owner: Page) -> None:
    """The link is read where an installation without a mail server shows its mail."""
    owner.goto(f"{service.url}/outbox")
    expect(owner.locator("main")).to_contain_text("Ida Stern wrote you a review")
    owner.get_by_role("link", name=re.compile("Please confirm your review")).click()
    owner.wait_for_load_state()
    found = re.search(rf"{service.url}/r/corner-cafe/confirm/[\w-]+", owner.content())
    assert found is not None
    page.goto(found.group())
    page.get_by_role("button", name="Yes, it is mine").click()
    expect(page.locator("main")).to_contain_text("Confirmed, thank you")


def _approve_and_reply(page: Page, url: str) -> None:
    page.goto(f"{url}/items?status=pending")
    expect(page.locator(".rv-row")).to_contain_text(WORDS)
    assert_accessible(page)
    page.get_by_role("link", name="Ida Stern").click()
    assert_accessible(page)
    page.get_by_label("Your reply").fill("Come back soon, Ida!")
    page.get_by_role("button", name="Reply").click()
    expect(page.locator("main")).to_contain_text("Your reply is public now")
    page.get_by_role("button", name="Approve and pin first").click()
    expect(page.locator("main")).to_contain_text("Unpin")


def _show_on_websites(owner: Page, chromium: Browser, page_url: str, form_url: str) -> None:
    with _website() as friend, _website() as foreign:
        owner.goto(f"{page_url}/share/websites")
        owner.get_by_label("Website 1").fill(f"http://{friend.address}/about")
        owner.get_by_role("button", name="Save").click()
        expect(owner.get_by_label("Website 1")).to_have_value(friend.address)
        assert_accessible(owner)
        owner.goto(f"{page_url}/share")
        code = owner.locator("code, .copy-text").filter(has_text="widget.js").first.inner_text()
        frame_code = owner.locator("code, .copy-text").filter(has_text="<iframe").first.inner_text()
        friend.body = foreign.body = f"<!doctype html><title>Shop</title><h1>Shop</h1>{code}"
        visitor = chromium.new_context(viewport=PHONE, reduced_motion="reduce")
        try:
            page = visitor.new_page()
            page.goto(f"http://{friend.address}/")
            expect(page.frame_locator("iframe").locator("article")).to_contain_text(WORDS)
            _expect_height_to_fit(page)
            friend.body = f"<!doctype html><title>Shop</title>{frame_code}"
            page.goto(f"http://{friend.address}/plain")
            expect(page.frame_locator("iframe").locator("article")).to_contain_text(WORDS)
            page.goto(f"http://{foreign.address}/")
            expect(page.frame_locator("iframe").get_by_role("heading")).to_have_text(
                "These reviews cannot be shown here yet"
            )
            expect(page.frame_locator("iframe").locator("main")).to_contain_text(foreign.address)
            assert WORDS not in page.frames[1].content()
            said: list[str] = []
            page.on("console", lambda message: said.append(message.text))
            # where a website does not say who it is, the browser refuses by itself
            foreign.body = foreign.body.replace("<title>", '<meta name="referrer" content="no-referrer"><title>')
            page.goto(f"http://{foreign.address}/silent")
            deadline = time.monotonic() + 60
            while not any("frame-ancestors" in text for text in said):
                assert time.monotonic() < deadline, said
                page.wait_for_timeout(50)
            assert len(page.frames) == 2 and WORDS not in page.frames[1].content()
        finally:
            visitor.close()


def _expect_height_to_fit(page: Page) -> None:
    """The frame is as high as its content; what others say is not heard."""
    page.wait_for_function("document.querySelector('iframe').height !== '420'")
    height = int(page.locator("iframe").get_attribute("height") or 0)
    inside = page.frames[1].evaluate("document.body.getBoundingClientRect().height")
    assert abs(height - inside) <= 1
    page.evaluate("window.postMessage({type: 'reviews:height', height: 9999}, '*')")
    page.frames[1].evaluate("parent.postMessage({type: 'reviews:height', height: 'tall'}, '*')")
    page.wait_for_timeout(200)
    assert int(page.locator("iframe").get_attribute("height") or 0) == height


class _Site:
    """A website of somebody's, on a port of its own."""

    address = ""
    body = ""


@contextmanager
def _website() -> Iterator[_Site]:
    site = _Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(site.body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.address = f"127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
