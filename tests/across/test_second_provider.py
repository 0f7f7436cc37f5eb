"""A second payment provider works everywhere, from its own file and one line of the registry."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery, ScheduledTask
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payments import checkout, connection
from workspace.payments.models import Connection, Payment
from workspace.payments.models.connection import KEY_PURPOSE
from workspace.payments.provider_registry import list_titles
from workspace.payments.status_sync import sync_payment
from workspace.payments.worker import RECONCILIATION_TASK, PaymentWorker
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api, make_api
from workspace.testing.fake_provider import KEY, FakeProvider, with_fake_provider
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.payment_shop import NAME, Shop
from workspace.testing.sign_in import make_person, sign_in

pytestmark = pytest.mark.django_db

PAGE = "/app/account/payments"
OFFER = {
    "line_items": [{"name": "Buffet", "quantity": 40, "unit_price": 25}],
    "deposit": {"percent": 20},
    "client_email": "ada@example.com",
}


@pytest.fixture
def testpay(monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    return with_fake_provider(monkeypatch)


@pytest.fixture
def browser() -> Client:
    return sign_in(make_person())


def read_page(browser: Client, path: str = "") -> str:
    answer = browser.get(PAGE + path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split("<main")[1].split())


def make_payable(api: Api, title: str) -> str:
    """Create an approved proposal with a deposit of €200. Return the path of its page."""
    made = api.run("svc_bid_create", title=title, **OFFER)
    api.run("svc_bid_edit", id=made["id"], currency="EUR")
    api.run("svc_bid_share_link", id=made["id"], mark_sent=True)
    api.run("svc_bid_decide", id=made["id"], decision="approved")
    return f"/p/{made['slug']}"


def start_deposit(path: str) -> str:
    """Post the payment button as a guest. Return the checkout's id."""
    answer = Client(headers={"sec-fetch-site": "same-origin"}).post(f"{path}/pay")
    assert answer.status_code == 303, answer.content.decode()
    assert answer["Location"].startswith("https://testpay.example/tpc_")
    return str(answer["Location"]).rpartition("/")[2]


def work() -> None:
    for _ in range(5):
        PaymentWorker(batch=50).run_once()


