"""A booking on a phone: chosen, paid, rescheduled by the link in the email, and cancelled.

It runs with scripts, which use the guest's time zone, and without.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, assert_german, sign_in_by_link
from tests.browser.website import Site, website
from workspace.testing.fake_stripe import KEY, FakeStripe
from workspace.testing.service import Service
from workspace.testing.smtp_sink import Peer, start_sink
from workspace.testing.stripe_server import fake_stripe

ALWAYS = [{"from": "08:00", "until": "20:00"}]


@pytest.fixture
def stripe() -> Iterator[FakeStripe]:
    with fake_stripe() as fake:
        yield fake


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    controller = start_sink(peer)
    yield peer
    controller.stop()


@pytest.fixture
def service(stripe: FakeStripe, peer: Peer) -> Iterator[Service]:
    given = {
        "WORKSPACE_STRIPE_URL": stripe.url,
        "WORKSPACE_WEBHOOK_NETWORKS": "127.0.0.0/8",
        "WORKSPACE_SMTP_HOST": "127.0.0.1",
        "WORKSPACE_SMTP_PORT": str(peer.port),
        "WORKSPACE_SMTP_SECURITY": "none",
    }
    found = Service(**given).migrate().start()
    try:
        yield found
    finally:
        found.stop()


def _link(peer: Peer, page: Page, to: str, subject: str) -> str:
    """Wait for an email. Return the guest's link in it."""
    for _ in range(1200):
        for recipient, message in reversed(peer.taken):
            if recipient == to and subject in message["Subject"]:
                text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
                return re.findall(r"https?://\S+/visit/\S+", text)[0]
        page.wait_for_timeout(100)
    raise AssertionError([(one, message["Subject"]) for one, message in peer.taken])


def _fill_in(page: Page, email: str) -> None:
    page.get_by_label("Ihr Name").fill("Ida Stern")
    page.get_by_label("E-Mail").fill(email)
    came = "performance.getEntriesByType('navigation')[0].responseEnd"
    page.evaluate(f"new Promise((resume) => setTimeout(resume, Math.max(0, 2500 + {came} - performance.now())))")


