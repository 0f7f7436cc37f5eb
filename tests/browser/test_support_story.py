"""A support ticket from a phone: help is suggested while typing, and the ticket is sent with a picture.

The administrator answers from the inbox. The owner's reply by email is added to the ticket over real SMTP.
"""

from __future__ import annotations

import json
import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.mail_server import mailed, receiving_mail, text_of
from tests.browser.pages import assert_accessible, sign_in_by_link
from tests.browser.test_menu_story import signed_in
from workspace.testing.ports import free_port
from workspace.testing.service import Service
from workspace.testing.smtp_sink import Peer

OPERATOR, OWNER, HELP = "team@example.com", "omar@example.com", "help@service.example"


@pytest.fixture
def post() -> Iterator[Peer]:
    with receiving_mail() as (peer, settings):
        peer.settings = settings  # type: ignore[attr-defined]
        yield peer


@pytest.fixture
def incoming() -> int:
    return free_port()


@pytest.fixture
def service(post: Peer, incoming: int) -> Iterator[Service]:
    found = Service(
        WORKSPACE_SUPPORT_ADDRESS=HELP,
        WORKSPACE_SMTP_LISTEN=f"smtp://127.0.0.1:{incoming}",
        WORKSPACE_OPERATOR_EMAIL=OPERATOR,
        **post.settings,  # type: ignore[attr-defined]
    )
    found.migrate().start()
    try:
        yield found
    finally:
        found.stop()


def test_a_ticket_is_answered_and_the_reply_by_email_is_added(
    service: Service, post: Peer, incoming: int, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    made = json.loads(service.operate("account", "create", OWNER, "--name", "مقهى عمر", "--json"))
    sign_in_by_link(phone, next(word for word in service.operate("sign-in", OWNER).split() if word.startswith("http")))
    _finds_help(service, phone)
    number = _asks(service, phone, tmp_path)
    assert number in text_of(mailed(post, OWNER, "A code leads nowhere", phone))
    mailed(post, OPERATOR, "A code leads nowhere", phone)

    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", reduced_motion="reduce")
    team = context.new_page()
    team.set_default_timeout(60_000)
    try:
        signed_in(service, team, OPERATOR)
        team.goto(f"{service.url}/app/inbox")
        expect(team.locator("main")).to_contain_text("مقهى عمر")
        assert_accessible(team)
        team.get_by_role("link", name="A code leads nowhere").click()
        expect(team.get_by_role("link", name="door.jpeg")).to_be_visible()
        assert team.request.get(team.get_by_role("link", name="door.jpeg").evaluate("one => one.href")).ok
        assert_accessible(team)
        team.locator("main textarea").fill("Which code is it? You find its address beside it.")
        team.get_by_role("button", name="Send reply").click()
        expect(team.locator(".toasts")).to_be_visible()

        answer = mailed(post, OWNER, f"[#{number}]", phone)
        if "Which code is it?" not in text_of(answer):
            answer = mailed(post, OWNER, "Re: A code", phone)
        _replies(answer, incoming, "The one on the door.")
        _until_it_says(phone, "The one on the door.")
        expect(phone.locator("main")).to_contain_text("Which code is it?")
        assert_accessible(phone)
        team.goto(f"{service.url}/app/inbox")
        team.get_by_role("link", name="A code leads nowhere").click()
        expect(team.locator("main")).to_contain_text("The one on the door.")
    finally:
        context.close()
    thread = service.api(made["api_key"], "svc_support_tickets")["tickets"][0]
    assert (thread["status"], str(thread["number"])) == ("open", number)
    phone.get_by_role("button", name="Close ticket").click()
    expect(phone.locator(".toasts")).to_contain_text("Ticket closed")


def _finds_help(service: Service, page: Page) -> None:
    page.goto(f"{service.url}/help")
    assert_accessible(page)
    page.get_by_role("searchbox").fill("sold ou")
    page.get_by_role("link", name="sold out").first.click()
    expect(page.locator("main img").first).to_be_visible()
    page.wait_for_function("() => document.querySelector('main img').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)


def _asks(service: Service, page: Page, folder: Path) -> str:
    """Open a ticket. Return its number."""
    page.goto(f"{service.url}/app/support")
    page.get_by_label("Subject").press_sequentially("A code leads nowhere")
    expect(page.locator("#suggested a").first).to_be_visible()  # while typing
    assert_accessible(page)
    page.get_by_label("Product", exact=True).select_option(label="QR codes")
    page.get_by_label("Message").fill("It said <b>nothing</b> & http://example.com/x was not there.")
    page.get_by_role("button", name="Send message").click()
    expect(page.locator(".toasts")).to_contain_text("Ticket #")
    Image.new("RGB", (40, 30), "teal").save(folder / "door.png")
    page.get_by_label("Your message").fill("Here is a picture.")
    page.locator("input[type=file]").set_input_files(folder / "door.png")
    page.get_by_role("button", name="Send message", exact=True).click()
    expect(page.get_by_role("link", name="door.jpeg")).to_be_visible()  # re-encoded under the same name
    assert_accessible(page)
    return page.locator(".lead").inner_text().split()[1].lstrip("#")


def _replies(answer: EmailMessage, port: int, text: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = OWNER, str(answer["Reply-To"]), str(answer["Subject"])
    mail["Message-ID"], mail["In-Reply-To"] = "<one@phone.example>", str(answer["Message-ID"])
    mail.set_content(f"{text}\n\nOn Sunday the team wrote:\n> Which code is it?\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as peer:
        peer.send_message(mail)


def _until_it_says(page: Page, text: str) -> None:
    for _ in range(200):
        if page.locator("main").get_by_text(text, exact=True).count():
            return
        page.wait_for_timeout(300)
        page.reload()
    raise AssertionError(page.locator("main").inner_text())
