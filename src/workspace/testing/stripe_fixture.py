"""A pytest plugin: the fake Stripe, for the tests of every package that takes payments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from workspace.payments import asking, lane
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.stripe_server import fake_stripe


@pytest.fixture
def stripe(settings: Any) -> Iterator[FakeStripe]:
    """Stripe on loopback, which this process asks."""
    with fake_stripe() as fake:
        settings.STRIPE_URL, settings.WEBHOOK_NETWORKS = fake.url, ["127.0.0.0/8"]
        asking._away.clear()
        lane.wake.clear()  # an earlier test may have set it, and the sweep yields to it
        yield fake
