"""Auto-seating on the plan: the page draws a proposal, and keeping it moves the guests."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.delivery.jobs.worker import JobWorker
from workspace.products.seat.models import Guest, SolverRun, Step
from workspace.products.seat.tests.page_elements import read_page
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def chart(api: Api) -> str:
    id: str = make_chart(api)["chart"]["id"]
    add(api, id, *({"name": f"{who} {n}", "party": who} for who in "ABCD" for n in (1, 2)))
    return id


def work() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def search(owner: Client, chart: str, **fields: Any) -> str:
    """Start a search, finish it, and return the URL of its page."""
    answer = owner.post(f"/app/seat/{chart}/arrange", {"seconds": "1", **fields})
    assert answer.status_code == 303
    work()
    url: str = answer["Location"]
    return url


def test_a_proposal_is_drawn_on_the_plan_and_then_kept(owner: Client, chart: str) -> None:
    url = search(owner, chart)
    page = read_page(owner.get(url).content.decode())
    ghosts = page.find_all("g", "st-seat", "st-proposed")
    assert {ghost["data-name"] for ghost in ghosts} == {f"{who} {n}" for who in "ABCD" for n in (1, 2)}
    assert "4 of 4 parties together" in page.find_all("ul", "st-sums")[0].text
    assert not Guest.objects.exclude(table=None).exists()
    shown = {
        ghost["data-guest"]: table["data-id"] for table in page.find_all("g", "st-table")
        for ghost in table.find_all("g", "st-proposed")
    }  # fmt: skip
    [version] = page.find_all("input", name="version")
    kept = owner.post(f"{url}/accept", {"all": "1", "version": version["value"]})
    assert kept["Location"] == f"/app/seat/{chart}"
    assert dict(Guest.objects.values_list("pk", "table")) == shown
    last = Step.objects.order_by("-pk")[0].pk
    assert owner.post(f"/app/seat/{chart}/act", {"act": "undo", "sure": last}, headers=SCRIPT).status_code == 200
    assert not Guest.objects.exclude(table=None).exists()


def test_a_proposal_that_is_out_of_date_is_shown_again(api: Api, owner: Client, chart: str) -> None:
    url = search(owner, chart)
    version = api.run("svc_seat_tables", event_id=chart)["chart"]["version"]
    add(api, chart, "Late Guest")
    assert owner.post(f"{url}/accept", {"all": "1", "version": version})["Location"] == url
    page = owner.get(url).content.decode()
    assert "Someone has changed the chart" in page and "Late Guest has no table." in page
    assert not Guest.objects.exclude(table=None).exists()


def test_selected_moves_are_applied_alone(owner: Client, chart: str) -> None:
    url = search(owner, chart)
    chosen = [move[0] for move in SolverRun.objects.get().moves[:2]]
    assert owner.post(f"{url}/accept", {})["Location"] == url
    assert not Guest.objects.exclude(table=None).exists()
    owner.post(f"{url}/accept", {"guest": chosen})
    assert set(Guest.objects.exclude(table=None).values_list("pk", flat=True)) == set(chosen)


def test_scripts_get_a_search_its_tables_and_its_result_as_data(owner: Client, chart: str) -> None:
    started = owner.post(f"/app/seat/{chart}/arrange", {"seconds": "1", "balance": "-50"}, headers=SCRIPT).json()
    assert SolverRun.objects.get().options == {"balance": -50}
    before = owner.get(f"{started['url']}/progress", headers=SCRIPT).json()
    assert not before["over"] and "st-proposed" not in "".join(before["tables"].values())
    work()
    after = owner.get(f"{started['url']}/progress", headers=SCRIPT).json()
    assert after["over"] and "Keep" in after["result"] and "".join(after["tables"].values()).count("st-proposed") == 8
    owner.post(f"/app/seat/{chart}/preferences", {"one": "A 1", "verb": "apart.must", "other": "A 2"})
    refused = owner.post(f"/app/seat/{chart}/arrange", {}, headers=SCRIPT)
    assert refused.status_code == 422 and "A 1 and A 2" in refused.json()["problem"]
    assert "A 1 and A 2" in owner.post(f"/app/seat/{chart}/arrange", {}).content.decode()


def test_an_expired_search_says_so(owner: Client, chart: str) -> None:
    page = owner.get(f"/app/seat/{chart}/arrange/job_gone").content.decode()
    assert "This search has expired" in page and ">Another</button>" in page
