"""Undo on the floor plan reverts a planner's actions in reverse order."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.delivery.jobs.worker import JobWorker
from workspace.products.seat.api import arrange_tools, bulk_tools, tools
from workspace.products.seat.models import Chart, Guest, Step, Table
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


def step(api: Api, chart: str, which: str = "undo") -> Any:
    return api.run("svc_seat_arrange", event_id=chart, step=which)


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def test_undo_after_seating_everyone_and_moving_a_table_moves_the_table_back(api: Api) -> None:
    made = make_chart(api)
    id, table = made["chart"]["id"], made["items"][0]
    add(api, id, *(f"Guest {number}" for number in range(8)))
    job = api.run("svc_seat_arrange", event_id=id, seconds=1)["job_id"]
    lane = JobWorker()
    while lane.run_once():
        pass
    assert api.run("svc_seat_arrange", event_id=id, apply_job_id=job)["moved"] == 8
    api.run("svc_seat_save_tables", event_id=id, items=[{"id": table["id"], "x": table["x"] + 100}])
    undone = step(api, id)
    assert undone["what"] == "Table 1 changed" and undone["moved"] == 0
    assert Table.objects.get(pk=table["id"]).x == table["x"]
    assert Guest.objects.filter(table=None).count() == 0, "everyone keeps their seat"
    undone = step(api, id)
    assert undone["what"] == "8 guests auto-seated" and Guest.objects.filter(table=None).count() == 8
    assert step(api, id, "redo")["moved"] == 8
    assert step(api, id, "redo")["what"] == "Table 1 changed"
    assert Table.objects.get(pk=table["id"]).x == table["x"] + 100
    assert "nothing to redo" in api.refuse("svc_seat_arrange", event_id=id, step="redo")["message"]


def test_tables_guests_room_and_preferences_are_undone_and_redone_step_by_step(api: Api) -> None:
    made = make_chart(api, width=1000)
    id, old = made["chart"]["id"], made["items"][0]["id"]
    anna, ben = add(api, id, "Anna Berg", "Ben Berg")
    api.run("svc_seat_assign", event_id=id, guest_id=anna["id"], table_id=old)
    [new] = api.run("svc_seat_save_tables", event_id=id, items=[{"capacity": 6}])["items"]
    api.run("svc_seat_save_guests", event_id=id, items=[{"id": ben["id"], "notes": "No nuts", "table_id": new["id"]}])
    api.run("svc_seat_edit", event_id=id, width=2000)
    api.run("svc_seat_edit", event_id=id, preferences=[{"kind": "apart", "between": [anna["id"], ben["id"]]}])
    api.run("svc_seat_save_tables", event_id=id, remove=[old])
    end = state(id)
    states, said = [end], []
    for _ in range(7):
        said.append(step(api, id)["what"])
        states.append(state(id))
    assert said == [
        "Table 1 removed",
        "Preferences changed",
        "Room changed",
        "Ben Berg changed",
        "Table 3 added",
        "Anna Berg moved to Table 1",
        "2 guests added",
    ]
    assert states[-1] == {"guests": {}, "tables": ["1", "2"], "width": 1000, "rules": 0}
    assert "nothing to undo" in api.refuse("svc_seat_arrange", event_id=id, step="undo")["message"]
    for before in reversed(states[:-1]):
        step(api, id, "redo")
        assert state(id) == before


def state(id: str) -> dict[str, Any]:
    chart = Chart.objects.get(pk=id)
    return {
        "guests": {guest.name: (guest.notes, guest.table_id) for guest in chart.guests.all()},
        "tables": sorted(chart.tables.values_list("name", flat=True)),
        "width": chart.width,
        "rules": chart.preferences.count(),
    }


def test_changes_that_someone_else_has_used_since_are_not_undone(account: Any) -> None:
    anna, ben = Caller(account, bucket="key:anna"), Caller(account, bucket="key:ben")
    chart: Any = execute_tool(tools.create, anna, {"title": "Gala"}).data
    id = chart["chart"]["id"]
    added: Any = execute_tool(bulk_tools.save_tables, anna, {"event_id": id, "items": [{"capacity": 4}]}).data
    rows: Any = execute_tool(tools.add_guests, ben, {"event_id": id, "guests": ["Carl"]}).data
    guest, table = rows["items"][0]["id"], added["items"][0]["id"]
    execute_tool(tools.assign_guest, ben, {"event_id": id, "guest_id": guest, "table_id": table})
    with pytest.raises(Exception, match=r"later change: Carl moved to Table 1\. Undo that change first\."):
        execute_tool(arrange_tools.arrange, anna, {"event_id": id, "step": "undo"})
    execute_tool(arrange_tools.arrange, ben, {"event_id": id, "step": "undo"})
    execute_tool(arrange_tools.arrange, anna, {"event_id": id, "step": "undo"})
    assert not Table.objects.filter(pk=table).exists()


def test_undo_skips_steps_that_the_change_log_has_undone(api: Api) -> None:
    made = make_chart(api)
    id = made["chart"]["id"]
    add(api, id, "Anna Berg")
    done = api.run("svc_seat_save_tables", event_id=id, items=[{"capacity": 6}])
    api.run("svc_undo", change_id=done["change"]["id"])
    assert step(api, id)["what"] == "Anna Berg added"


def test_check_in_is_not_part_of_the_undo_history(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    [anna] = add(api, id, "Anna Berg")
    api.run("svc_seat_edit", event_id=id, width=2000)
    api.run("svc_seat_save_guests", event_id=id, items=[{"id": anna["id"], "arrived": True}])
    assert step(api, id)["what"] == "Room changed"
    assert Guest.objects.get().checked_in_at is not None
    assert "later change" in api.refuse("svc_seat_arrange", event_id=id, step="undo")["message"]


def test_undoing_more_than_five_seats_asks_for_confirmation_first(api: Api, owner: Client) -> None:
    id = make_chart(api, tables=[{"capacity": 8}])["chart"]["id"]
    guests = [f"Guest {number}" for number in range(8)]
    url = f"/app/seat/{id}/act"
    owner.post(url, {"act": "add", "capacity": "4", "count": "2"})
    for some in (guests[:3], guests[3:6], guests[6:]):
        owner.post(f"/app/seat/{id}/guests", {f"new{number}-name": name for number, name in enumerate(some)})
    people = list(Guest.objects.order_by("name").values_list("pk", flat=True))
    table = Table.objects.get(name="1").pk
    owner.post(url, {"act": "move", "guest": people, "table": table})
    response = owner.post(url, {"act": "undo", "version": 0}, headers=SCRIPT)
    told = response.json()
    assert response.status_code == 409 and "refused" not in told
    assert "Undo “8 guests moved”?" in told["ask"] and "Guest 0, Guest 1" in told["ask"] and "and 2 more" in told["ask"]
    assert Guest.objects.filter(table=table).count() == 8, "nothing happens before the planner agrees"
    # without scripts, the question is a page
    page = owner.post(url, {"act": "undo"})
    assert page.status_code == 303 and page["Location"].startswith(f"/app/seat/{id}/undo/")
    assert "Undo “8 guests moved”?" in owner.get(page["Location"]).content.decode()
    assert owner.post(page["Location"]).status_code == 303 and Guest.objects.filter(table=None).count() == 8
    owner.post(url, {"act": "redo"})
    sure = Step.objects.filter(is_undone=False, act="move").latest("pk").pk
    assert owner.post(url, {"act": "undo", "sure": sure, "version": 0}, headers=SCRIPT).status_code == 200
    assert Guest.objects.filter(table=None).count() == 8
    # five or fewer need no confirmation
    assert owner.post(url, {"act": "undo", "version": 0}, headers=SCRIPT).json()["said"] == "Undone: 2 guests added."