def test_a_guest_books_pays_reschedules_and_cancels(
    service: Service, stripe: FakeStripe, peer: Peer, phone: Page, chromium: Browser
) -> None:
    made = json.loads(service.operate("account", "create", "o@example.com", "--name", "Salon Eck", "--admin", "--json"))
    key = made["api_key"]
    sign_in_by_link(phone, made["sign_in_link"])
    phone.goto(f"{service.url}/app/account/payments")
    phone.get_by_role("link", name="Connect Stripe").click()
    phone.get_by_label("Secret or restricted key").fill(KEY)
    phone.get_by_role("button", name="Connect").click()
    expect(phone.locator("main")).to_contain_text("Test mode")
    terms = {"cancel_until": 0, "move_until": 0, "notice": 0}
    page = service.api(
        key, "svc_booking_create", name="Ihr Termin", hours=ALWAYS, time_zone="Europe/Vienna", currency="EUR",
        services=[
            {"name": "Schnitt", "duration": 30, "price": 40, "payment": "deposit", "deposit": 15, **terms},
            {"name": "Beratung", "duration": 20, **terms},
        ],
    )  # fmt: skip

    context = chromium.new_context(**GUEST, timezone_id="Asia/Kolkata")
    guest = context.new_page()
    guest.set_default_timeout(60_000)
    problems: list[str] = []
    guest.on("pageerror", lambda error: problems.append(str(error)))
    guest.on("console", lambda said: problems.append(said.text) if "Content Security" in said.text else None)
    guest.goto(page["public_url"])
    assert_german(guest)
    assert_accessible(guest)
    guest.get_by_role("link", name="Schnitt").click()
    expect(guest.locator("#b-when")).to_contain_text("Asia/Calcutta")  # Chromium's name for it
    guest.get_by_role("link", name="Später").click()
    expect(guest.locator("legend")).to_be_focused()
    days = guest.locator(".b-days a")
    chosen = days.nth(9)
    chosen.click()
    expect(chosen).to_have_attribute("aria-current", "date")
    expect(guest.locator("legend")).to_be_focused()
    expect(guest.locator(".b-days [aria-current]")).to_have_count(1)
    assert_accessible(guest)
    guest.locator(".b-times input").nth(2).check()
    guest.get_by_role("button", name="Weiter").click()
    expect(guest.locator(".b-when")).to_contain_text("Europe/Vienna")
    assert_accessible(guest)
    _fill_in(guest, "ida@example.com")
    guest.get_by_role("button", name="Weiter zur Zahlung").click()
    guest.get_by_role("button", name="Pay").click()
    expect(guest.get_by_role("heading", name="Ihr Termin ist gebucht")).to_be_visible()
    expect(guest.locator("main")).to_contain_text("Online bezahlt: 15,00")
    assert_german(guest)
    assert_accessible(guest)

    guest.goto(_link(peer, guest, "ida@example.com", "Termin bestätigt"))
    guest.get_by_role("link", name="Eine andere Zeit wählen").click()
    expect(guest.locator("#b-when")).to_contain_text("Asia/Calcutta")
    guest.locator(".b-times input").first.check()
    assert_accessible(guest)
    guest.get_by_role("button", name="Termin verschieben").click()
    expect(guest.get_by_role("heading", name="Ihr Termin wurde verschoben")).to_be_visible()
    guest.goto(_link(peer, guest, "ida@example.com", "Termin verschoben"))
    guest.get_by_role("link", name="Termin absagen").click()
    expect(guest.locator("main")).to_contain_text("wird auf dem Weg erstattet")
    guest.get_by_role("button", name="Termin absagen").click()
    expect(guest.get_by_role("heading", name="Dieser Termin ist abgesagt")).to_be_visible()
    assert_accessible(guest)
    context.close()
    assert not problems, problems
    assert [row["status"] for row in service.api(key, "svc_booking_list", upcoming=False)["items"]] == ["cancelled"]

    with website("localhost") as shop:  # another site than our pages: browsers isolate its frames
        service.api(key, "svc_booking_edit", page_id=page["id"], hosts=[shop.address])
        script = service.api(key, "svc_booking_get", page_id=page["id"])["page"]["script"]
        _in_a_frame(chromium, shop, script.replace(" async", " data-pass async"))
    [paid] = service.api(key, "svc_booking_list")["items"]
    assert (paid["name"], paid["paid"], paid["status"]) == ("Cy Day", 15, "confirmed")

    context = chromium.new_context(**GUEST, java_script_enabled=False)
    guest = context.new_page()
    guest.goto(page["public_url"])
    guest.get_by_role("link", name="Beratung").click()
    expect(guest.locator("#b-when")).to_contain_text("Europe/Vienna")
    guest.locator(".b-days a").last.click()
    guest.locator(".b-times input").last.check()
    guest.get_by_role("button", name="Weiter").click()
    guest.get_by_label("Ihr Name").fill("Bo Lang")
    guest.get_by_label("E-Mail").fill("bo@example.com")
    phone.wait_for_timeout(2500)  # no one types faster
    guest.get_by_role("button", name="Termin buchen").click()
    expect(guest.get_by_role("heading", name="Ihr Termin ist gebucht")).to_be_visible()
    guest.goto(_link(peer, phone, "bo@example.com", "Termin bestätigt"))
    guest.get_by_role("link", name="Termin absagen").click()
    guest.get_by_role("button", name="Termin absagen").click()
    expect(guest.get_by_role("heading", name="Dieser Termin ist abgesagt")).to_be_visible()
    context.close()


def _in_a_frame(chromium: Browser, shop: Site, script: str) -> None:
    """Book on the owner's website with a prefilled form.

    Payment opens in a separate window, since no provider allows frames.
    """
    context = chromium.new_context(**GUEST)
    context.set_default_timeout(60_000)
    outside = context.new_page()
    problems: list[str] = []
    outside.on("pageerror", lambda error: problems.append(str(error)))
    shop.body = f"<!doctype html><html lang=de><title>Eck</title><h1>Salon Eck</h1>{script}"
    outside.goto(f"http://{shop.address}/?name=Cy Day")
    inside = outside.frame_locator("iframe")
    inside.get_by_role("link", name="Schnitt").click()
    inside.get_by_role("link", name="Später").click()
    expect(inside.locator("legend")).to_be_focused()
    inside.locator(".b-times input").nth(1).check()
    inside.get_by_role("button", name="Weiter").click()
    expect(inside.get_by_label("Ihr Name")).to_have_value("Cy Day")
    inside.get_by_label("E-Mail").fill("cy@example.com")
    outside.wait_for_timeout(2500)  # no one types faster
    inside.get_by_role("button", name="Weiter zur Zahlung").click()
    expect(inside.get_by_role("heading", name="Bitte bezahlen Sie")).to_be_visible()
    with context.expect_page() as opened:
        inside.get_by_role("button", name="15,00").click()
    opened.value.get_by_role("button", name="Pay").click()
    expect(opened.value.get_by_role("heading", name="Ihr Termin ist gebucht")).to_be_visible()
    expect(inside.get_by_role("heading", name="Ihr Termin ist gebucht")).to_be_visible()  # the page polls
    context.close()
    assert not problems, problems
