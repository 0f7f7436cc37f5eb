"""Event credits are granted when they are paid, and revoked when they are refunded."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts import event_credits, plans
from workspace.accounts.models import Account
from workspace.billing import checkout, reconciliation
from workspace.billing.tests.billing_instance import House
from workspace.storage.database.transactions import write_transaction

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "is_built", lambda product: True)


def count_credits(account: Account) -> int:
    return Account.objects.get(pk=account.pk).event_credits


def start_credit_checkout(account: Account, quantity: int = 1) -> str:
    checkout.start_credit_checkout(account, quantity)
    return str(account.purchases.order_by("-id")[0].session)


def test_a_slow_bank_payment_grants_credits_when_it_arrives(house: House) -> None:
    account = house.account()
    session = start_credit_checkout(account)
    house.stripe.checkout(session, later=True)
    house.receive_all_events()
    assert (count_credits(account), account.purchases.get().state) == (0, "processing")
    house.stripe.complete_bank_payment(session)
    house.receive_all_events()
    reconciliation.reconcile()
    assert (count_credits(account), account.purchases.get().state) == (1, "done")


def test_a_failed_bank_payment_grants_no_credits(house: House) -> None:
    account = house.account()
    session = start_credit_checkout(account)
    found = house.stripe.checkout(session, later=True)
    house.stripe.intents[found["payment_intent"]]["status"] = "requires_payment_method"
    house.stripe.event("checkout.session.async_payment_failed", found)
    house.receive_all_events()
    assert (count_credits(account), account.purchases.get().state) == (0, "failed")


def test_a_refund_revokes_only_unused_credits(house: House) -> None:
    account = house.account()
    first = start_credit_checkout(account, 3)
    house.stripe.checkout(first)
    house.receive_all_events()
    assert count_credits(account) == 3
    with write_transaction():
        event_credits.spend_credit(account, "program:one", "Published")
        event_credits.spend_credit(account, "program:two", "Published")
    house.stripe.give_back_credits(first)
    house.receive_all_events()
    assert count_credits(account) == 0
    house.stripe.checkout(start_credit_checkout(account, 1))
    house.receive_all_events()
    house.stripe.event(
        "charge.refunded", house.stripe.intents[house.stripe.sessions[first]["payment_intent"]]["latest_charge"]
    )
    house.receive_all_events()  # the event is repeated
    assert count_credits(account) == 1


def test_a_purchase_is_limited_to_twenty_credits(house: House, settings: Any) -> None:
    with pytest.raises(checkout.PurchaseError):
        checkout.start_credit_checkout(house.account(), 21)
    settings.STRIPE_KEY = ""
    with pytest.raises(checkout.PurchaseError):
        checkout.start_credit_checkout(house.account(), 1)
