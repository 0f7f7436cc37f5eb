"""A key is tested when it is connected, stored encrypted, and deleted when it is disconnected."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from workspace.accounts.account_deletion import purge_account
from workspace.delivery.models import Delivery, ScheduledTask
from workspace.lib import clock
from workspace.payment_clients.errors import ProviderError
from workspace.payments import checkout, provider_calls
from workspace.payments import connection as payments_connection
from workspace.payments.connection import NotConnectedError
from workspace.payments.models import Connection, Payment
from workspace.payments.worker import RECONCILIATION_TASK, PaymentWorker
from workspace.testing.api import make_account
from workspace.testing.fake_stripe import KEY, FakeStripe
from workspace.testing.payment_shop import Shop

pytestmark = pytest.mark.django_db

RESTRICTED = "rk_test_" + "r" * 90
RIGHTS = {
    ("POST", "checkout/sessions"),
    ("GET", "checkout/sessions"),
    ("GET", "payment_intents"),
    ("POST", "refunds"),
    ("GET", "refunds"),
}


def test_a_key_is_tested_and_missing_permissions_are_named(stripe: FakeStripe) -> None:
    account = make_account()
    stripe.keys[RESTRICTED] = RIGHTS - {("POST", "refunds")}
    for key, words in [
        ("", "isn’t a Stripe key"),
        ("pk_test_abc", "sk_ or rk_"),
        ("sk_test_unknown", "invalid or was revoked"),
        (RESTRICTED, "Charges and Refunds: write"),
    ]:
        with pytest.raises(NotConnectedError, match=words):
            payments_connection.connect_provider(account, "stripe", key)
    stripe.failing = [None]
    with pytest.raises(NotConnectedError, match="isn’t responding"):
        payments_connection.connect_provider(account, "stripe", KEY)
    assert not Connection.objects.exists()
    assert not stripe.sessions
    assert not stripe.refunds


def test_a_restricted_key_is_enough_to_register_the_webhook(stripe: FakeStripe) -> None:
    stripe.keys[RESTRICTED] = {*RIGHTS, ("POST", "webhook_endpoints")}
    connection = payments_connection.connect_provider(make_account(), "stripe", RESTRICTED)
    assert list(stripe.hooks.values()) == [connection.webhook_url]
    assert not connection.live
    row = Connection.objects.get()
    assert (row.key_end, row.secret_key) == ("rrrr", RESTRICTED)
    assert RESTRICTED not in row.key
    # Without this permission, the owner sets it up manually, and payments still work.
    stripe.keys[RESTRICTED] = RIGHTS
    by_hand = payments_connection.connect_provider(make_account(), "stripe", RESTRICTED)
    assert "permission to set up webhooks" in by_hand.webhook_problem
    with pytest.raises(NotConnectedError, match="whsec_"):
        payments_connection.set_signing_secret(by_hand, "sk_test_no")
    payments_connection.set_signing_secret(by_hand, "whsec_" + "h" * 32)
    assert Connection.objects.get(pk=by_hand.pk).signing_secret == "whsec_" + "h" * 32


def test_disconnecting_cancels_open_payments_and_deletes_the_key(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    payments_connection.disconnect_provider(shop.connection)
    assert not checkout.can_charge(shop.account, 5000, "EUR")
    shop.work()
    assert stripe.sessions[Payment.objects.get().session]["status"] == "expired"
    assert not stripe.hooks
    row = Connection.objects.get()
    assert (row.key, row.webhook_secret) == ("", "")
    payment.refresh_from_db()
    assert payment.state == "expired"
    assert shop.count_notifications() == {"expired": 1}
    # After connecting a key again, payments work.
    payments_connection.connect_provider(shop.account, "stripe", KEY)
    assert checkout.can_charge(shop.account, 5000, "EUR")


def test_another_key_replaces_the_webhook_and_open_payments_expire(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    first = dict(stripe.hooks)
    payments_connection.connect_provider(shop.account, "stripe", KEY)  # same account: nothing changes
    assert stripe.hooks == first
    stripe.keys[RESTRICTED] = {*RIGHTS, ("POST", "webhook_endpoints")}  # this key cannot read its account
    payments_connection.connect_provider(shop.account, "stripe", RESTRICTED)
    assert len(stripe.hooks) == 1 and stripe.hooks != first
    stripe.sessions.clear()  # and the former one belonged to another account
    for hours, state in ((12, "open"), (60, "expired")):
        with time_machine.travel(clock.now() + timedelta(hours=hours)):
            ScheduledTask.objects.filter(pk=RECONCILIATION_TASK).delete()
            PaymentWorker().run_once()
        payment.refresh_from_db()
        assert payment.state == state


def test_closing_the_account_cancels_open_payments_at_the_provider(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    purge_account(shop.account)
    assert not Payment.objects.exists()
    shop.work()
    assert stripe.sessions[payment.session]["status"] == "expired"
    assert not stripe.hooks


def test_a_key_rejected_later_is_reported_once_and_payments_stop(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    stripe.keys.clear()
    for subject in ("one", "two"):
        payment = shop.start_payment(subject) if subject == "one" else None
        if payment is not None:
            with pytest.raises(ProviderError):
                checkout.fetch_payment_url(payment)
    assert not checkout.can_charge(shop.account, 5000, "EUR")
    mails = [row for row in Delivery.objects.filter(kind="email") if row.payload]
    assert [row.payload["subject"] for row in mails] == ["Stripe rejected your key"]
    assert KEY not in str([row.payload for row in mails])
    stripe.keys[KEY] = None
    payments_connection.connect_provider(shop.account, "stripe", KEY)
    assert checkout.can_charge(shop.account, 5000, "EUR")
    assert provider_calls.page_url().endswith("/app/account/payments")
