"""Guests are added, seated, moved and checked in within the limits of tables and plans."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.products.seat.api import bulk_tools, tools
from workspace.products.seat.models import Guest
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db


@pytest.fixture
def chart(api: Api) -> dict[str, Any]:
    return make_chart(api)


def save(api: Api, chart: dict[str, Any], *items: Any, **more: Any) -> Any:
    return api.run("svc_seat_save_guests", event_id=chart["chart"]["id"], items=list(items), **more)


def test_a_free_plan_adds_the_first_fifty_and_reports_how_many_did_not_fit(db: None) -> None:
    api = make_api(make_account(seat="free"))
    chart = make_chart(api)["chart"]
    assert chart["guest_limit"] == 50
    names = [f"Guest {number}" for number in range(53)]
    done = api.run("svc_seat_add_guests", event_id=chart["id"], guests=names)
    assert (done["added"], done["did_not_fit"]) == (50, 3)
    assert [row["name"] for row in done["items"]] == names[:50]
    again = api.run("svc_seat_add_guests", event_id=chart["id"], guests=["One more"])
    assert (again["added"], again["did_not_fit"]) == (0, 1)


def test_a_full_table_refuses_guests_unless_allowed(api: Api, chart: dict[str, Any]) -> None:
    id, table = chart["chart"]["id"], chart["items"][0]["id"]
    guests = add(api, id, *(f"Guest {number}" for number in range(5)))
    for guest in guests[:4]:
        api.run("svc_seat_assign", event_id=id, guest_id=guest["id"], table_id=table)
    last = {"event_id": id, "guest_id": guests[4]["id"], "table_id": table}
    refused = api.refuse("svc_seat_assign", **last)
    assert refused["error"] == "tool_error" and "Table 1 is full" in refused["message"]
    assert api.run("svc_seat_assign", **last, allow_over_capacity=True)["guest"]["table"] == "1"
    assert api.run("svc_seat_tables", event_id=id)["items"][0]["guest_count"] == 5
    assert api.run("svc_seat_assign", event_id=id, guest_id=guests[4]["id"])["guest"]["table_id"] == ""


def test_moving_part_of_a_party_returns_a_warning(api: Api, chart: dict[str, Any]) -> None:
    id = chart["chart"]["id"]
    item, other = (table["id"] for table in chart["items"])
    family = add(api, id, *({"name": f"{name} Berg", "party": "Berg"} for name in ("Anna", "Ben", "Cleo")))
    save(api, chart, *({"id": guest["id"], "table_id": item} for guest in family))
    done = api.run("svc_seat_assign", event_id=id, guest_id=family[0]["id"], table_id=other)
    assert done["warnings"] == ["2 guests of the party “Berg” are at Table 1."]


def test_two_guests_at_full_tables_swap_in_one_step(api: Api, chart: dict[str, Any]) -> None:
    item, other = (table["id"] for table in chart["items"])
    guests = add(api, chart["chart"]["id"], *(f"Guest {number}" for number in range(8)))
    save(api, chart, *({"id": guest["id"], "table_id": (item, other)[n % 2]} for n, guest in enumerate(guests)))
    done = save(api, chart, {"id": guests[0]["id"], "table_id": other}, {"id": guests[1]["id"], "table_id": item})
    assert done["moved"] == 2 and [row["table"] for row in done["items"]] == ["2", "1"]


def test_a_guest_who_declines_is_unseated_and_cannot_be_seated(api: Api, chart: dict[str, Any]) -> None:
    id, table = chart["chart"]["id"], chart["items"][0]["id"]
    [guest] = add(api, id, "Ben Berg")
    save(api, chart, {"id": guest["id"], "table_id": table})
    [row] = save(api, chart, {"id": guest["id"], "reply": "no"})["items"]
    assert row["table_id"] == "" and row["reply"] == "no"
    assert "has declined" in api.refuse("svc_seat_assign", event_id=id, guest_id=guest["id"], table_id=table)["message"]


def test_a_placeholder_keeps_its_seat_when_it_gets_a_name(api: Api, chart: dict[str, Any]) -> None:
    table = chart["items"][0]["id"]
    [made] = save(api, chart, {"name": "Guest of Anna Berg", "placeholder": True, "table_id": table})["items"]
    [named] = save(api, chart, {"id": made["id"], "name": "Carl Moor"})["items"]
    assert (named["placeholder"], named["table_id"], named["sort_name"]) == (False, table, "Moor, Carl")


def test_meals_are_spelled_as_in_the_chart(api: Api) -> None:
    chart = make_chart(api, courses=[{"name": "Main", "choices": ["Fish", "Lentils"]}, {"name": "Dessert"}])
    [row] = add(api, chart["chart"]["id"], {"name": "Ada", "meals": ["FISH", "Cake"]})
    assert row["meals"] == ["Fish", "Cake"] and row["meal"] == "Fish, Cake"


def test_ticks_give_the_same_result_in_every_order_and_duplicates_count_once(api: Api, chart: dict[str, Any]) -> None:
    ticks = [
        {"arrived": True, "at": "2026-05-01T17:00:00Z", "tick_id": "a"},
        {"arrived": False, "at": "2026-05-01T17:05:00Z", "tick_id": "b"},
        {"arrived": True, "at": "2026-05-01T17:09:00Z", "tick_id": "c"},
        {"arrived": True, "at": "2026-05-01T17:09:00Z", "tick_id": "c"},
    ]
    guests = add(api, chart["chart"]["id"], *(f"Guest {n}" for n in range(6)))
    for guest, order in zip(guests, list(permutations(range(4)))[::4], strict=True):
        for number in order:
            [row] = save(api, chart, {"id": guest["id"], "device_id": "door", **ticks[number]})["items"]
        assert row["arrived_at"] == "2026-05-01T17:09:00Z", order
    [row] = save(api, chart, {"id": guests[0]["id"], "arrived": False})["items"]
    assert row["arrived"] is False


def test_deleting_a_table_unseats_its_guests_and_undo_seats_them_again(api: Api, chart: dict[str, Any]) -> None:
    id, table = chart["chart"]["id"], chart["items"][0]["id"]
    [guest] = add(api, id, "Ben Berg")
    save(api, chart, {"id": guest["id"], "table_id": table, "seat": 3})
    done = api.run("svc_seat_save_tables", event_id=id, remove=[table])
    assert (done["removed"], done["unseated"]) == (1, 1)
    api.run("svc_undo", change_id=done["change"]["id"])
    [row] = api.run("svc_seat_guests", event_id=id)["items"]
    assert (row["table_id"], row["seat"]) == (table, 3)


def test_a_guest_is_found_by_part_of_a_name_without_diacritics(api: Api, chart: dict[str, Any]) -> None:
    id = chart["chart"]["id"]
    add(api, id, {"name": "Zoë Müller", "party": "Åkesson"}, "Ann Berg")
    for typed in ("MUL", "zoe", "akes"):
        assert [row["name"] for row in api.run("svc_seat_guests", event_id=id, q=typed)["items"]] == ["Zoë Müller"]
    assert [row["name"] for row in api.run("svc_seat_guests", event_id=id)["items"]] == ["Ann Berg", "Zoë Müller"]


def test_a_write_to_an_older_version_succeeds_only_if_it_touches_other_guests(api: Api, chart: dict[str, Any]) -> None:
    item, other = (table["id"] for table in chart["items"])
    first, second = add(api, chart["chart"]["id"], "Ann", "Ben")
    known = save(api, chart, {"id": first["id"], "notes": "Hello"})["version"]
    save(api, chart, {"id": first["id"], "table_id": item})
    assert save(api, chart, {"id": second["id"], "table_id": item}, version=known)["moved"] == 1
    refused = api.refuse(
        "svc_seat_save_guests",
        event_id=chart["chart"]["id"],
        items=[{"id": first["id"], "table_id": other}],
        version=known,
    )
    assert refused["error"] == "conflict" and "at version" in refused["message"]
    assert Guest.objects.get(pk=first["id"]).table_id == item


def test_each_planner_undoes_their_own_moves_guest_by_guest(account: Any) -> None:
    anna, ben = Caller(account, bucket="key:anna"), Caller(account, bucket="key:ben")
    chart: Any = execute_tool(tools.create, anna, {"title": "Gala", "tables": [{"capacity": 2, "count": 3}]}).data
    id, (item, two, three) = chart["chart"]["id"], [table["id"] for table in chart["items"]]
    rows: Any = execute_tool(tools.add_guests, anna, {"event_id": id, "guests": ["A", "B", "C"]}).data
    a, b, c = (row["id"] for row in rows["items"])
    moves = [{"id": a, "table_id": item}, {"id": b, "table_id": item}]
    execute_tool(bulk_tools.save_guests, anna, {"event_id": id, "items": moves})
    execute_tool(tools.assign_guest, ben, {"event_id": id, "guest_id": c, "table_id": two})
    execute_tool(tools.assign_guest, ben, {"event_id": id, "guest_id": b, "table_id": three})
    from workspace.products.seat.api import arrange_tools

    def step(who: Caller, which: str) -> Any:
        return execute_tool(arrange_tools.arrange, who, {"event_id": id, "step": which}).data

    def where() -> dict[str, str | None]:
        return dict(Guest.objects.values_list("name", "table"))

    undone = step(anna, "undo")
    assert undone["moved"] == 1 and undone["refused"][0]["why"] == "Someone else has moved B since then."
    assert where() == {"A": None, "B": three, "C": two}
    assert step(ben, "undo")["moved"] == 1 and where()["B"] == item
    assert step(ben, "undo")["moved"] == 1 and where()["C"] is None
    assert step(ben, "redo")["moved"] == 1 and where()["C"] == two
    assert step(ben, "redo")["moved"] == 1 and where()["B"] == three
    with pytest.raises(Exception, match="nothing to redo"):
        step(ben, "redo")
    assert step(anna, "redo")["moved"] == 1 and where()["A"] == item


def test_tables_are_numbered_placed_and_listed_in_natural_order(api: Api) -> None:
    made = make_chart(api, tables=[{"capacity": 8, "count": 11}, {"name": "Couple", "shape": "head", "capacity": 2}])
    assert [row["name"] for row in made["items"]] == [*map(str, range(1, 12)), "Couple"]
    assert not any("apart" in line or "wall" in line for line in made["warnings"]), made["warnings"]
    id = made["chart"]["id"]
    same = api.refuse("svc_seat_save_tables", event_id=id, items=[{"name": "couple"}])
    assert same["issues"][0]["path"] == "items.0.name"
    first, second = made["items"][:2]
    traded = [{"id": first["id"], "name": "2"}, {"id": second["id"], "name": "1"}]
    assert api.run("svc_seat_save_tables", event_id=id, items=traded)["changed"] == 2
    near = {"id": first["id"], "x": second["x"], "y": second["y"] + 200}
    assert "cm apart" in " ".join(api.run("svc_seat_save_tables", event_id=id, items=[near])["warnings"])


def test_a_copied_chart_starts_with_its_guests_unseated(api: Api, chart: dict[str, Any]) -> None:
    id, table = chart["chart"]["id"], chart["items"][0]["id"]
    anna, ben = add(api, id, "Anna", "Ben")
    save(api, chart, {"id": anna["id"], "table_id": table, "arrived": True})
    api.run("svc_seat_edit", event_id=id, preferences=[{"kind": "together", "between": [anna["id"], ben["id"]]}])
    copy = api.run("svc_seat_create", title="Again", copy_of=id)
    assert (copy["chart"]["table_count"], copy["chart"]["guest_count"], copy["chart"]["seated"]) == (2, 2, 0)
    assert copy["preferences"][0]["names"] == ["Anna", "Ben"] and copy["chart"]["arrived"] == 0
