"""The overview of an account: the numbers of a period and of the one before it, submissions, and contacts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.across.samples import things
from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.products import list_manifests
from workspace.products.card.models import Lead
from workspace.products.reviews import models as reviews
from workspace.publishing import items as registry
from workspace.publishing.items import Item
from workspace.publishing.models import DailyCounter
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.publications import build_guest
from workspace.testing.samples.card import submit_lead

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon() -> Any:
    with time_machine.travel(NOW, tick=True):
        yield


def visit(item: Item, days_ago: float, count: int = 1) -> None:
    event = registry.get_manifest(item.kind).visit_event
    at = NOW - timedelta(days=days_ago)
    write_visits(
        [IncomingVisit(item.publication_id, event, "", at, build_guest(f"guest {n} {days_ago}")) for n in range(count)]
    )


def card_of(api: Api, name: str = "Jane") -> Item:
    return registry.get_item(api.account, _card(api, name))


def _card(api: Api, name: str) -> str:
    id: str = api.run("svc_card_create", full_name=name)["id"]
    return id


def test_visits_of_every_product_are_shown_with_those_of_the_previous_period(api: Api, stranger: Api) -> None:
    made = registry.get_items(api.account, things(api).values())
    for number, one in enumerate(made.values(), start=1):
        visit(one, 0.1, number)
        visit(one, 8, 2 * number)
        visit(one, 20, 100)
    for one in registry.get_items(stranger.account, things(stranger).values()).values():
        visit(one, 0.1, 7)
    data = api.run("svc_overview")
    count = sum(range(1, len(made) + 1))
    assert (data["days"], data["first_day"], data["unique"]) == (7, "2026-11-15", count)
    assert data["visits"] == {"now": count, "before": 2 * count}
    told = {row["kind"]: (row["things"], row["visits"]) for row in data["by_kind"]}
    counts: dict[str, list[int]] = {}
    for number, one in enumerate(made.values(), start=1):
        counts.setdefault(one.kind, []).append(number)
    assert told == {kind: (len(n), {"now": sum(n), "before": 2 * sum(n)}) for kind, n in counts.items()}
    most = list(reversed(list(made.values())))
    assert [row["id"] for row in data["most_visited"]] == [one.id for one in most][:5]
    assert set(told) == {product.key for product in list_manifests()}


def test_days_are_in_the_accounts_time_zone() -> None:
    api = make_api(make_account(time_zone="Asia/Tokyo"))  # the local time is 9 p.m.
    one = card_of(api)
    visit(one, 0.5)  # today there, since midnight was at 15:00 UTC
    visit(one, 0.9)  # yesterday there
    data = api.run("svc_overview", days=1)
    assert (data["first_day"], data["visits"]) == ("2026-11-21", {"now": 1, "before": 1})


def test_a_plan_with_a_short_history_limits_the_numbers_and_omits_the_previous_period() -> None:
    api = make_api(make_account(card="free"))  # 30 days
    one = card_of(api)
    visit(one, 1, 3)
    visit(one, 31, 5)
    assert api.run("svc_overview", days=15)["visits"] == {"now": 3, "before": 0}
    for days in (16, 60):
        data = api.run("svc_overview", days=days)
        assert data["visits"] == data["by_kind"][0]["visits"] == {"now": 3}
    assert api.run("svc_overview", days=60, thing=one.id)["thing"]["days"] == 30


def test_an_item_is_shown_with_its_days_and_its_submissions(api: Api) -> None:
    jane, mary = card_of(api, "Jane"), card_of(api, "Mary")
    visit(jane, 1, 2)
    visit(jane, 9, 1)
    visit(mary, 1, 4)
    submit_lead(jane.id, 1)
    submit_lead(mary.id, 2)
    data = api.run("svc_overview", thing=jane.public_url)
    assert data["visits"] == {"now": 2, "before": 1} and "by_kind" not in data
    assert [(row["kind"], row["count"]["now"]) for row in data["came_in"]] == [("lead", 1)]
    assert data["thing"]["id"] == jane.id and data["thing"]["total"] == 3
    assert [day["views"] for day in data["thing"]["by_day"]] == [0, 0, 0, 0, 0, 2, 0]
    empty = card_of(api, "Nobody")
    assert api.run("svc_overview", thing=empty.id)["visits"] == {"now": 0, "before": 0}


def test_new_and_pending_submissions_are_shown_with_their_page(api: Api) -> None:
    card = _card(api, "Jane")
    for number, ago in enumerate((1, 2, 8)):
        Lead.objects.filter(pk=submit_lead(card, number)).update(created_at=NOW - timedelta(days=ago))
    page = reviews.ReviewPage.objects.get(pk=next(id for id in things(api).values() if id.startswith("rvp_")))
    reviews.Testimonial.objects.all().delete()
    for status in ("pending", "pending", "approved"):
        reviews.Testimonial.objects.create(
            account=api.account, page=page, status=status, text="Good", name="Ann", search="ann", consented_at=NOW
        )
    data = api.run("svc_overview")
    came = {row["kind"]: row["count"] for row in data["came_in"]}
    assert (came["lead"], came["testimonial"]) == ({"now": 3, "before": 1}, {"now": 3, "before": 0})
    [waits] = [row for row in data["waits"] if row["kind"] == "testimonial"]
    assert (waits["count"], waits["text"]) == (2, "2 reviews wait for your approval")
    assert waits["page"].endswith("/app/reviews")


def test_deleted_items_are_not_counted(api: Api) -> None:
    one = card_of(api)
    visit(one, 1)
    submit_lead(one.id)
    api.run("svc_card_delete", ids=[one.id])
    data = api.run("svc_overview")
    assert data["visits"]["now"] == 0 and data["by_kind"] == []
    assert all(row["count"]["now"] == 0 for row in data["came_in"])
    assert api.run("svc_leads")["total"] == 0


def test_the_overview_of_an_empty_account_says_so(api: Api) -> None:
    data = api.run("svc_overview")
    assert data["visits"] == {"now": 0, "before": 0} and data["by_kind"] == [] == data["most_visited"]
    assert not DailyCounter.objects.exists()


def test_contacts_of_all_items_are_listed_by_time(api: Api, stranger: Api) -> None:
    jane, mary = _card(api, "Jane"), _card(api, "Mary")
    ids = [submit_lead(card, number) for number, card in enumerate((jane, mary, jane))]
    for days, id in enumerate(reversed(ids)):
        Lead.objects.filter(pk=id).update(created_at=NOW - timedelta(days=days))
    submit_lead(_card(stranger, "Else"), 9)
    found = api.run("svc_leads")
    assert [row["id"] for row in found["items"]] == list(reversed(ids))
    first = found["items"][0]
    assert (first["thing"], first["thing_id"], first["email"], first["kind"]) == (
        "Jane",
        jane,
        "guest2@example.com",
        "lead",
    )
    assert "phone" not in first and first["page"].endswith(f"/app/card/{jane}/leads")
    assert [row["id"] for row in api.run("svc_leads", thing=mary)["items"]] == [ids[1]]
    assert [row["id"] for row in api.run("svc_leads", **{"from": "2026-11-20"})["items"]] == [ids[2], ids[1]]
    menu = registry.get_items(api.account, things(api).values())
    for one in menu.values():
        if one.kind != "card":
            assert api.run("svc_leads", thing=one.id)["total"] == 0


def test_the_overview_takes_the_same_queries_for_any_amount_of_data(api: Api) -> None:
    counts = []
    for number in range(3):
        for one in (card_of(api, f"Jane {number} {n}") for n in range(1 + 2 * number)):
            visit(one, 1, 2)
            submit_lead(one.id)
        with CaptureQueriesContext(connection) as queries:
            api.run("svc_overview", days=30)
        counts.append(len(queries))
    assert len(set(counts)) == 1 and counts[0] < 25
