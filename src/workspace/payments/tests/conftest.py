from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from workspace.payments import asking
from workspace.payments.tests.fake_stripe import FakeStripe
from workspace.payments.tests.stripe_server import fake_stripe

LOOPBACK = ["127.0.0.0/8"]


@pytest.fixture
def stripe(settings: Any) -> Iterator[FakeStripe]:
    with fake_stripe() as fake:
        settings.STRIPE_URL = fake.url
        settings.WEBHOOK_NETWORKS = LOOPBACK
        asking._away.clear()
        yield fake
