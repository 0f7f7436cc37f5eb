"""The webhook URL accepts only events from the provider."""

from __future__ import annotations

import json
import time
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.payments.checkout import DELIVERY_KIND
from workspace.payments.models import ProviderEvent
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.payment_shop import Shop

pytestmark = pytest.mark.django_db


def test_only_events_with_a_valid_recent_signature_are_accepted(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    payment = shop.open()
    stripe.pay(payment.session)
    body, now = stripe.events[-1], int(time.time())
    address = f"/hooks/stripe/{shop.connection.token}"
    for header in (
        "",
        "t=,v1=",
        f"t={now},v1={'0' * 64}",
        stripe.signed(body, secret="whsec_another"),
        stripe.signed(body, at=now - 400),
        stripe.signed(body, at=now + 400),
        stripe.signed(body + b" "),
        stripe.signed(body).replace("v1=", "v0="),
        "ü" * 10,
    ):
        answer = Client().post(address, body, content_type="application/json", headers={"stripe-signature": header})
        assert answer.status_code == 400, header
    assert Client().post("/hooks/stripe/unknown", body, content_type="application/json").status_code == 404
    assert Client().get(address).status_code == 405
    for odd in (b"[]", b"{}", b"\xff", b"[" * 5000, json.dumps({"id": 1, "type": [], "data": {"object": 3}}).encode()):
        shop.receive_events(odd, status=400)
    assert not ProviderEvent.objects.exists()
    live = json.dumps({**json.loads(body), "livemode": True}).encode()
    shop.receive_events(live)  # an event of the other mode is answered and ignored
    assert not ProviderEvent.objects.exists()
    shop.receive_events(body)
    shop.work()
    assert shop.count_notifications() == {"paid": 1}


def test_events_of_other_sales_are_accepted_and_deleted_later(stripe: FakeStripe) -> None:
    shop = Shop(stripe)
    strange = {"id": "evt_x", "type": "charge.refunded", "livemode": False}
    shop.receive_events(
        json.dumps({**strange, "data": {"object": {"object": "charge", "payment_intent": "pi_else"}}}).encode()
    )
    assert not Delivery.objects.filter(kind=DELIVERY_KIND).exists()
    with time_machine.travel(clock.now() + timedelta(days=41)):
        ProviderEvent.delete_expired()
    assert not ProviderEvent.objects.exists()
