"""Whatever happens in whatever order, a delivery keeps its promises."""

from __future__ import annotations

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workspace.delivery import outbox
from workspace.delivery.models import Delivery, State
from workspace.delivery.outbox.worker import Worker
from workspace.lib import clock

EVENTS = ["sends", "fails", "refuses", "dies", "late", "a minute", "an hour", "retry"]


class Fate:
    """A channel whose answer the test decides."""

    delays = (30.0, 600.0)
    event = ""
    sent = 0

    def send(self, delivery: Delivery) -> State:
        if Fate.event == "refuses":
            raise outbox.Refused("550 no")
        if Fate.event == "fails":
            raise OSError("away")
        Fate.sent += 1
        return State.SENT

    def close(self) -> None: ...


def _happen(event: str, row: Delivery, travel: time_machine.Coordinates) -> None:
    if event in ("a minute", "an hour"):
        travel.shift(60 if event == "a minute" else 3600)
    elif event == "retry":
        assert Delivery.retry(row.pk) == (row.state == State.PARKED)
    elif event == "dies":
        Delivery.lease(["fate"], limit=1, seconds=300)
    elif event == "late":  # its lease lapses under it, and another worker takes the row
        for mine in Delivery.lease(["fate"], limit=1, seconds=300):
            travel.shift(301)
            [other] = Delivery.lease(["fate"], limit=1, seconds=300)
            assert not mine.finish(State.SENT) and not mine.park("") and other.back_off(30, "late")
    else:
        Fate.event = event
        Worker().drain_once()


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(EVENTS), max_size=12))
def test_every_history_keeps_the_promises(events: list[str]) -> None:
    outbox.register("fate", Fate)
    Fate.sent = 0
    Delivery.objects.all().delete()
    try:
        with time_machine.travel(clock.now(), tick=False) as travel:
            row = outbox.put("fate", {})
            for event in events:
                before = row.state
                _happen(event, row, travel)
                row.refresh_from_db()
                assert before != State.SENT or row.state == State.SENT, "sent is final"
                assert before != State.PARKED or event == "retry" or row.state == State.PARKED
                assert Fate.sent == (row.state == State.SENT)
                assert (row.sent_at is not None) == (row.state == State.SENT)
                assert (row.lease_token is not None) == (row.state == State.LEASED)
                assert row.state != State.WAITING or row.attempts == 0 or row.last_error
            # left alone, it comes to an end
            Fate.event = "sends"
            for _ in range(2):
                travel.shift(3600)
                Worker().drain_once()
        row.refresh_from_db()
        assert row.state in (State.SENT, State.PARKED)
    finally:
        outbox._channels.pop("fate")
