"""Parallel calls never overfill a table or exceed the plan's number of guests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from workspace.products.seat.models import Guest
from workspace.testing.api import make_account, make_api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 8


def at_once(act: Any) -> list[Any]:
    ready = Barrier(MANY)

    def run(number: int) -> Any:
        try:
            ready.wait(60)
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(run, range(MANY)))


def test_parallel_calls_fill_a_plan_and_a_table_exactly() -> None:
    api = make_api(make_account(seat="free"))
    made = make_chart(api)
    id, (item, other) = made["chart"]["id"], [table["id"] for table in made["items"]]
    rows = add(api, id, *(f"Seat {number}" for number in range(MANY)))

    def fill(number: int) -> dict[str, int]:
        names = [f"{number} of {place}" for place in range(7)]
        status, body = api.post("seat/add/guests", {"event_id": id, "guests": names})
        assert status == 200, body
        return dict(body["data"])

    added = at_once(fill)
    assert Guest.objects.filter(chart=id).count() == 50
    assert sum(item["added"] for item in added) == 50 - MANY
    assert sum(item["did_not_fit"] for item in added) == MANY * 7 - (50 - MANY)

    def seat(number: int) -> int:
        fields = {"event_id": id, "guest_id": rows[number]["id"], "table_id": item}
        if number % 2:  # alternate between both ways to seat a guest
            return api.post("seat/assign", fields)[0]
        items = [{"id": rows[number]["id"], "table_id": item}]
        return api.post("seat/save/guests", {"event_id": id, "items": items})[0]

    assert sorted(at_once(seat)) == [200] * 4 + [400] * 4
    assert Guest.objects.filter(table=item).count() == 4

    def away(number: int) -> int:
        """Move a guest to the other table, half of them from a seat."""
        return api.post("seat/assign", {"event_id": id, "guest_id": rows[number]["id"], "table_id": other})[0]

    assert sorted(at_once(away)) == [200] * 4 + [400] * 4
    assert Guest.objects.filter(table=other).count() == 4
