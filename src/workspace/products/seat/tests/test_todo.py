"""Home lists open to-dos of an event in the next days."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from workspace.lib import clock
from workspace.products.seat.hooks.todo import list_todo_items
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_unseated_guests_and_tables_too_full_are_listed_before_the_event(api: Api) -> None:
    def list_todo_texts() -> list[str]:
        return [need.text for need in list_todo_items(api.account)]

    def save(**item: Any) -> None:
        api.run("svc_seat_save_guests", event_id=chart, items=[item], allow_over_capacity=True)

    day = clock.today(api.account.time_zone) + timedelta(days=3)
    made = api.run("svc_seat_create", title="Gala", date=day.isoformat(), tables=[{"capacity": 1}], courses=["Main"])
    chart, table = made["chart"]["id"], made["items"][0]["id"]
    assert [text.endswith("has no guests yet") for text in list_todo_texts()] == [True]
    people = ["Ada", {"name": "Ben", "meal": "Fish"}, "Cleo"]
    ada, ben, cleo = (row["id"] for row in api.run("svc_seat_add_guests", event_id=chart, guests=people)["items"])
    save(id=cleo, reply="no")
    when = f"of “Gala” on {day:%-d %B}"
    assert list_todo_texts() == [f"2 guests {when} have no table yet", f"1 guest {when} has not chosen a meal yet"]
    for id in (ada, ben):
        save(id=id, table_id=table)
    save(id=ada, meal="Fish")
    assert list_todo_texts() == ["A table of “Gala” has more guests than seats"]
    assert list_todo_items(api.account)[0].page == f"/app/seat/{chart}"
    save(id=ben, table_id="")
    save(id=ben, reply="no")
    assert list_todo_texts() == []
    api.run("svc_seat_edit", event_id=chart, date=(day + timedelta(days=30)).isoformat())
    save(id=ben, reply="yes")
    assert list_todo_texts() == []
