"""A pytest plugin with fixtures for tests of several packages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workspace.lib.subprocess_worker import pool
from workspace.payment_clients import circuit_breaker
from workspace.payments import worker
from workspace.testing.dav_server import Radicale, radicale
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.smtp_sink import Peer, start_sink
from workspace.testing.stripe_server import fake_stripe


@pytest.fixture
def stripe(settings: Any) -> Iterator[FakeStripe]:
    """Start a fake Stripe on loopback, and make this process use it."""
    with fake_stripe() as fake:
        settings.STRIPE_URL, settings.WEBHOOK_NETWORKS = fake.url, ["127.0.0.0/8"]
        circuit_breaker._unavailable_until.clear()
        worker.wake_event.clear()  # an earlier test may have set it, and the reconciliation gives it priority
        yield fake


@pytest.fixture
def smtp_sink(settings: Any) -> Iterator[Peer]:
    """Start a mail server on loopback that receives the emails of this process."""
    peer = Peer()
    controller = start_sink(peer)
    peer.connections = 0  # the controller itself connects once
    settings.SMTP_HOST, settings.SMTP_PORT, settings.SMTP_SECURITY = "127.0.0.1", controller.port, "none"
    yield peer
    peer.stall.clear()
    controller.stop()


@pytest.fixture
def dav_server(tmp_path: Path) -> Iterator[Radicale]:
    """Start Radicale on loopback."""
    with radicale(tmp_path) as found:
        yield found


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a subprocess take as long as it needs on a busy machine."""
    monkeypatch.setattr(pool, "CLOCK_TIME_FACTOR", 60)
    monkeypatch.setattr(pool, "MAX_WAIT_SECONDS", 200.0)
    monkeypatch.setattr(pool, "NICE_LEVEL", 0)
