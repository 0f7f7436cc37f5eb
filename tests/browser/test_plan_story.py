"""A plan is bought on a phone, which lifts its limit.

A friend signs up by a link and pays, and both get a free month.

Then the plan is cancelled, and all items remain.
"""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.mail_server import link_in, mailed, receiving_mail
from tests.browser.pages import GUEST, assert_accessible, sign_in_by_link
from workspace.testing.fake_billing import FakeBilling
from workspace.testing.fake_stripe import KEY, SECRET
from workspace.testing.service import Service
from workspace.testing.smtp_sink import Peer
from workspace.testing.stripe_server import fake_stripe


@pytest.fixture
def stripe() -> Iterator[FakeBilling]:
    fake = FakeBilling()
    with fake_stripe(fake):
        yield fake


@pytest.fixture
def post() -> Iterator[Peer]:
    with receiving_mail() as (peer, settings):
        peer.settings = settings  # type: ignore[attr-defined]
        yield peer


@pytest.fixture
def service(stripe: FakeBilling, post: Peer) -> Iterator[Service]:
    found = Service(
        **post.settings,  # type: ignore[attr-defined]
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


def _send_event(service: Service, body: bytes, signature: str) -> None:
    head = {"Content-Type": "application/json", "Stripe-Signature": signature}
    with urllib.request.urlopen(
        urllib.request.Request(f"{service.url}/hooks/stripe", body, head), timeout=60
    ) as answer:
        assert answer.status == 200


def _owner(service: Service, page: Page, email: str, name: str) -> str:
    made = json.loads(service.operate("account", "create", email, "--name", name, "--admin", "--json"))
    sign_in_by_link(page, made["sign_in_link"])
    return str(made["api_key"])


def _buy(service: Service, page: Page, product: str) -> None:
    page.goto(f"{service.url}/app/plans")
    section = page.locator(f"#{product}")
    section.get_by_text("View plans").click()
    section.get_by_role("link", name=re.compile("Choose Pro")).click()
    assert_accessible(page)
    page.get_by_role("button", name=re.compile("Continue to payment|Pay and change plan")).click()
    page.get_by_role("button", name="Pay").click()
    expect(page.get_by_text("plan changed to Pro.")).to_be_visible()


def test_a_plan_is_bought_and_an_invited_friend_earns_a_free_month(
    service: Service, stripe: FakeBilling, post: Peer, phone: Page, chromium: Browser
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

    stripe.push = lambda body, signature: _send_event(service, body, signature)
    stripe.card = "the friend's"
    context = chromium.new_context(**GUEST)
    friend = context.new_page()
    friend.set_default_timeout(60_000)
    try:
        friend.goto(link)
        expect(friend.get_by_role("heading", name="Corner Café lädt Sie ein")).to_be_visible()
        assert_accessible(friend)
        friend.get_by_role("link", name="Konto anlegen").click()
        friend.get_by_label("Your name").fill("Fred Friend")
        friend.get_by_label("Business name").fill("Bookshop")
        friend.get_by_label("Industry").select_option(label="Other")
        friend.get_by_label("Email address").fill("f@example.com")
        friend.get_by_label("Password").fill("many words in a row")
        friend.get_by_role("button", name="Create account").click()
        expect(friend.get_by_text("We sent a link to")).to_be_visible()
        friend.goto(link_in(mailed(post, "f@example.com", "onfirm", friend)))
        friend.get_by_role("button", name="Confirm address").click()
        friend.wait_for_url("**/app/welcome")
        friend.goto(f"{service.url}/app/invite")
        expect(friend.locator("main")).to_contain_text("Corner Café")
        _buy(service, friend, "quote")
    finally:
        context.close()
    phone.goto(f"{service.url}/app/invite")
    for _ in range(120):
        if phone.get_by_text("Your free month was credited to your invoice").is_visible():
            break
        phone.wait_for_timeout(500)
        phone.reload()
    expect(phone.get_by_text("Your free month was credited to your invoice")).to_be_visible()
    expect(phone.locator("main")).to_contain_text("Bookshop")
    assert sorted(-one["amount"] for one in stripe.given) == [1500, 1500]
    assert KEY not in service.log
    _ends_it(service, stripe, phone, key)


def _ends_it(service: Service, stripe: FakeBilling, page: Page, key: str) -> None:
    page.goto(f"{service.url}/app/plans")
    page.get_by_role("button", name="Cards and invoices").click()
    page.wait_for_url(f"{stripe.url}/portal")
    page.goto(f"{service.url}/app/plans")
    section = page.locator("#qr")
    section.get_by_text("Change plan").click()
    section.get_by_role("link", name="Cancel plan").click()
    expect(page.locator("main")).to_contain_text("Nothing is deleted")
    assert_accessible(page)
    page.get_by_role("button", name="Cancel plan").click()
    expect(page.locator("#qr")).to_contain_text("then Free")
    service.api(key, "svc_qr_create", name="while it is paid for", target_url="example.com")
    [id] = [one["id"] for one in stripe.subscriptions.values() if one["cancel_at_period_end"]]
    stripe.become(id, "canceled")
    for _ in range(120):
        if page.locator("#sum").inner_text() == "Free":
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("#qr")).to_contain_text("12 of 10 QR codes")
    assert service.api(key, "svc_qr_list", limit=1)["total"] == 12
    page.goto(f"{service.url}/app/qr/new")
    expect(page.get_by_role("heading", name="Plan limit reached")).to_be_visible()  # before a form is filled in
    page.get_by_role("link", name="choose a larger plan").first.click()
    page.wait_for_url("**/app/plans")
