"""A provider that fails, disconnects or is busy: errors are immediate, requests are repeated, nothing happens twice."""

from __future__ import annotations

import pytest

from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payment_clients import circuit_breaker
from workspace.payment_clients.errors import ProviderError, ProviderRejectedError, ProviderUnreachableError
from workspace.payments import checkout, status_sync
from workspace.payments.checkout import DELIVERY_KIND
from workspace.payments.worker import PaymentWorker
from workspace.storage.database.transactions import write_transaction
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.payment_shop import Shop

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("failure", [None, 500, 429])
def test_an_unavailable_provider_fails_at_once_and_is_asked_later(stripe: FakeStripe, failure: int | None) -> None:
    shop = Shop(stripe)
    payment = shop.start_payment()
    stripe.failing = [failure]
    with pytest.raises(ProviderUnreachableError):
        checkout.fetch_payment_url(payment)
    asked = len(stripe.requests)
    with pytest.raises(ProviderUnreachableError):  # no request is sent during the next seconds
        checkout.fetch_payment_url(payment)
    assert len(stripe.requests) == asked
    circuit_breaker._unavailable_until.clear()
    payment.refresh_from_db()
    assert checkout.fetch_payment_url(payment).startswith(stripe.url)
    assert len(stripe.sessions) == 1
    # The worker likewise repeats an event's status sync later.
    stripe.pay(payment.session)
    shop.receive_events(stripe.events[-1])
    stripe.failing = [failure]
    PaymentWorker().run_once()
    assert shop.count_notifications() == {}
    Delivery.objects.filter(kind=DELIVERY_KIND, dedupe_key__contains="event").update(next_attempt_at=clock.now())
    PaymentWorker().run_once()
    assert shop.count_notifications() == {"paid": 1}


def test_a_second_click_waits_for_the_first_request(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    stripe.failing = [409, 409]
    assert checkout.fetch_payment_url(shop.start_payment()).startswith(stripe.url)
    assert not circuit_breaker._unavailable_until


def test_an_email_address_rejected_by_the_provider_is_left_out(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    stripe.failing = [400]
    assert checkout.fetch_payment_url(shop.start_payment(email="odd@münchen.example")).startswith(stripe.url)
    [session] = stripe.sessions.values()
    assert session["customer_email"] is None
    stripe.failing = [400]
    with pytest.raises(ProviderRejectedError):
        checkout.fetch_payment_url(shop.start_payment("two"))
    assert shop.start_payment("two").problem == "Later."  # the provider's message, for the owner


def test_a_repeated_request_after_a_lost_response_uses_the_same_session(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.start_payment()

    def made_and_lost(method: str, path: str) -> int | None:
        method, path, given, headers = stripe.requests[-1]
        stripe.failing.clear()
        stripe.handle_request(method, path, given, headers)
        return None

    stripe.failing = [made_and_lost]
    with pytest.raises(ProviderUnreachableError):
        checkout.fetch_payment_url(payment)
    circuit_breaker._unavailable_until.clear()
    assert checkout.fetch_payment_url(shop.start_payment()).startswith(stripe.url)
    assert len(stripe.sessions) == 1


def test_a_refund_is_sent_once_despite_failures(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.pay(payment.session)
    payment = status_sync.sync_payment(payment.pk) or payment
    with write_transaction():
        checkout.start_refund(payment, 2000, "goodwill")
    with write_transaction(), pytest.raises(OperationNotAllowedError, match="more than the refundable amount"):
        checkout.start_refund(payment, 3001)

    def made_and_lost(method: str, path: str) -> int | None:
        if method == "GET":
            return 0
        method, path, given, headers = stripe.requests[-1]
        stripe.failing.clear()
        stripe.handle_request(method, path, given, headers)
        return 500

    stripe.failing = [made_and_lost]
    with pytest.raises(ProviderError):
        status_sync.sync_payment(payment.pk)
    status_sync.sync_payment(payment.pk)
    payment.refresh_from_db()
    assert [one["amount"] for one in stripe.refunds] == [2000]
    assert (payment.refunded, payment.refunds.get().state) == (2000, "done")
    assert shop.count_notifications() == {"paid": 1, "refunded": 1}
    # A refund that the bank returns later does not count any more.
    stripe.refunds[0]["status"] = "failed"
    status_sync.sync_payment(payment.pk)
    payment.refresh_from_db()
    assert (payment.refunded, payment.refunds.get().state) == (0, "failed")
    assert Delivery.objects.filter(kind="email").count() == 1
