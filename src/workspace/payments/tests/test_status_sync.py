"""A payment gets the provider's state even if events are late, repeated, unordered or missing.

Its product is notified once.
"""

from __future__ import annotations

import random
import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.test import Client

from workspace.delivery.models import Delivery, ScheduledTask
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payments import checkout, status_sync
from workspace.payments.models import Payment, ProviderEvent
from workspace.payments.worker import RECONCILIATION_TASK, PaymentWorker
from workspace.storage.database.transactions import write_transaction
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.payment_shop import Shop

pytestmark = pytest.mark.django_db

LIVES: list[tuple[list[str], str, dict[str, int]]] = [
    (["pay"], "paid", {"paid": 1}),
    (["later"], "processing", {"processing": 1}),
    (["later", "arrive"], "paid", {"paid": 1}),
    (["later", "bounce"], "failed", {"failed": 1}),
    (["expire"], "expired", {"expired": 1}),
    (["pay", "part", "rest"], "refunded", {"paid": 1, "refunded": 1}),
    (["pay", "part"], "partly_refunded", {"paid": 1, "refunded": 1}),
    (["pay", "dispute"], "disputed", {"paid": 1, "disputed": 1}),
    (["pay", "dispute", "lose"], "lost", {"paid": 1, "disputed": 1}),
    (["pay", "dispute", "win"], "paid", {"paid": 1, "disputed": 1}),
]


def _live(stripe: FakeStripe, session: str, steps: list[str]) -> None:
    acts = {
        "pay": lambda: stripe.pay(session),
        "later": lambda: stripe.pay(session, later=True),
        "arrive": lambda: stripe.complete_bank_payment(session),
        "bounce": lambda: stripe.bounce(session),
        "expire": lambda: stripe.expire(session),
        "part": lambda: stripe.refund(session, 1000),
        "rest": lambda: stripe.refund(session),
        "dispute": lambda: stripe.dispute(session),
        "lose": lambda: stripe.dispute(session, "lost"),
        "win": lambda: stripe.dispute(session, "won"),
    }
    for step in steps:
        acts[step]()


def test_shuffled_and_repeated_events_end_in_the_provider_s_state(stripe: FakeStripe) -> None:
    shop, dice = Shop(stripe), random.Random(7)
    expected: dict[str, tuple[str, dict[str, int]]] = {}
    for place, (steps, state, told) in enumerate(LIVES):
        payment = shop.open(f"subject {place}")
        _live(stripe, payment.session, steps)
        expected[payment.subject] = (state, told)
    events = stripe.events * 2
    dice.shuffle(events)
    for begin in range(0, len(events), 7):
        shop.receive_events(*events[begin : begin + 7])
        shop.work()
    for payment in Payment.objects.all():
        state, told = expected[payment.subject]
        assert payment.display_state == state, payment.subject
        assert dict(shop.count_notifications(payment.subject)) == told, payment.subject
    assert ProviderEvent.objects.count() == len(stripe.events)
    # A repetition after everything is settled has no effect.
    before = Delivery.objects.filter(kind="test effect").count()
    shop.receive_events(*stripe.events)
    shop.work()
    assert Delivery.objects.filter(kind="test effect").count() == before


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_events_between_steps_lead_to_the_same_state_and_one_effect(stripe: FakeStripe, seed: int) -> None:
    shop, dice = Shop(stripe), random.Random(seed)
    lives = [(shop.open(f"subject {place}"), list(steps), state) for place, (steps, state, _) in enumerate(LIVES)]
    while waiting := [one for one in lives if one[1]]:
        payment, steps, _ = dice.choice(waiting)
        _live(stripe, payment.session, [steps.pop(0)])
        if dice.random() < 0.5:
            shop.receive_events(*dice.sample(stripe.events, min(3, len(stripe.events))))
            shop.work()
    shop.receive_events(*dice.sample(stripe.events, len(stripe.events)))
    shop.work()
    for payment, _, state in lives:
        payment.refresh_from_db()
        assert payment.display_state == state, payment.subject
        assert shop.count_notifications(payment.subject)["paid"] == (payment.state == "paid"), payment.subject


