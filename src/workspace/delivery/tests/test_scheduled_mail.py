"""Scheduled deliveries and their withdrawal."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
import time_machine
from django.db import transaction

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox import WithdrawalResult
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.testing.smtp_sink import Peer, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


def _mail(to: str, dedupe: str, at: datetime | None = None) -> Delivery:
    from django.core.mail import EmailMessage

    from workspace.delivery import mail

    return mail.queue_message(EmailMessage("Reminder", "Tomorrow at ten\n", to=[to]), dedupe=dedupe, at=at)[0]


def test_a_delivery_is_sent_once_and_not_before_its_time(peer: Peer) -> None:
    _mail("guest@example.com", "booking:1:day", clock.now() + timedelta(hours=24))
    write_mail("now@example.com")
    OutboxWorker().drain_once()
    assert peer.recipients() == ["now@example.com"]
    with time_machine.travel(clock.now() + timedelta(hours=23, minutes=59)):
        assert OutboxWorker().drain_once() == 0
    with time_machine.travel(clock.now() + timedelta(hours=24, seconds=1)):
        assert OutboxWorker().drain_once() == 1
        assert OutboxWorker().drain_once() == 0
    assert peer.recipients() == ["now@example.com", "guest@example.com"]


def test_a_past_time_means_now_and_a_time_without_zone_is_rejected(peer: Peer) -> None:
    _mail("guest@example.com", "booking:1", clock.now() - timedelta(days=1))
    OutboxWorker().drain_once()
    assert peer.recipients() == ["guest@example.com"]
    with pytest.raises(ValueError, match="zone"):
        outbox.put("email", {}, at=datetime(2030, 1, 1))


def test_a_withdrawn_delivery_is_never_sent_is_emptied_and_frees_its_key(peer: Peer) -> None:
    at = clock.now() + timedelta(hours=1)
    old = _mail("guest@example.com", "booking:1:hour", at)
    _mail("guest@example.com", "booking:1:day", at)
    other = _mail("other@example.com", "booking:12:day", at)
    assert outbox.withdraw("booking:1") == WithdrawalResult(stopped_count=2, in_flight_count=0)
    old.refresh_from_db()
    assert (old.state, old.payload, old.dedupe_key) == (DeliveryState.WITHDRAWN, None, None)
    moved = _mail("guest@example.com", "booking:1:hour", at)
    assert moved.pk != old.pk
    with time_machine.travel(at + timedelta(seconds=1)):
        OutboxWorker().drain_once()
    assert sorted(peer.recipients()) == ["guest@example.com", "other@example.com"]
    other.refresh_from_db()
    assert other.state == DeliveryState.SENT
    assert outbox.withdraw("booking:1") == WithdrawalResult(0, 0), "what was sent stays sent"
    assert not Delivery.retry(old.pk)


def test_a_prefix_ends_at_a_colon_and_has_no_wildcards() -> None:
    keys = ["a", "a:b", "ab", "A", "A:b", "a%", "a_:1", "ax:1", "a:\U0010ffff"]
    for key in keys:
        outbox.put("email", {}, dedupe=key)
    assert outbox.withdraw("a").stopped_count == 3
    assert outbox.withdraw("a_").stopped_count == 1
    assert outbox.withdraw("a%").stopped_count == 1
    left = set(Delivery.objects.filter(state=DeliveryState.WAITING).values_list("dedupe_key", flat=True))
    assert left == {"ab", "A", "A:b", "ax:1"}


def test_a_rolled_back_withdrawal_withdraws_nothing(peer: Peer) -> None:
    row = _mail("guest@example.com", "booking:1")
    with transaction.atomic():
        assert outbox.withdraw("booking:1").stopped_count == 1
        transaction.set_rollback(True)
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.SENT


def test_a_leased_delivery_that_waits_in_its_batch_is_still_stopped(peer: Peer) -> None:
    _mail("first@example.com", "first")
    _mail("second@example.com", "second")
    peer.stall.set()
    working = OutboxWorker(poll=600)
    working.start()
    try:
        assert peer.arrived.wait(60)
        assert outbox.withdraw("second") == WithdrawalResult(stopped_count=0, in_flight_count=1)
        peer.stall.clear()
    finally:
        working.stop()
    assert peer.recipients() == ["first@example.com"]


def test_a_delivery_in_transmission_arrives_once_and_is_not_retried(peer: Peer, account: Account) -> None:
    row = _mail("guest@example.com", "booking:1")
    peer.stall.set()
    working = OutboxWorker(poll=600)
    working.start()
    try:
        assert peer.arrived.wait(60)
        assert outbox.withdraw("booking:1") == WithdrawalResult(stopped_count=0, in_flight_count=1)
        peer.stall.clear()
    finally:
        working.stop()
    row.refresh_from_db()
    assert (row.state, row.lease_token) == (DeliveryState.WITHDRAWN, None)
    with time_machine.travel(clock.now() + timedelta(hours=1)):
        assert OutboxWorker().drain_once() == 0
    assert peer.recipients() == ["guest@example.com"]


def test_a_failure_after_the_withdrawal_is_not_retried(peer: Peer) -> None:
    peer.answers["guest@example.com"] = "451 later"
    row = _mail("guest@example.com", "booking:1")
    OutboxWorker().drain_once()
    assert outbox.withdraw("booking:1") == WithdrawalResult(1, 0)
    peer.answers.clear()
    with time_machine.travel(clock.now() + timedelta(hours=1)):
        assert OutboxWorker().drain_once() == 0
    row.refresh_from_db()
    assert row.state == DeliveryState.WITHDRAWN


def test_simultaneous_withdrawal_and_sending_end_in_one_or_the_other(peer: Peer) -> None:
    for number in range(40):
        _mail(f"guest{number}@example.com", f"race:{number}")
    together = threading.Barrier(2)

    def send() -> None:
        from django.db import connections

        together.wait(60)
        while OutboxWorker(batch=3).drain_once():
            pass
        connections.close_all()

    sending = threading.Thread(target=send)
    sending.start()
    together.wait(60)
    counts = [outbox.withdraw(f"race:{number}") for number in range(39, -1, -1)]
    sending.join(60)
    stopped, leaving = sum(one.stopped_count for one in counts), sum(one.in_flight_count for one in counts)
    assert len(peer.taken) <= 40 - stopped
    assert len(peer.taken) >= 40 - stopped - leaving
    assert set(Delivery.objects.values_list("state", flat=True)) <= {DeliveryState.SENT, DeliveryState.WITHDRAWN}
