"""A deposit on a phone: the owner connects Stripe, a client approves, pays at Stripe's page and returns.

Both see the payment, whether Stripe's event arrives before the return, never, or after it.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, sign_in_by_link
from workspace.testing.fake_stripe import KEY, FakeStripe
from workspace.testing.service import Service
from workspace.testing.stripe_server import fake_stripe

OFFER = {"line_items": [{"name": "Buffet", "quantity": 60, "unit_price": 28.5}], "deposit": {"percent": 30}}


@pytest.fixture
def stripe() -> Iterator[FakeStripe]:
    with fake_stripe() as fake:
        yield fake


@pytest.fixture
def service(stripe: FakeStripe) -> Iterator[Service]:
    given = {"WORKSPACE_STRIPE_URL": stripe.url, "WORKSPACE_WEBHOOK_NETWORKS": "127.0.0.0/8"}
    found = Service(**given).migrate().start()
    try:
        yield found
    finally:
        found.stop()


def _send_event(stripe: FakeStripe, body: bytes) -> None:
    """Send an event as Stripe does, to the configured URL."""
    [address] = stripe.hooks.values()
    head = {"Content-Type": "application/json", "Stripe-Signature": stripe.signed(body)}
    with urllib.request.urlopen(urllib.request.Request(address, body, head), timeout=60) as answer:
        assert answer.status == 200


def _sent(service: Service, key: str, title: str, **decided: Any) -> dict[str, Any]:
    made: dict[str, Any] = service.api(key, "svc_bid_create", title=title, client_email="ada@example.com", **OFFER)
    service.api(key, "svc_bid_share_link", id=made["id"], mark_sent=True)
    if decided:
        service.api(key, "svc_bid_decide", id=made["id"], **decided)
    return made


def _pay(guest: Page) -> None:
    guest.get_by_role("button", name="Anzahlung von 513,00").click()
    expect(guest.get_by_role("heading", name="Anzahlung: ")).to_be_visible()
    guest.get_by_role("button", name="Pay").click()


def test_a_deposit_is_paid(service: Service, stripe: FakeStripe, phone: Page, chromium: Browser) -> None:
    made = json.loads(service.operate("account", "create", "o@example.com", "--name", "Café", "--admin", "--json"))
    key = made["api_key"]
    sign_in_by_link(phone, made["sign_in_link"])
    phone.goto(f"{service.url}/app/account/payments")
    phone.get_by_role("link", name="Connect Stripe").click()
    phone.get_by_label("Secret or restricted key").fill(KEY)
    assert_accessible(phone)
    phone.get_by_role("button", name="Connect").click()
    expect(phone.locator("main")).to_contain_text("Test mode")
    assert_accessible(phone)

    context = chromium.new_context(**GUEST)
    guest = context.new_page()
    guest.set_default_timeout(60_000)
    arrived = guest.locator("#deposit", has_text="Die Anzahlung von 513,00 $ ist eingegangen")
    try:
        # the event arrives before the client returns
        before = _sent(service, key, "Before")
        guest.goto(before["public_url"])
        guest.get_by_label("Ihr voller Name").fill("Ada Berger")
        guest.get_by_label("E-Mail", exact=True).fill("ada@example.com")
        guest.locator("[name=agreed]").check()
        # no one reads a proposal faster than this
        came = "performance.getEntriesByType('navigation')[0].responseEnd"
        guest.evaluate(f"new Promise((resume) => setTimeout(resume, Math.max(0, 2500 + {came} - performance.now())))")
        guest.locator("[data-approve]").click()
        expect(guest.locator("#deposit")).to_contain_text("Jetzt ist eine Anzahlung")
        assert_accessible(guest)
        stripe.push = lambda body, signature: _send_event(stripe, body)
        _pay(guest)
        expect(arrived).to_be_visible()
        # no event arrives: the client's return is sufficient
        stripe.push = None
        never = _sent(service, key, "Never", decision="approved")
        guest.goto(never["public_url"])
        _pay(guest)
        expect(arrived).to_be_visible()
        # the event arrives later: the page polls and shows it
        after = _sent(service, key, "After", decision="approved")
        guest.goto(after["public_url"])
        guest.get_by_role("button", name="Anzahlung von 513,00").click()
        stripe.failing = [lambda method, path: 503]
        guest.get_by_role("button", name="Pay").click()
        expect(guest.locator("#deposit")).to_contain_text("wird gerade bestätigt")
        stripe.failing = []
        _send_event(stripe, stripe.events[-1])
        expect(arrived).to_be_visible()
    finally:
        context.close()
    phone.goto(f"{service.url}/app/bid/{before['id']}/timeline")
    expect(phone.locator("main")).to_contain_text("Paid online")
    phone.goto(f"{service.url}/app/account/payments")
    expect(phone.get_by_role("link", name="Refund")).to_have_count(3)
    assert_accessible(phone)
    assert KEY not in service.log
