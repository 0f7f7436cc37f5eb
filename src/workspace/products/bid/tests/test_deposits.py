"""Deposits paid online from the client's page: offered, confirmed, recorded and refunded."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.audit_trail import verification
from workspace.delivery.mail import KIND, parse_message
from workspace.delivery.models import Delivery
from workspace.payment_clients import circuit_breaker
from workspace.payments import checkout, connection
from workspace.payments.models import Payment
from workspace.payments.status_sync import sync_payment
from workspace.products.bid.models import Decision
from workspace.products.bid.tests.clients import ADA, approve, get_opened
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api, make_api
from workspace.testing.fake_stripe import KEY, FakeStripe
from workspace.testing.samples.bid import make_sent

pytestmark = pytest.mark.django_db


class Deal:
    """An approved proposal with a deposit of $200, and its page in the client's browser."""

    def __init__(self, stripe: FakeStripe, *, connected: bool = True) -> None:
        self.stripe, self.api = stripe, make_api()
        if connected:
            connection.connect_provider(self.api.account, "stripe", KEY)
        self.bid = make_sent(self.api)
        self.decision = approve(get_opened(self.bid["id"]), signer=ADA)
        self.client, self.path = Client(headers={"sec-fetch-site": "same-origin"}), f"/p/{self.bid['slug']}"

    def page(self, query: str = "") -> str:
        return " ".join(self.client.get(self.path + query).content.decode().split())

    def pay(self) -> str:
        """Post the payment button. Return the id of the payment session."""
        answer = self.client.post(f"{self.path}/pay")
        assert answer.status_code == 303, answer.content.decode()
        return str(answer["Location"]).rpartition("/")[2]

    def come_back(self, session: str) -> str:
        answer = self.client.get(self.stripe.sessions[session]["success_url"].partition("8000")[2])
        assert answer["Location"] == self.path
        return self.page()

    def fetch_bid(self) -> dict[str, Any]:
        result: dict[str, Any] = self.api.run("svc_bid_get", id=self.bid["id"])
        return result

    def happened(self) -> list[str]:
        return [item["what"] for item in self.fetch_bid()["status_history"] if "deposit" in item["what"]]


def subjects() -> list[str]:
    return [
        str(parse_message(row)["subject"]) for row in Delivery.objects.filter(kind=KIND).order_by("created_at", "id")
    ]