def test_an_owner_connects_it_and_a_deposit_is_paid_and_refunded(browser: Client, testpay: FakeProvider) -> None:
    account = Account.objects.get()
    api = make_api(account)
    path = make_payable(api, "Garden party")
    # connect
    offered = read_page(browser)
    assert f'href="{PAGE}/connect"' in offered and "Connect Stripe" in offered
    assert f'href="{PAGE}/connect/testpay"' in offered and "Connect Testpay" in offered
    assert f"can connect {list_titles()}" in run_text(api)
    form = read_page(browser, "/connect/testpay")
    assert "Connect Testpay" in form and "app &amp; tap Developers" in form and "Testpay token" in form
    assert "Stripe" not in form
    wrong = browser.post(f"{PAGE}/connect/testpay", {"key": "tp-wrong"})
    assert wrong.status_code == 422 and "does not know this token" in wrong.content.decode()
    assert browser.post(f"{PAGE}/connect/testpay", {"key": KEY}).status_code == 303
    assert browser.get(f"{PAGE}/connect/unknown").status_code == 404
    for at, words in (
        ("", "Corner Café at Testpay"),
        ("", "Events from Testpay"),
        ("", "moves no money"),
        ("/connect", "Testpay token"),
        ("/events", "https://testpay.example/hooks"),
        ("/disconnect", "Disconnect Testpay?"),
    ):
        page = read_page(browser, at)
        assert words in page and "Stripe" not in page, at
    assert browser.post(f"{PAGE}/events", {"secret": "short"}).status_code == 422
    row = Connection.objects.get()
    assert list(testpay.webhooks.values()) == [row.webhook_url]
    assert "/hooks/testpay/" in row.webhook_url
    assert "Testpay" in run_text(api) and "Stripe" not in run_text(api)
    # pay
    assert "Pay €200.00 deposit" in Client().get(path).content.decode()
    session = start_deposit(path)
    payment = Payment.objects.get()
    lifetime = payment.expires_at - payment.created_at
    assert (payment.provider, payment.session) == ("testpay", session)
    assert timedelta(days=2) < lifetime < testpay.max_lifetime
    # the webhook confirms
    testpay.pay(session)
    body, headers = testpay.sign(session)
    address = row.webhook_url.partition("8000")[2]
    kind = "application/json"
    assert Client().post(address, body + b" ", content_type=kind, headers=headers).status_code == 400
    assert Client().post(address.replace("testpay", "stripe"), body, content_type=kind).status_code == 404
    assert Client().post(address, body, content_type=kind, headers=headers).status_code == 200
    work()
    assert "Your deposit of €200.00 was received" in Client().get(path).content.decode()
    assert "Testpay charges nothing for it" in read_page(browser, f"/{payment.pk}/refund")
    # refund
    assert browser.post(f"{PAGE}/{payment.pk}/refund", {"amount": "50", "reason": "late"}).status_code == 303
    work()
    payment.refresh_from_db()
    assert (payment.refunded, payment.display_state) == (5000, "partly_refunded")
    assert [one.amount for one in testpay.checkouts[session].state.refunds] == [5000]
    # reconciliation finds a refund that no event reported
    testpay.refund(session, 15000)
    with time_machine.travel(clock.now() + timedelta(hours=21)):
        ScheduledTask.objects.filter(pk=RECONCILIATION_TASK).delete()
        work()
    payment.refresh_from_db()
    assert payment.display_state == "refunded"
    # disconnect
    open_one = start_deposit(make_payable(api, "Wedding"))
    assert browser.post(f"{PAGE}/disconnect").status_code == 303
    work()
    assert testpay.checkouts[open_one].state.state == "expired"
    assert not testpay.webhooks
    assert not Connection.objects.get().key
    assert "Connect Testpay" in read_page(browser)


def run_text(api: Api) -> str:
    """Return the text of the list of payments for an agent."""
    status, answer = api.post("payments/list", {})
    assert status == 200, answer
    found: Any = answer
    return str(found)


def test_a_rejected_key_is_reported_by_the_provider_s_title(testpay: FakeProvider) -> None:
    api = make_api()
    connected = connection.connect_provider(api.account, "testpay", KEY)
    path = make_payable(api, "Garden party")
    connected.key = encryption.encrypt_secret("tp-revoked", api.account.pk, KEY_PURPOSE)
    connected.save()
    answer = Client(headers={"sec-fetch-site": "same-origin"}).post(f"{path}/pay")
    assert answer.status_code == 409
    mails = [row.payload["subject"] for row in Delivery.objects.filter(kind="email") if row.payload]
    assert "Testpay rejected your key" in mails
    owner = Client()
    owner.force_login(api.account.owner)
    assert "Testpay rejected your key" in owner.get("/app").content.decode()


def test_a_payment_is_asked_for_only_where_it_was_started(stripe: FakeStripe, testpay: FakeProvider) -> None:
    shop = Shop(stripe)
    paid, unpaid = shop.open("paid"), shop.open("unpaid")
    stripe.pay(paid.session)
    sync_payment(paid.pk)
    connection.connect_provider(shop.account, "testpay", KEY)
    assert not stripe.hooks
    testpay.calls.clear()
    sync_payment(paid.pk)
    sync_payment(unpaid.pk)
    assert testpay.calls == []
    with write_transaction(), pytest.raises(OperationNotAllowedError, match="Refund it in Stripe"):
        checkout.start_refund(Payment.objects.get(pk=paid.pk))
    again = shop.open("unpaid")
    assert (again.pk != unpaid.pk, again.provider) == (True, "testpay")
    assert again.url.startswith("https://testpay.example/")
    assert not checkout.can_charge(shop.account, 5050, "EUR")
    assert Payment.objects.filter(account=shop.account, purpose=NAME, is_current=True, subject="unpaid").count() == 1
