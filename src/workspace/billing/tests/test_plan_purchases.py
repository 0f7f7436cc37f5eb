"""Paid plans apply, regardless of which events arrive and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.billing import effective_plans, reconciliation, status_sync
from workspace.billing.tests.billing_instance import House, plan
from workspace.lib import clock

pytestmark = pytest.mark.django_db


def test_a_bought_plan_raises_the_limits(house: House) -> None:
    account = house.account()
    assert plan(account) == "free"
    purchase = house.start_checkout(account)
    assert house.start_checkout(account).pk == purchase.pk  # a second click opens the same checkout
    assert len(house.stripe.sessions) == 1
    session = house.stripe.checkout(purchase.session)
    assert plan(account) == "free"
    assert house.stripe.subscriptions[session["subscription"]]["metadata"] == session["metadata"]
    house.receive_all_events()
    assert plan(account) == "pro"
    assert account.purchases.get().state == "done"
    row = account.subscriptions.get()
    assert (row.status, row.items[0]["product"], row.items[0]["amount"]) == ("active", "quote", 1500)


@pytest.mark.parametrize("old", [False, True])
def test_responses_of_both_api_versions_are_parsed(house: House, old: bool) -> None:
    house.stripe.old = old
    account = house.account()
    house.buy(account)
    row, invoice = account.subscriptions.get(), account.invoices.get()
    assert row.renews_at is not None
    assert (invoice.paid, invoice.subscription) == (1500, row.pk)
    assert invoice.payment_intent.startswith("pi_")


def test_an_update_before_the_creation_does_not_remove_the_plan(house: House) -> None:
    account = house.account()
    purchase = house.start_checkout(account)
    house.stripe.checkout(purchase.session)
    names = house.kinds()
    created, updated = names.index("customer.subscription.created"), names.index("customer.subscription.updated")
    bodies = house.stripe.events
    house.receive_events(bodies[updated])
    house.work()
    house.receive_events(bodies[created])
    house.work()
    assert plan(account) == "pro"


def test_a_late_creation_event_does_not_restore_an_ended_plan(house: House) -> None:
    account = house.account()
    created = house.start_checkout(account)
    house.stripe.checkout(created.session)
    bodies = dict(zip(house.kinds(), house.stripe.events, strict=True))
    house.receive_all_events()
    id = account.subscriptions.get().pk
    house.stripe.become(id, "canceled")
    house.receive_all_events()
    assert plan(account) == "free"
    house.receive_events(bodies["customer.subscription.created"].replace(b"evt_", b"evt_again_"))
    house.work()
    assert plan(account) == "free"
    del house.stripe.subscriptions[id]  # a subscription that no longer exists
    status_sync.sync_subscription(id)
    assert plan(account) == "free"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("active", "pro"),
        ("trialing", "pro"),
        ("past_due", "pro"),
        ("incomplete", "free"),
        ("incomplete_expired", "free"),
        ("unpaid", "free"),
        ("canceled", "free"),
        ("paused", "free"),
    ],
)
def test_every_status_of_a_subscription(house: House, status: str, expected: str) -> None:
    account = house.account()
    id = house.buy(account)
    for step in (status, "active", status):
        house.stripe.become(id, step)
        house.receive_all_events()
    assert plan(account) == expected


def test_a_cancelled_plan_applies_until_its_last_day(house: House) -> None:
    account = house.account()
    id = house.buy(account)
    house.stripe.become(id, "active", cancel_at_period_end=True)
    house.receive_all_events()
    assert plan(account) == "pro"
    row = account.subscriptions.get()
    assert row.ends_at is not None and row.renews_at is None
    row.ends_at = clock.now()
    row.save()
    effective_plans.expire_plans()
    assert plan(account) == "free"


def test_reconciliation_finds_missed_events(house: House) -> None:
    account = house.account()
    purchase = house.start_checkout(account)
    house.stripe.checkout(purchase.session)
    account.purchases.update(created_at=clock.now() - reconciliation.SHORT_INTERVAL * 2)
    house.stripe.events.clear()
    reconciliation.reconcile()
    assert plan(account) == "pro"
    house.stripe.become(account.subscriptions.get().pk, "canceled")
    house.stripe.events.clear()
    reconciliation.reconcile_nightly()
    assert plan(account) == "free"


def test_the_later_of_two_subscriptions_is_cancelled_and_refunded(house: House, settings: Any, mailoutbox: Any) -> None:
    settings.OPERATOR_EMAIL = "host@example.com"
    account = house.account()
    id = house.buy(account)
    price, customer = house.stripe.subscriptions[id]["rows"][0]["price"]["id"], account.customer.reference
    began = house.stripe.subscriptions[id]["created"] + 60
    later = house.stripe.subscribe(customer, price, {"account": account.pk}, began=began)
    house.receive_all_events()
    assert house.stripe.subscriptions[later["id"]]["status"] == "canceled"
    assert house.stripe.subscriptions[id]["status"] == "active"
    [back] = [one for one in house.stripe.invoices.values() if one["of"] == later["id"]]
    assert house.stripe.intents[back["intent"]]["latest_charge"]["amount_refunded"] == 1500
    assert plan(account) == "pro"
    reconciliation.reconcile_nightly()
    assert [mail.subject for mail in mailoutbox] == ["A plan was bought twice: Proposals"]
