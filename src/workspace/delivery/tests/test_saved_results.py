"""The result of a delivery is saved even if the database fails temporarily, so that no email is sent twice."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import OperationalError

from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing.smtp_sink import Peer, write_mail

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return an event. While it is set, no result of a delivery can be saved."""
    locked, settle = threading.Event(), Delivery._update_leased

    def refuse(self: Delivery, **fields: object) -> bool:
        if locked.is_set():
            raise OperationalError("database is locked")
        return settle(self, **fields)

    monkeypatch.setattr(Delivery, "_update_leased", refuse)
    return locked


def _start_thread(worker: OutboxWorker) -> threading.Thread:
    thread = threading.Thread(target=worker._run)
    thread.start()
    return thread


def _wait_for(peer: Peer) -> None:
    assert peer.arrived.wait(60)
    time.sleep(1.0)  # during which an impatient worker would have started again


def test_a_sent_email_is_recorded_once_the_database_accepts_writes(peer: Peer, locked: threading.Event) -> None:
    row = write_mail()
    locked.set()
    # such a short lease that it would be taken again immediately
    worker = OutboxWorker(poll=0.05, lease=0.4)
    thread = _start_thread(worker)
    _wait_for(peer)
    locked.clear()
    ends = time.monotonic() + 60
    while Delivery.objects.get(pk=row.pk).state != DeliveryState.SENT:
        assert time.monotonic() < ends
        time.sleep(0.05)
    worker.stop()
    thread.join(60)
    assert peer.recipients() == ["guest@example.com"]


def test_a_stopping_worker_does_not_wait_forever(
    peer: Peer, locked: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspace.delivery.outbox.worker_thread.SHUTDOWN_TIMEOUT_SECONDS", 0.2)
    row = write_mail()
    locked.set()
    worker = OutboxWorker(poll=0.05)
    thread = _start_thread(worker)
    _wait_for(peer)
    worker.stop()
    thread.join(60)
    assert not thread.is_alive()
    row.refresh_from_db()
    assert row.state == DeliveryState.LEASED, "it is sent again after its lease, with the same Message-ID"
