"""A delivery keeps its guarantees for any order of events."""

from __future__ import annotations

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock

EVENTS = ["sends", "fails", "refuses", "dies", "late", "a minute", "an hour", "retry"]


class Fate:
    """A channel whose result the test decides."""

    delays = (30.0, 600.0)
    event = ""
    sent = 0

    def send(self, delivery: Delivery) -> DeliveryState:
        if Fate.event == "refuses":
            raise outbox.PermanentDeliveryError("550 no")
        if Fate.event == "fails":
            raise OSError("away")
        Fate.sent += 1
        return DeliveryState.SENT

    def close(self) -> None: ...


def _happen(event: str, row: Delivery, travel: time_machine.Coordinates) -> None:
    if event in ("a minute", "an hour"):
        travel.shift(60 if event == "a minute" else 3600)
    elif event == "retry":
        assert Delivery.retry(row.pk) == (row.state == DeliveryState.PARKED)
    elif event == "dies":
        Delivery.lease_due(["fate"], limit=1, seconds=300)
    elif event == "late":  # its lease expires, and another worker takes the row
        for mine in Delivery.lease_due(["fate"], limit=1, seconds=300):
            travel.shift(301)
            [other] = Delivery.lease_due(["fate"], limit=1, seconds=300)
            assert not mine.finish(DeliveryState.SENT) and not mine.park("") and other.back_off(30, "late")
    else:
        Fate.event = event
        OutboxWorker().drain_once()


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_every_sequence_of_events_keeps_the_guarantees(events: list[str]) -> None:
    outbox.register_channel("fate", Fate)
    Fate.sent = 0
    Delivery.objects.all().delete()
    try:
        with time_machine.travel(clock.now(), tick=False) as travel:
            row = outbox.put("fate", {})
            for event in events:
                before = row.state
                _happen(event, row, travel)
                row.refresh_from_db()
                assert before != DeliveryState.SENT or row.state == DeliveryState.SENT, "sent is final"
                assert before != DeliveryState.PARKED or event == "retry" or row.state == DeliveryState.PARKED
                assert Fate.sent == (row.state == DeliveryState.SENT)
                assert (row.sent_at is not None) == (row.state == DeliveryState.SENT)
                assert (row.lease_token is not None) == (row.state == DeliveryState.LEASED)
                assert row.state != DeliveryState.WAITING or row.attempts == 0 or row.last_error
            # without further events, it finishes
            Fate.event = "sends"
            for _ in range(2):
                travel.shift(3600)
                OutboxWorker().drain_once()
        row.refresh_from_db()
        assert row.state in (DeliveryState.SENT, DeliveryState.PARKED)
    finally:
        outbox._channels.pop("fate")