def test_each_event_is_followed_immediately(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    seen = []
    for step in ("later", "arrive", "part", "rest", "dispute", "win"):
        _live(stripe, payment.session, [step])
        shop.receive_events(stripe.events[-1])
        shop.work()
        payment.refresh_from_db()
        seen.append(payment.display_state)
    assert seen == ["processing", "paid", "partly_refunded", "refunded", "disputed", "refunded"]
    assert shop.count_notifications() == {"processing": 1, "paid": 1, "refunded": 2, "disputed": 2}
    assert payment.email == "payer@example.org"


@pytest.mark.django_db(transaction=True)
def test_concurrent_syncs_notify_the_product_once(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.pay(payment.session)
    together, faults = threading.Barrier(6), []

    def sync_once() -> None:
        try:
            together.wait(60)
            shop.receive_events(*stripe.events)
            status_sync.sync_payment(payment.pk)
        except BaseException as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sync_once) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not faults
    shop.work()
    assert shop.count_notifications() == {"paid": 1}
    assert ProviderEvent.objects.count() == 1
    payment.refresh_from_db()
    assert payment.state == "paid"


def test_an_earlier_result_does_not_overwrite_a_later_one(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    earlier = clock.now()
    old = status_sync.provider_calls.call_provider(
        shop.connection, lambda maker, key: maker.get_checkout(key, payment.session)
    )
    stripe.pay(payment.session)
    status_sync.sync_payment(payment.pk)
    status_sync.record_state(payment.pk, old, earlier)
    payment.refresh_from_db()
    assert payment.state == "paid"


def test_effects_are_rolled_back_if_the_payment_cannot_be_saved(stripe: FakeStripe, monkeypatch: Any) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.pay(payment.session)
    real = status_sync._list_changes

    def overtaken(*given: Any) -> list[str]:
        monkeypatch.setattr(status_sync, "_list_changes", real)
        # In the same transaction.
        Payment.objects.filter(pk=payment.pk).update(version=99)
        return real(*given)

    monkeypatch.setattr(status_sync, "_list_changes", overtaken)
    status_sync.sync_payment(payment.pk)
    assert shop.count_notifications() == {"paid": 1}


def test_without_events_the_payers_return_updates_the_state(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    session = stripe.sessions[payment.session]
    stripe.pay(payment.session)
    answer = Client().get(session["success_url"].removeprefix("http://127.0.0.1:8000"))
    assert (answer.status_code, answer["Location"]) == (302, "/p/somewhere")
    assert shop.count_notifications() == {"paid": 1}
    asked = len(stripe.requests)
    Client().get(f"/pay/{payment.pk}/done")
    assert len(stripe.requests) == asked  # the state is final: a reload sends no request
    assert Client().get("/pay/pay_unknown/done").status_code == 404
    assert Client().get(f"/pay/{payment.pk}/cancelled")["Location"] == "/p/somewhere"


def test_without_events_and_returns_reconciliation_updates_the_state(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    paid, abandoned = shop.open("one"), shop.open("two")
    stripe.pay(paid.session)
    for minutes, told in ((5, {}), (11, {"paid": 1})):
        with time_machine.travel(clock.now() + timedelta(minutes=minutes)):
            ScheduledTask.objects.filter(pk=RECONCILIATION_TASK).delete()
            PaymentWorker().run_once()
        assert shop.count_notifications("one") == told
    stripe.expire(abandoned.session)
    with time_machine.travel(clock.now() + timedelta(hours=24)):  # scheduled when the checkout was opened
        PaymentWorker().run_once()
    assert shop.count_notifications("two") == {"expired": 1}


def test_a_refund_at_the_provider_is_found_without_events(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.pay(payment.session)
    status_sync.sync_payment(payment.pk)
    stripe.refund(payment.session)
    PaymentWorker().run_once()
    assert shop.count_notifications() == {"paid": 1}
    with time_machine.travel(clock.now() + timedelta(days=1)):
        ScheduledTask.objects.filter(pk=RECONCILIATION_TASK).delete()
        PaymentWorker().run_once()
        shop.work()
    assert shop.count_notifications() == {"paid": 1, "refunded": 1}


def test_a_subject_has_at_most_one_open_payment(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    first = shop.open()
    assert shop.start_payment().pk == first.pk
    other = shop.open(amount=6000)  # a different amount cancels the first session
    shop.work()
    assert stripe.sessions[first.session]["status"] == "expired"
    stripe.pay(other.session, later=True)
    status_sync.sync_payment(other.pk)
    with pytest.raises(OperationNotAllowedError, match="already being processed"):
        shop.start_payment(amount=6000)
    stripe.complete_bank_payment(other.session)
    status_sync.sync_payment(other.pk)
    with pytest.raises(OperationNotAllowedError, match="already paid"):
        shop.start_payment(amount=6000)
    with pytest.raises(OperationNotAllowedError, match="can’t be paid online"):
        shop.start_payment("two", amount=10**9)


def test_a_short_hold_expires_at_the_provider_but_a_late_payment_is_valid(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    until = clock.now() + timedelta(minutes=10)
    lapsed, late = shop.open("one", hold_until=until), shop.open("two", hold_until=until)
    with time_machine.travel(until + timedelta(seconds=1)):
        stripe.pay(late.session)  # just before it is cancelled
        PaymentWorker().run_once()
    assert stripe.sessions[lapsed.session]["status"] == "expired"
    assert (dict(shop.count_notifications("one")), dict(shop.count_notifications("two"))) == (
        {"expired": 1},
        {"paid": 1},
    )
    with write_transaction():
        assert checkout.cancel_open_payments(shop.account, "test.thing", "one") == 0


def test_another_amount_than_requested_is_not_accepted_as_paid(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.sessions[payment.session]["amount_total"] = 50
    stripe.pay(payment.session)
    status_sync.sync_payment(payment.pk)
    payment.refresh_from_db()
    assert (payment.state, shop.count_notifications()["paid"]) == ("processing", 0)
    assert "differs from the amount requested" in payment.problem
