"""Every transition between states of a subscription, with repeated and reversed events.

The provider's last state decides.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from workspace.accounts import invites as codes
from workspace.billing import status_sync
from workspace.billing.models import InviteMonth
from workspace.billing.tests.billing_instance import House, plan
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

pytestmark = pytest.mark.django_db

# Steps of a subscription, and whether its plan applies afterwards.
STEPS = {
    "active": True,
    "trialing": True,
    "past_due": True,
    "ends with what is paid for": True,
    "ended with what was paid for": False,
    "goes on after all": True,
    "incomplete": False,
    "incomplete_expired": False,
    "unpaid": False,
    "paused": False,
    "canceled": False,
    "gone": False,
}
ENDED = ("incomplete_expired", "canceled", "gone", "ended with what was paid for")  # final states at the provider


def become(house: House, id: str, step: str) -> None:
    found = house.stripe.subscriptions[id]
    over = {"ends with what is paid for": True, "ended with what was paid for": True, "goes on after all": False}
    if step == "gone":
        del house.stripe.subscriptions[id]
        house.stripe.event(
            "customer.subscription.deleted", house.stripe.serialize_subscription({**found, "status": "canceled"})
        )
    elif step in over:
        if step.startswith("ended"):
            for row in found["rows"]:
                row["current_period_end"] = int(clock.now().timestamp()) - 60
        house.stripe.become(id, "active", cancel_at_period_end=over[step])
    else:
        house.stripe.become(id, step, cancel_at_period_end=False)


@pytest.mark.any_database
def test_every_pair_of_steps_with_reversed_and_repeated_events(house: House) -> None:
    account = house.account()
    id = house.buy(account)
    whole = house.stripe.subscriptions[id]
    ends = whole["rows"][0]["current_period_end"]
    wrong = []
    for first, second in permutations(STEPS, 2):
        if first in ENDED:
            continue
        house.stripe.subscriptions[id] = whole
        whole["rows"][0]["current_period_end"] = ends
        house.stripe.become(id, "active", cancel_at_period_end=False)
        status_sync.sync_subscription(id)
        house.stripe.events.clear()
        assert plan(account) == "pro"
        for step in (first, second):
            become(house, id, step)
        events, house.stripe.events = house.stripe.events, []
        for bodies in (events[::-1], events):
            house.receive_events(*bodies)
            house.work()
        if (plan(account) == "pro") is not STEPS[second]:
            wrong.append((first, second, plan(account)))
    assert wrong == []


def test_the_first_payment_may_be_reported_before_the_subscription(house: House) -> None:
    """`updated` (active) arrives before `created` (incomplete), which has the state when it was written."""
    account = house.account()
    session = house.stripe.sessions[house.start_checkout(account).session]
    made = house.stripe.subscribe(session["customer"], session["price"], session["metadata"], later=True)
    assert house.kinds() == ["customer.subscription.created"]
    house.stripe.pay_again(made["id"])
    for body in reversed(house.stripe.events):
        house.receive_events(body)
        house.work()
        assert plan(account) == "pro"


def test_two_events_of_an_invoice_give_one_payment_and_one_month_each(house: House) -> None:
    inviter, friend = house.account(), house.account()
    house.stripe.card = "another"
    with write_transaction():
        codes.redeem_code(friend, inviter.invite_code)
    house.stripe.checkout(house.start_checkout(friend).session)
    paid = [body for body in house.stripe.events if b'"invoice.pa' in body]
    assert len(paid) == 2
    house.receive_events(*paid, *reversed(paid))
    house.work()
    assert friend.invoices.count() == 1
    assert sorted(InviteMonth.objects.values_list("side", flat=True)) == ["friend", "inviter"]
