from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from workspace.billing.tests.billing_instance import House
from workspace.payment_clients import circuit_breaker
from workspace.testing.fake_billing import FakeBilling
from workspace.testing.stripe_server import fake_stripe


@pytest.fixture
def house(settings: Any) -> Iterator[House]:
    with _house(settings) as made:
        yield made


@contextmanager
def _house(settings: Any) -> Iterator[House]:
    fake = FakeBilling()
    with fake_stripe(fake):
        settings.STRIPE_URL, settings.WEBHOOK_NETWORKS = fake.url, ["127.0.0.0/8"]
        circuit_breaker._unavailable_until.clear()
        made = House(fake)
        made.settings(settings)
        yield made
