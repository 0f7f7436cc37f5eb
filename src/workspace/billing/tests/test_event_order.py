"""The order, repetition and concurrency of events do not change the result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.accounts import invites as codes
from workspace.accounts.models import Account, InvitePair
from workspace.billing import checkout, status_sync
from workspace.billing.models import BillingEvent, InviteMonth
from workspace.billing.tests.billing_instance import House, plan
from workspace.delivery.models import Delivery
from workspace.payments.checkout import DELIVERY_KIND
from workspace.storage.database.transactions import write_transaction


@pytest.mark.django_db
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_events_in_any_order_and_repeated_lead_to_the_same_state(house: House, data: st.DataObject) -> None:
    inviter, friend = house.account(), house.account()
    house.stripe.card = f"card_{friend.pk}"
    with write_transaction():
        codes.redeem_code(friend, inviter.invite_code)
    purchase = house.start_checkout(friend)
    id = house.stripe.checkout(purchase.session)["subscription"]
    first = next(key for key, one in house.stripe.invoices.items() if one["of"] == id)
    steps = data.draw(
        st.lists(st.sampled_from(["past_due", "unpaid", "active", "bill", "refund", "canceled"]), max_size=4)
    )
    ended = False
    for step in steps:
        if step == "bill" and not ended:
            house.stripe.bill(id, 1500)
        elif step == "refund":
            charge = house.stripe.intents[house.stripe.invoices[first]["intent"]]["latest_charge"]
            charge["amount_refunded"] = charge["amount"]
            house.stripe.event("charge.refunded", charge)
        elif step not in ("bill", "refund") and not ended:
            house.stripe.become(id, step)
            ended = step == "canceled"
    events, house.stripe.events = house.stripe.events, []
    told = data.draw(st.permutations(events + data.draw(st.lists(st.sampled_from(events), max_size=4))))
    for number, body in enumerate(told):
        house.receive_events(body)
        if number % 3 == 0:
            house.work()
    house.work()
    status = house.stripe.subscriptions[id]["status"]
    assert plan(friend) == ("pro" if status in ("active", "past_due") else "free")
    pair = InvitePair.objects.get(friend=friend)
    assert pair.invoice == first
    assert InviteMonth.objects.filter(pair=pair).count() in (0, 2)
    if "refund" in steps:
        assert pair.state == "reversed"
        assert not inviter.invite_months.exclude(state="gone").exists()
    else:
        assert pair.state == "earned"
        assert inviter.invite_months.get().state == "banked"
    given_to_friend = sum(-one["amount"] for one in house.stripe.given if one["customer"] == friend.customer.reference)
    assert given_to_friend in (0, 1500)


@pytest.mark.django_db(transaction=True)
def test_an_event_received_twenty_times_at_once_is_handled_once(house: House) -> None:
    account = house.account()
    purchase = house.start_checkout(account)
    house.stripe.checkout(purchase.session)
    body = house.stripe.events[0]
    head = {"stripe-signature": house.stripe.signed(body)}

    def post_event(_: int) -> int:
        try:
            answer = Client().post("/hooks/stripe", body, content_type="application/json", headers=head)
            return int(answer.status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(post_event, range(20))) == [200] * 20
    assert BillingEvent.objects.count() == 1
    assert Delivery.objects.filter(kind=DELIVERY_KIND, payload__billing__has_key="subscription").count() <= 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_first_invoices_give_one_month_each_and_at_most_twelve(house: House) -> None:
    inviter = house.account()
    friends = [house.account(name=f"Friend {number}") for number in range(4)]
    for number, friend in enumerate(friends):
        with write_transaction():
            codes.redeem_code(friend, inviter.invite_code)
        house.stripe.card = f"card_{number}"
        house.stripe.checkout(house.start_checkout(friend).session)
    invoices = list(house.stripe.invoices)

    def sync_invoice(id: str) -> None:
        try:
            status_sync.sync_invoice(id)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(sync_invoice, invoices * 3))
    house.work()
    assert InviteMonth.objects.filter(side="inviter").count() == 4
    assert InviteMonth.objects.filter(side="friend").count() == 4
    assert Account.objects.get(pk=inviter.pk).invite_months.filter(state="banked").count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize("odd", ["\\ud800", "\\u0000"])
def test_a_signed_event_with_an_invalid_id_is_rejected(house: House, odd: str) -> None:
    account = house.account()
    house.stripe.checkout(house.start_checkout(account).session)
    body = house.stripe.events[0]
    assert b'"evt_' in body
    house.receive_events(body.replace(b'"evt_', f'"evt_{odd}'.encode()), status=400)
    house.receive_events(body)


@pytest.mark.django_db(transaction=True)
def test_a_plan_added_six_times_at_once_is_added_once(house: House) -> None:
    account = house.account()
    id = house.buy(account)
    step = checkout.compute_change(account, "form", "pro")
    assert step.act == "add"

    def add(number: int) -> str:
        try:
            checkout.apply_change(account, step, f"click{number}")
        except checkout.PurchaseError as refusal:
            return str(refusal)
        finally:
            connections.close_all()
        return ""

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(add, range(6)))
    assert "" in said and set(said) <= {
        "",
        "Your plans are already being changed. Wait a moment, then reload the page.",
    }
    assert len(house.stripe.subscriptions[id]["rows"]) == 2
    assert plan(account, "form") == "pro"
    checkout.apply_change(account, step, "later")  # an existing plan is not added again
    assert len(house.stripe.subscriptions[id]["rows"]) == 2
