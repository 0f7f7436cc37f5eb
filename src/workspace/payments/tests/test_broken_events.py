"""A signed event with characters that a database rejects is treated as unsigned."""

from __future__ import annotations

import json

import pytest

from workspace.lib import clock
from workspace.payment_clients.errors import SignatureError
from workspace.payment_clients.stripe import signature
from workspace.payments.provider_registry import get_provider

pytestmark = pytest.mark.any_database
SECRET = "whsec_test"


def parse_changed_event(**changes: str) -> object:
    thing = {"object": "checkout.session", "id": "cs_1", "client_reference_id": "pay_1", "payment_intent": "pi_1"}
    event = {"id": "evt_1", "type": "checkout.session.completed", "data": {"object": thing}}
    for name, value in changes.items():
        (event if name in ("id", "type") else thing)[name.removeprefix("of_")] = value  # type: ignore[index]
    body = json.dumps(event).encode()
    now = clock.now()
    headers = {"Stripe-Signature": signature.sign_event(body, SECRET, int(now.timestamp()))}
    return get_provider("stripe").parse_event(body, headers, SECRET, now)


@pytest.mark.parametrize("odd", ["\ud800", "\x00"])
@pytest.mark.parametrize("name", ["id", "type", "of_id", "client_reference_id", "payment_intent"])
def test_an_id_with_an_invalid_character_is_rejected(name: str, odd: str) -> None:
    assert parse_changed_event()
    with pytest.raises(SignatureError):
        parse_changed_event(**{name: f"x{odd}"})