def test_an_approved_deposit_is_paid_and_both_sides_see_it(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    assert "A deposit of $200.00 is due now" in deal.page()
    session = deal.pay()
    made = stripe.sessions[session]
    assert (made["amount_total"], made["currency"], made["customer_email"]) == (20000, "usd", "ada@example.com")
    assert made["title"] == "Deposit: Garden party 0"
    assert deal.pay() == session  # a second request returns the same session
    stripe.pay(session)
    assert "Your deposit of $200.00 was received" in deal.come_back(session)
    assert "Pay deposit" not in deal.page()
    [decision] = deal.fetch_bid()["decisions"]
    assert (decision["deposit_state"], decision["proof"]) == ("paid", "holds")
    payment = Payment.objects.get()
    assert decision["deposit_payment"] == payment.pk
    assert deal.happened() == ["deposit_paid"]
    record = verification.find_record_content(
        deal.api.account, deal.decision.proposal.events.get(kind="deposit_paid").details["record"]
    )
    assert (
        record is not None
        and record["data"]["amount"] == 20000
        and record["data"]["reference"] == payment.payment_intent
    )
    assert subjects()[-2:] == ["Deposit received: Garden party 0", "Deposit paid: Garden party 0, $200.00"]
    assert deal.client.post(f"{deal.path}/pay").status_code == 409
    refused = deal.api.refuse("svc_bid_decide", id=deal.bid["id"], decision="approved", deposit_paid=False)
    assert "svc_payments_refund" in refused["message"]
    # refunded in two parts
    row = deal.api.run("svc_payments_list", subject=deal.decision.pk)["items"][0]
    assert row["page"].endswith(f"/app/bid/{deal.bid['id']}/timeline")
    for amount, words in ((50, "$50.00 of it was refunded"), (None, "Your deposit of $200.00 was refunded")):
        deal.api.run("svc_payments_refund", payment_id=row["id"], **({"amount": amount} if amount else {}))
        sync_payment(row["id"])
        sync_payment(row["id"])
        assert words in deal.page()
    assert deal.happened() == ["deposit_paid", "deposit_back", "deposit_back"]
    assert subjects()[-1] == "Deposit refunded: Garden party 0"


def test_until_stripe_confirms_the_page_waits_and_offers_no_payment(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    session = deal.pay()
    stripe.pay(session)
    stripe.failing = [503]
    page = deal.come_back(session)
    refresh = '<meta http-equiv="refresh" content="4;'
    assert "is being confirmed" in page and refresh in page and "Pay deposit" not in page
    circuit_breaker._unavailable_until.clear()
    sync_payment(Payment.objects.get().pk)
    page = deal.page()
    assert "was received" in page and refresh not in page
    assert page.count('http-equiv="refresh"') == page.count("<noscript><meta") == 1, "for the signed PDF"


def test_a_slow_payment_that_fails_allows_another_payment(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    session = deal.pay()
    stripe.pay(session, later=True)
    assert "is on its way" in deal.come_back(session)
    assert deal.client.post(f"{deal.path}/pay").status_code == 409
    stripe.bounce(session)
    sync_payment(Payment.objects.get().pk)
    page = deal.page()
    assert "failed" in page and "Pay $200.00 deposit" in page
    assert subjects()[-2:] == [
        "Payment failed: Garden party 0",
        "Deposit payment failed: Garden party 0, $200.00",
    ]
    second = deal.pay()
    assert second != session
    stripe.pay(second)
    assert "was received" in deal.come_back(second)
    assert deal.happened() == ["deposit_coming", "deposit_failed", "deposit_paid"]


def test_a_double_payment_is_refunded_and_a_deposit_marked_by_hand_is_mentioned(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    first = deal.pay()
    deal.api.run("svc_bid_decide", id=deal.bid["id"], decision="approved", deposit_paid=True)
    stripe.pay(first)  # before the worker cancelled it
    sync_payment(Payment.objects.get().pk)
    mail = parse_message(Delivery.objects.filter(kind=KIND).order_by("id").last())
    assert "You had already marked this deposit as paid" in mail.get_body(("plain",)).get_content()
    # a second payment page that was still open
    other = Payment.objects.get()
    again = Payment.objects.create(
        **{
            name: getattr(other, name)
            for name in (
                "account",
                "provider",
                "live",
                "purpose",
                "subject",
                "title",
                "amount",
                "currency",
                "return_url",
            )
        },
        expires_at=other.expires_at,
        state="open",
        session=_another(stripe, first),
        is_current=False,
    )
    sync_payment(again.pk)
    sync_payment(again.pk)
    assert [refund["amount"] for refund in stripe.refunds] == [20000]
    assert Payment.objects.get(pk=again.pk).display_state == "refunded"
    assert deal.happened().count("deposit_paid") == 2  # by hand, and the first payment


def _another(stripe: FakeStripe, session: str) -> str:
    stripe.sessions["cs_test_other"] = {**stripe.sessions[session], "id": "cs_test_other", "status": "open"}
    stripe.pay("cs_test_other")
    return "cs_test_other"


def test_without_a_key_or_if_stripe_is_unavailable_the_page_explains_how_to_pay(stripe: FakeStripe) -> None:
    deal = Deal(stripe, connected=False)
    page = deal.page()
    assert "Corner Café will tell you how to pay" in page.replace("\u2068", "").replace("\u2069", "")
    answer = deal.client.post(f"{deal.path}/pay")
    assert answer.status_code == 409 and "isn’t available right now" in answer.content.decode()
    connection.connect_provider(deal.api.account, "stripe", KEY)
    assert "Pay $200.00 deposit" in deal.page()  # shown at once, although the page was cached
    stripe.failing = [None]
    answer = deal.client.post(f"{deal.path}/pay")
    assert answer.status_code == 503 and "Try again in a minute" in answer.content.decode()
    assert "Pay $200.00 deposit" in answer.content.decode()
    circuit_breaker._unavailable_until.clear()
    stripe.failing = [400, 400]  # for example an amount that it rejects
    answer = deal.client.post(f"{deal.path}/pay")
    assert answer.status_code == 409 and "to pay." in answer.content.decode()
    assert Client(headers={"sec-fetch-site": "cross-site"}).post(f"{deal.path}/pay").status_code == 303
    assert not stripe.sessions


def test_reopening_a_decision_cancels_the_payment(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    session = deal.pay()
    assert "Pay $200.00 deposit" in deal.come_back(session)  # opening the return URL proves no payment
    deal.api.run("svc_bid_decide", id=deal.bid["id"], decision="reopened")
    sync_payment(Payment.objects.get().pk)
    assert stripe.sessions[session]["status"] == "expired"
    assert deal.client.post(f"{deal.path}/pay").status_code == 409


def test_the_page_is_in_the_clients_language(stripe: FakeStripe) -> None:
    deal = Deal(stripe)
    for language, words in (("de", "Anzahlung von 200,00"), ("es", "Pagar el anticipo")):
        assert words in deal.page(f"?lang={language}").replace("\u00a0", " "), language


def test_a_payment_of_another_account_changes_nothing(stripe: FakeStripe, api: Api) -> None:
    deal = Deal(stripe)
    connection.connect_provider(api.account, "stripe", KEY)
    with write_transaction():
        strange = checkout.start_payment(
            api.account, "bid.deposit", deal.decision.pk, 100, "USD", title="x", return_url="/"
        )
    checkout.fetch_payment_url(strange)
    stripe.pay(Payment.objects.get(pk=strange.pk).session)
    sync_payment(strange.pk)
    assert Decision.objects.get().deposit_paid_at is None
