"""A plan is bought on a phone, and its limit is lifted; a friend joins by a link, pays, and both see a month."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import GUEST, assert_accessible
from tests.service import Service
from workspace.billing.tests.fake_billing import FakeBilling
from workspace.payments.tests.fake_stripe import KEY, SECRET
from workspace.payments.tests.stripe_server import fake_stripe


@pytest.fixture
def stripe() -> Iterator[FakeBilling]:
    fake = FakeBilling()
    with fake_stripe(fake):
        yield fake


@pytest.fixture
def service(stripe: FakeBilling) -> Iterator[Service]:
    found = Service(
        WORKSPACE_STRIPE_URL=stripe.url,
        WORKSPACE_WEBHOOK_NETWORKS="127.0.0.0/8",
        WORKSPACE_PAYMENTS="on",
        WORKSPACE_STRIPE_KEY=KEY,
        WORKSPACE_STRIPE_WEBHOOK_SECRET=SECRET,
    )
    found.migrate().start()
    try:
        yield found
    finally:
        found.stop()


def _tell(service: Service, body: bytes, signature: str) -> None:
    head = {"Content-Type": "application/json", "Stripe-Signature": signature}
    with urllib.request.urlopen(
        urllib.request.Request(f"{service.url}/hooks/stripe", body, head), timeout=60
    ) as answer:
        assert answer.status == 200


def _owner(service: Service, page: Page, email: str, name: str) -> str:
    made = json.loads(service.operate("account", "create", email, "--name", name, "--admin", "--json"))
    page.goto(made["sign_in_link"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()
    return str(made["api_key"])


def _buy(service: Service, page: Page, product: str) -> None:
    page.goto(f"{service.url}/app/plans")
    section = page.locator(f"#{product}")
    section.get_by_text("See plans").click()
    section.get_by_role("link", name=re.compile("Choose Pro")).click()
    assert_accessible(page)
    page.get_by_role("button", name=re.compile("Go to payment|Pay and change")).click()
    page.get_by_role("button", name="Pay").click()
    expect(page.get_by_text("is on Pro.")).to_be_visible()


def test_a_plan_is_bought_and_a_friend_brings_a_month(
    service: Service, stripe: FakeBilling, phone: Page, chromium: Browser
) -> None:
    key = _owner(service, phone, "o@example.com", "Corner Café")
    for number in range(10):
        service.api(key, "svc_qr_create", name=str(number), target_url="example.com")
    phone.goto(f"{service.url}/app/plans")
    expect(phone.locator("#qr")).to_contain_text("10 of 10 QR codes")
    assert_accessible(phone)
    _buy(service, phone, "qr")
    service.api(key, "svc_qr_create", name="one more", target_url="example.com")
    phone.reload()
    expect(phone.locator("#qr")).to_contain_text("11 QR codes")
    phone.goto(f"{service.url}/app/invite")
    assert_accessible(phone)
    link = service.api(key, "svc_invite_link")["invite_url"]

    stripe.push = lambda body, signature: _tell(service, body, signature)
    stripe.card = "the friend's"
    context = chromium.new_context(**GUEST)
    friend = context.new_page()
    friend.set_default_timeout(60_000)
    try:
        friend.goto(link)
        expect(friend.get_by_role("heading", name="Corner Café lädt Sie ein")).to_be_visible()
        assert_accessible(friend)
        code = link.rpartition("/")[2]
        _owner(service, friend, "f@example.com", "Bookshop")
        friend.goto(f"{service.url}/app/invite")
        friend.get_by_label("The code of who invited you").fill(code)
        friend.get_by_role("button", name="Enter it").click()
        expect(friend.get_by_text("Thank you: you both get")).to_be_visible()
        _buy(service, friend, "quote")
    finally:
        context.close()
    phone.goto(f"{service.url}/app/invite")
    for _ in range(60):
        if phone.get_by_text("your month came off your invoice").is_visible():
            break
        phone.wait_for_timeout(500)
        phone.reload()
    expect(phone.get_by_text("your month came off your invoice")).to_be_visible()
    expect(phone.locator("main")).to_contain_text("Bookshop")
    assert sorted(-one["amount"] for one in stripe.given) == [1500, 1500]
    assert KEY not in service.log
