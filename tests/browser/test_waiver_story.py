"""A waiver on a phone: the owner starts from a template, and a mother draws her signature for two children.

The emailed PDF verifies, a webhook is sent, and check-in finds the children. Then guests sign one after another on a
kiosk tablet, and the back button shows no one's data.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, assert_german
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import PATIENCE, Service
from workspace.testing.smtp_sink import Peer, start_sink
from workspace.testing.webhook_receiver import receiving

OWNER = "waivers@example.com"


@pytest.fixture(scope="module")
def post() -> Iterator[Peer]:
    peer = Peer()
    controller = start_sink(peer)
    try:
        yield peer
    finally:
        controller.stop()


@pytest.fixture(scope="module")
def service(post: Any) -> Iterator[Service]:
    """Run a service that may send webhooks and emails to this machine."""
    running = Service(
        WORKSPACE_WEBHOOK_NETWORKS="127.0.0.0/8",
        WORKSPACE_SMTP_HOST="127.0.0.1",
        WORKSPACE_SMTP_PORT=str(post.port),
        WORKSPACE_SMTP_SECURITY="none",
    ).migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


def test_a_family_signs_and_check_in_finds_them(
    service: Service, post: Peer, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    key = signed_in(service, phone, OWNER)
    service.operate("plan", "set", OWNER, "waiver", "pro")
    home = _create_waiver(service, phone)
    id = home.rpartition("/")[2]
    with receiving() as receiver:
        secret = _pushed_to(phone, home, receiver.url)
        guest = chromium.new_context(**GUEST)
        try:
            _signs_for_two(guest.new_page(), service.api(key, "svc_waiver_get", id=id)["public_url"])
            _until(lambda: receiver.got, phone)
            told = receiver.verified(secret)
            assert told["type"] == "waiver.signed"
            assert [one["name"] for one in told["data"]["participants"]] == ["Noor Said", "Sami Said"]
            copy = _mailed(post, "amira@example.net", phone)
            _proves_itself(guest.new_page(), service, copy, tmp_path)
        finally:
            guest.close()
    _at_the_door(service, phone, home)
    _at_the_counter(service, phone, chromium, key, home)


def _create_waiver(service: Service, page: Page) -> str:
    """Create a waiver from a template. Return the URL of its page."""
    page.goto(f"{service.url}/app/waiver")
    page.get_by_role("link", name="Create waiver").click()
    assert_accessible(page)
    page.get_by_role("radio", name="Water sports and boat rental").check(force=True)
    page.get_by_role("button", name="Create waiver").click()
    page.wait_for_url(re.compile(r"/app/waiver/wvr_"))
    assert_accessible(page)
    return page.url.split("?")[0]


def _pushed_to(page: Page, home: str, url: str) -> str:
    """Set a webhook for signings. Return its signing secret."""
    page.goto(f"{home}/rules")
    page.get_by_label("Webhook").fill(url)
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(re.sub(r"/app/.*", "/app/account/webhooks", home))
    page.get_by_role("link", name=url).click()
    page.get_by_role("button", name="Reveal secret").click()
    return page.locator("#secret").inner_text()


def _signs_for_two(page: Page, url: str) -> None:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if "Content Security" in said.text else None)
    page.goto(url)
    assert_german(page)
    page.get_by_role("link", name="Unterschreiben").click()
    page.get_by_label("Ihr voller Name").fill("Amira Said")
    page.get_by_role("button", name="Für ein Kind unterschreiben").click()
    expect(page.locator("#child-0-name")).to_be_focused()
    page.get_by_role("button", name="Noch ein Kind hinzufügen").click()
    expect(page.locator("#child-1-name")).to_be_focused()
    expect(page.get_by_label("Ihr voller Name")).to_have_value("Amira Said")
    page.get_by_label("E-Mail").fill("amira@example.net")
    for part, digits in (("day", "2"), ("month", "9"), ("year", "2019")):
        page.locator(f"#born-{part}").fill(digits)
    page.locator("#child-0-name").focus()
    expect(page.locator("#born-error")).to_contain_text("sorgeberechtigte")  # at once, before anything is sent
    for name, born in (("born", "12.4.1988"), ("child-0-born", "2.9.2019"), ("child-1-born", "20.2.2021")):
        for part, digits in zip(("day", "month", "year"), born.split("."), strict=True):
            page.locator(f"#{name}-{part}").fill(digits)
    page.locator("#child-0-name").fill("Noor Said")
    page.locator("#child-1-name").fill("Sami Said")
    for initials in page.get_by_label("Ihre Initialen").all():
        initials.fill("AS")
    page.get_by_role("group", name=re.compile("swim")).get_by_label("Ja").check()
    page.get_by_label(re.compile("Emergency contact")).fill("Ben, 0660 1234567")
    page.get_by_label(re.compile("illness, allergy")).fill("Sami: bees")
    assert_accessible(page)
    _draws(page)
    page.get_by_role("button", name="Neu zeichnen").click()
    expect(page.locator("[data-drawn]")).to_have_value("")
    _draws(page)
    # the browser checks the consent box; without that check, the server reports the error
    page.evaluate("document.querySelector('.w-form').noValidate = true")
    page.locator(".w-form .button[type=submit]").last.click()
    expect(page.locator("#consent-error")).to_be_visible()
    expect(page.locator("canvas")).to_be_visible()  # the drawing is restored
    page.goto(url)
    page.go_back()  # to the page with the errors, with all input
    expect(page.get_by_label("Ihr voller Name")).to_have_value("Amira Said")
    page.locator(".note a[href='#consent']").click()
    expect(page.locator("#consent")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    expect(page.locator("#born-error")).to_have_count(0)
    page.locator("[name=consent]").check()
    page.locator(".w-form .button[type=submit]").last.click()
    expect(page.get_by_role("heading", name="Vielen Dank")).to_be_visible()
    assert_accessible(page)
    assert not problems, problems


def _draws(page: Page) -> None:
    if (begin := page.get_by_role("button", name="Stattdessen zeichnen")).is_visible():
        begin.click()
    canvas = page.locator("canvas")
    expect(canvas).to_be_visible()
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 90)
    page.mouse.down()
    for step in range(1, 30):
        page.mouse.move(box["x"] + 30 + 8 * step, box["y"] + 90 - (40 if step % 2 else 0))
    page.mouse.up()
    page.wait_for_function("document.querySelector('[data-drawn]').value")


def _until(found: Callable[[], Any], page: Page) -> None:
    deadline = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def _mailed(post: Peer, to: str, page: Page) -> bytes:
    """Wait for the signed PDF in an email, and return it."""

    def copies() -> list[EmailMessage]:
        return [mail for recipient, mail in post.taken if recipient == to and list(mail.iter_attachments())]

    _until(copies, page)
    [mail] = copies()
    assert "Ausfertigung" in mail["Subject"] or "Kopie" in mail["Subject"], mail["Subject"]
    [pdf] = mail.iter_attachments()
    content = pdf.get_payload(decode=True)
    assert isinstance(content, bytes) and content.startswith(b"%PDF-")
    return content


def _proves_itself(page: Page, service: Service, copy: bytes, folder: Path) -> None:
    changed = copy.replace(b"/Type", b"/Typf", 1)
    for name, content, told in (("copy", copy, "Genau diese Datei"), ("changed", changed, "Geändert")):
        path = folder / f"{name}.pdf"
        path.write_bytes(content)
        page.goto(f"{service.url}/verify")
        page.locator("input[type=file]").set_input_files(path)
        page.locator("form .button").click()
        expect(page.locator("main")).to_contain_text(told)


def _at_the_door(service: Service, page: Page, home: str) -> None:
    page.goto(f"{home}/signatures")
    expect(page.locator("main")).to_contain_text("Noor Said")
    assert_accessible(page)
    page.goto(f"{service.url}/app/waiver/door")
    page.get_by_role("searchbox").fill("sami")
    card = page.get_by_role("main").locator("article")
    expect(card).to_contain_text("Sami Said")
    expect(card).to_contain_text("signed by Amira Said")
    assert_accessible(page)
    card.get_by_role("button", name="Check in Sami Said").click()
    expect(page.get_by_role("main")).not_to_contain_text("Check in")


def _at_the_counter(service: Service, page: Page, chromium: Browser, key: str, home: str) -> None:
    page.goto(f"{home}/kiosk")
    page.get_by_label("Kiosk").check()
    page.get_by_label("Exit PIN").fill("4711")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Use this device").click()
    assert_accessible(page)
    page.get_by_role("button", name="Start kiosk").click()
    page.wait_for_url(re.compile(r"/kiosk$"))
    start = page.url
    assert page.request.get(f"{service.url}/app", max_redirects=0).status == 302  # no session is left
    entries = page.evaluate("history.length")
    expect(page.get_by_role("link", name="Read and sign")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_label("Your full name").fill("Ben Okafor")
    assert_accessible(page)
    page.get_by_role("button", name="Sign for a child").click()
    expect(page.locator("#child-0-name")).to_be_focused()
    expect(page.get_by_label("Your full name")).to_have_value("Ben Okafor")

    # an idle guest is asked, then the form is reset
    page.clock.install()
    page.get_by_role("link", name="Start over").click()
    page.get_by_role("link", name="Read and sign").click()
    expect(page.get_by_label("Your full name")).to_have_value("")
    page.get_by_label("Your full name").fill("Cy Man")
    page.clock.run_for(62_000)
    expect(page.get_by_role("dialog")).to_be_visible()
    assert_accessible(page)
    page.clock.run_for(12_000)
    page.wait_for_url(start)
    page.get_by_role("link", name="Read and sign").click()
    expect(page.get_by_label("Your full name")).to_have_value("")
    assert page.evaluate("history.length") == entries  # each step replaced the previous history entry
    page.goto(f"{start}?leave")
    page.get_by_label("PIN").fill("4711")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/sign-in/"))
    page.goto(start)
    expect(page.get_by_role("heading", name="This device isn’t set up as a kiosk")).to_be_visible()
