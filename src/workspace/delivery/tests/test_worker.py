from __future__ import annotations

import signal
import subprocess
import threading
from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.db import connections, transaction

from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox import worker
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.delivery.outbox.worker_thread import run_forever
from workspace.lib import clock
from workspace.testing import fork_server, separate_process
from workspace.testing.smtp_sink import Peer, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


def run_worker() -> None:
    """Send emails until the process is ended."""
    run_forever(OutboxWorker(poll=0.05))


def _process(settings) -> fork_server.Popen | subprocess.Popen[bytes]:
    """Start a worker in a separate process, with the tests' database and mail server."""
    mail_server = {"HOST": settings.SMTP_HOST, "PORT": str(settings.SMTP_PORT), "SECURITY": "none"}
    variables = {f"WORKSPACE_SMTP_{name}": value for name, value in mail_server.items()}
    return separate_process.start("workspace.delivery.tests.test_worker:run_worker", **variables)


def test_emails_leased_by_a_killed_worker_are_sent_after_the_lease_expires(peer: Peer, settings) -> None:
    peer.stall.set()
    row = write_mail()
    process = _process(settings)
    try:
        assert peer.arrived.wait(60)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    peer.stall.clear()
    row.refresh_from_db()
    assert row.state == DeliveryState.LEASED
    assert OutboxWorker().drain_once() == 0, "the lease still stands"
    with time_machine.travel(clock.now() + timedelta(seconds=301)):
        assert OutboxWorker().drain_once() == 1
    row.refresh_from_db()
    assert (row.state, row.attempts) == (DeliveryState.SENT, 2)
    # at least once: the Message-ID shows that it is the same email
    first, second = (message["Message-ID"] for _, message in peer.taken)
    assert first == second


def test_a_worker_process_ends_on_sigterm(peer: Peer, settings) -> None:
    process = _process(settings)
    try:
        write_mail()
        assert peer.arrived.wait(60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
    assert Delivery.objects.get().state == DeliveryState.SENT


def test_parallel_workers_send_each_email_once(peer: Peer) -> None:
    for number in range(60):
        write_mail(f"guest{number}@example.com")
    together = threading.Barrier(4)

    def drain() -> None:
        together.wait(60)
        while OutboxWorker(batch=4).drain_once():
            pass
        connections.close_all()

    threads = [threading.Thread(target=drain) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert Counter(peer.recipients()) == {f"guest{number}@example.com": 1 for number in range(60)}
    assert set(Delivery.objects.values_list("state", "attempts")) == {(DeliveryState.SENT, 1)}


def test_a_commit_wakes_the_thread_immediately(peer: Peer) -> None:
    thread = OutboxWorker(poll=600)
    thread.start()
    try:
        with transaction.atomic():
            write_mail()
            assert not peer.arrived.wait(0.2), "sent before the commit"
        assert peer.arrived.wait(60)
    finally:
        thread.stop()


def test_the_thread_survives_a_task_and_a_channel_that_raise(peer: Peer, monkeypatch, caplog) -> None:
    ran = []

    def fails() -> None:
        ran.append(1)
        raise ZeroDivisionError

    class Broken:
        delays = (1.0,)

        def send(self, delivery: Delivery) -> DeliveryState:
            raise KeyError("nonsense")

        def close(self) -> None: ...

    monkeypatch.setattr(worker, "_periodic_tasks", [])
    monkeypatch.setattr(outbox, "_channels", {**outbox._channels, "broken": Broken})
    worker.every(600, fails, name="tests.fail")
    broken = outbox.put("broken", {})
    thread = OutboxWorker(poll=0.05)
    thread.start()
    try:
        write_mail()
        assert peer.arrived.wait(60)
    finally:
        thread.stop()
    broken.refresh_from_db()
    assert ran == [1] and "A scheduled task failed" in caplog.text
    assert broken.state == DeliveryState.WAITING and "nonsense" in broken.last_error


def test_the_thread_survives_a_database_failure(peer: Peer, monkeypatch, caplog) -> None:
    stumbled = threading.Event()
    lease = Delivery.lease_due

    def fails_once(*args, **kwargs):
        if not stumbled.is_set():
            stumbled.set()
            raise ConnectionError("away")
        return lease(*args, **kwargs)

    monkeypatch.setattr(Delivery, "lease_due", fails_once)
    write_mail()
    thread = OutboxWorker(poll=0.05)
    thread.start()
    try:
        assert peer.arrived.wait(60) and stumbled.is_set()
    finally:
        thread.stop()


def test_stopping_finishes_the_current_email_and_releases_the_rest(peer: Peer) -> None:
    rows = [write_mail(f"guest{number}@example.com") for number in range(3)]
    peer.stall.set()
    thread = OutboxWorker()
    thread.start()
    assert peer.arrived.wait(60)
    stopping = threading.Thread(target=thread.stop)
    stopping.start()
    assert thread._stopping.wait(60)
    peer.stall.clear()
    stopping.join(60)
    states = [(row.state, row.attempts) for row in Delivery.objects.filter(pk__in=[r.pk for r in rows]).order_by("id")]
    assert Counter(states) == {(DeliveryState.SENT, 1): 1, (DeliveryState.WAITING, 0): 2}


def test_an_email_that_kills_its_worker_each_time_is_parked(peer: Peer) -> None:
    row = write_mail()
    Delivery.objects.update(attempts=6)
    OutboxWorker().drain_once()
    row.refresh_from_db()
    assert row.state == DeliveryState.PARKED and peer.taken == []
