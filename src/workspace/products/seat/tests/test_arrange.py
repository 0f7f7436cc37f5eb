"""A seating search is a job on a snapshot: its result is reviewed, then accepted, and never overwrites changes."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.delivery.jobs.worker import JobWorker
from workspace.products.seat.models import Guest, SolverRun
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db


def work(most: int = 100) -> None:
    """Run the worker until no job is left, or for at most `most` parts."""
    lane = JobWorker()
    for _ in range(most):
        if not lane.run_once():
            return


@pytest.fixture
def chart(api: Api) -> dict[str, Any]:
    """Create a chart with couples A, B, C and D, and two tables of four."""
    made = make_chart(api)
    rows = add(api, made["chart"]["id"], *({"name": f"{who} {n}", "party": who} for who in "ABCD" for n in (1, 2)))
    preferences = [{"kind": "together", "between": list(pair)} for pair in ("AB", "BC", "CD")]
    api.run("svc_seat_edit", event_id=made["chart"]["id"], preferences=preferences)
    return {"id": made["chart"]["id"], "guests": rows, "tables": [table["id"] for table in made["items"]]}


def where() -> dict[str, str]:
    return dict(Guest.objects.exclude(table=None).values_list("name", "table__name"))


def test_two_of_three_preferences_are_met_once_the_search_is_accepted(api: Api, chart: dict[str, Any]) -> None:
    started = api.run("svc_seat_arrange", event_id=chart["id"], seconds=1)
    work(1)
    early = api.run("svc_jobs_get", job_id=started["job_id"])
    assert early["done"] == 1 and "best seating plan so far has a score of 6" in early["found"]
    run = SolverRun.objects.get()
    assert run.first_found_seconds is not None and run.first_found_seconds < 2.5
    assert where() == {}
    work()
    assert api.run("svc_jobs_get", job_id=started["job_id"])["state"] == "done"
    seen = api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=started["job_id"], dry_run=True)
    assert len(seen["moves"]) == 8 and where() == {}
    done = api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=started["job_id"])
    assert (done["moved"], done["refused"]) == (8, [])
    tables = where()
    assert all(tables[f"{who} 1"] == tables[f"{who} 2"] for who in "ABCD")
    assert sum(tables[f"{value} 1"] == tables[f"{other} 1"] for value, other in ("AB", "BC", "CD")) == 2
    back = api.run("svc_seat_arrange", event_id=chart["id"], step="undo")
    assert back["moved"] == 8 and where() == {}


def test_changes_made_during_a_search_are_not_overwritten(api: Api, chart: dict[str, Any]) -> None:
    started = api.run("svc_seat_arrange", event_id=chart["id"], seconds=1)["job_id"]
    work()
    moved, removed, said_no = chart["guests"][0], chart["guests"][2], chart["guests"][4]
    target = next(row for row in SolverRun.objects.get().moves if row[0] == moved["id"])[2]
    other = next(id for id in chart["tables"] if id != target)
    api.run("svc_seat_assign", event_id=chart["id"], guest_id=moved["id"], table_id=other)
    api.run("svc_seat_delete", ids=[removed["id"]])
    api.run("svc_seat_save_guests", event_id=chart["id"], items=[{"id": said_no["id"], "reply": "no"}])
    only = [chart["guests"][n]["id"] for n in (0, 1, 2, 3, 4, 5)]
    done = api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=started, guest_ids=only)
    reasons = {row["name"]: row["why"] for row in done["refused"]}
    assert reasons["A 1"] == "Someone else has moved A 1 since then." and "has declined" in reasons["C 1"]
    assert where()["A 1"] == Guest.objects.get(pk=moved["id"]).table.name  # type: ignore[union-attr]
    assert "D 1" not in where() and done["moved"] == 6 - len(done["refused"]) - 1
    counts = [row["guest_count"] for row in api.run("svc_seat_tables", event_id=chart["id"])["items"]]
    assert max(counts) <= 4


def test_a_stopped_search_keeps_its_best_result_for_acceptance(api: Api, chart: dict[str, Any]) -> None:
    job = api.run("svc_seat_arrange", event_id=chart["id"], seconds=60)["job_id"]
    work(1)
    api.run("svc_jobs_stop", job_id=job)
    work()
    assert api.run("svc_jobs_get", job_id=job)["state"] == "stopped"
    assert api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=job)["moved"] == 8


def test_a_newcomer_joins_their_party_with_one_move(api: Api) -> None:
    made = make_chart(api)
    id, (item, _) = made["chart"]["id"], [table["id"] for table in made["items"]]
    existing = add(
        api, id, *({"name": name, "party": "A" if name[0] == "A" else ""} for name in ("A1", "A2", "s", "t"))
    )
    api.run("svc_seat_save_guests", event_id=id, items=[{"id": row["id"], "table_id": item} for row in existing])
    add(api, id, {"name": "A3", "party": "A"})
    job = api.run("svc_seat_arrange", event_id=id, seconds=1, max_moves=5)["job_id"]
    work()
    done = api.run("svc_seat_arrange", event_id=id, apply_job_id=job)
    assert sorted(row["from_table"] for row in done["moves"]) == ["", "1"]  # the newcomer, and a guest who moves away
    assert where()["A3"] == where()["A1"] == "1"


def test_impossible_seatings_are_explained_by_name_before_a_search(api: Api) -> None:
    made = make_chart(api)
    id = made["chart"]["id"]
    assert "no guests" in api.refuse("svc_seat_arrange", event_id=id)["message"]
    item, two, three = add(api, id, "Ann", "Ben", "Cleo")
    pairs = [[item, two], [two, three], [item, three]]
    apart = [{"kind": "apart", "between": [a["id"], b["id"]], "weight": "must"} for a, b in pairs]
    api.run("svc_seat_edit", event_id=id, preferences=apart)
    said = api.refuse("svc_seat_arrange", event_id=id)["message"]
    assert "Ann, Ben and Cleo must all sit apart, but there are only 2 tables." in said
    assert said.removeprefix("Not everyone can be seated. ") in api.run("svc_seat_tables", event_id=id)["obstacles"]


def test_a_party_too_large_for_any_table_is_split_only_on_request(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    add(api, id, *({"name": f"P{n}", "party": "P"} for n in range(5)))
    refused = api.refuse("svc_seat_arrange", event_id=id)["message"]
    assert refused.endswith("With split_parties=true, the party “P” would be split into 4 and 1.")
    job = api.run("svc_seat_arrange", event_id=id, seconds=1, split_parties=True)["job_id"]
    work()
    assert api.run("svc_seat_arrange", event_id=id, apply_job_id=job)["moved"] == 5


def test_an_exact_search_of_a_small_chart_proves_the_best_seating(api: Api, chart: dict[str, Any]) -> None:
    job = api.run("svc_seat_arrange", event_id=chart["id"], seconds=1, prove_optimal=True)["job_id"]
    work()
    assert "No better plan exists." in api.run("svc_jobs_get", job_id=job)["found"]
    assert SolverRun.objects.get().score == 6.0


def test_a_search_is_not_visible_to_another_account(api: Api, stranger: Api, chart: dict[str, Any]) -> None:
    job = api.run("svc_seat_arrange", event_id=chart["id"], seconds=1)["job_id"]
    work(1)
    theirs = make_chart(stranger)["chart"]["id"]
    assert stranger.refuse("svc_seat_arrange", event_id=theirs, apply_job_id=job)["error"] == "not_found"


def test_a_proposal_is_a_dry_run_and_is_kept_exactly_as_it_was_shown(api: Api, chart: dict[str, Any]) -> None:
    job = api.run("svc_seat_arrange", event_id=chart["id"], seconds=1)["job_id"]
    work()
    version = api.run("svc_seat_tables", event_id=chart["id"])["chart"]["version"]
    shown = api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=job, dry_run=True)
    summary = shown["summary"]
    assert (summary["rules_met"], summary["rules"]) == (2, 3)
    assert (summary["parties_together"], summary["parties"]) == (4, 4)
    assert (summary["fewest_guests"], summary["most_guests"]) == (4, 4)
    assert summary["exceptions"] == ["Not met: B should sit with C."]
    assert where() == {}
    # a change since then, even of another guest's name, needs another look
    api.run("svc_seat_save_guests", event_id=chart["id"], items=[{"id": chart["guests"][0]["id"], "name": "A One"}])
    refused = api.refuse("svc_seat_arrange", event_id=chart["id"], apply_job_id=job, version=version)
    assert refused["error"] == "conflict" and where() == {}
    version = api.run("svc_seat_tables", event_id=chart["id"])["chart"]["version"]
    kept = api.run("svc_seat_arrange", event_id=chart["id"], apply_job_id=job, version=version)
    moves = {row["guest_id"]: row["to_id"] for row in shown["moves"]}
    assert {row["guest_id"]: row["to_id"] for row in kept["moves"]} == moves
    assert dict(Guest.objects.values_list("pk", "table")) == moves
    assert api.run("svc_seat_arrange", event_id=chart["id"], step="undo")["moved"] == 8 and where() == {}


def test_the_balance_fills_tables_or_spreads_guests_evenly(api: Api) -> None:
    made = make_chart(api, tables=[{"capacity": 6, "count": 4}])
    id = made["chart"]["id"]
    add(api, id, *(f"Guest {number}" for number in range(12)))
    for balance, loads in ((-100, [6, 6]), (100, [3, 3, 3, 3])):
        job = api.run("svc_seat_arrange", event_id=id, seconds=1, balance=balance)["job_id"]
        work()
        summary = api.run("svc_seat_arrange", event_id=id, apply_job_id=job)["summary"]
        counts = [row["guest_count"] for row in api.run("svc_seat_tables", event_id=id)["items"]]
        assert sorted(count for count in counts if count) == loads
        assert (summary["fewest_guests"], summary["most_guests"]) == (loads[0], loads[-1])
        api.run("svc_seat_arrange", event_id=id, step="undo")
    api.refuse("svc_seat_arrange", event_id=id, balance=101)


def test_exceptions_name_split_parties_and_guests_without_a_table(api: Api) -> None:
    id = make_chart(api)["chart"]["id"]
    add(api, id, *({"name": f"P{n}", "party": "P"} for n in range(5)))
    job = api.run("svc_seat_arrange", event_id=id, seconds=1, split_parties=True)["job_id"]
    work()
    add(api, id, "Late Guest")
    summary = api.run("svc_seat_arrange", event_id=id, apply_job_id=job)["summary"]
    assert summary["exceptions"] == [
        "The party “P” is split between Table 1 and Table 2.",
        "Late Guest has no table.",
    ]
    assert (summary["parties_together"], summary["parties"]) == (0, 1)
