"""Statistics: views and clicks by plan, and the click-through rate."""

from __future__ import annotations

import csv
import dataclasses
import io
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.products.links.api.stats_tools import click_rate
from workspace.products.links.models import KIND
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.links_guest import ANDROID, public_path, visit

pytestmark = pytest.mark.django_db


def make_page(api: Api) -> tuple[dict[str, Any], list[str]]:
    page = api.run("svc_links_create", title="Links")
    ids = [api.run("svc_links_add", page_id=page["id"], title=t, url="example.com")["id"] for t in ("Menu", "Book")]
    return page, ids


def test_a_page_without_views_has_a_rate_of_zero(api: Api) -> None:
    page, ids = make_page(api)
    stats = api.run("svc_links_stats", page_id=page["id"])
    assert (stats["days"], stats["total_in_days"], stats["clicks"], stats["click_through_rate"]) == (30, 0, 0, 0)
    assert [(row["link_id"], row["clicks"]) for row in stats["clicks_by_link"]] == [(id, 0) for id in ids]
    assert click_rate(5, 0) == 0.0


def test_views_clicks_and_their_sources_are_counted(api: Api) -> None:
    page, (menu, book) = make_page(api)
    for address in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
        visit(public_path(page), address=address, referer="https://instagram.com/p/1")
    visit(public_path(page), address="203.0.113.4", agent=ANDROID)
    for _ in range(3):
        visit(f"{public_path(page)}/{book}", address="203.0.113.1")
    visit(f"{public_path(page)}/{menu}", address="203.0.113.2")
    visit(public_path(page), agent="WhatsApp/2.23")
    stats = api.run("svc_links_stats", page_id=page["id"], days=7)
    assert (stats["total_in_days"], stats["total"], stats["clicks_in_days"], stats["bots"]) == (4, 4, 4, 1)
    # Two people clicked, with four views. The second and third clicks of the same person on that day are repeats.
    assert stats["click_through_rate"] == 0.5
    assert [(row["title"], row["clicks"], row["unique"]) for row in stats["clicks_by_link"]] == [
        ("Book", 3, 1),
        ("Menu", 1, 1),
    ]
    assert stats["by_device"] == [{"name": "phone", "views": 4}]
    assert stats["by_city"] == [{"name": "Unknown", "views": 4}]
    assert stats["by_referrer"] == [{"name": "instagram.com", "views": 3}, {"name": "Direct", "views": 1}]
    assert len(stats["by_day"]) == 7
    assert (stats["by_day"][-1]["views"], stats["by_day"][-1]["clicks"]) == (4, 4)


def test_the_free_plan_shows_views_and_collects_clicks_for_later() -> None:
    api = make_api(make_account(link="free", qr="pro"))
    page, (menu, _book) = make_page(api)
    visit(public_path(page))
    visit(f"{public_path(page)}/{menu}")
    stats = api.run("svc_links_stats", page_id=page["id"])
    assert (stats["total_in_days"], stats["clicks"], stats["click_through_rate"]) == (1, None, None)
    for name in ("clicks_by_link", "by_device", "by_city", "by_country", "by_referrer"):
        assert stats[name] == [], name
    assert {day["clicks"] for day in stats["by_day"]} == {None}
    api.account.chosen_plans["link"] = "pro"
    api.account.save()
    assert api.run("svc_links_stats", page_id=page["id"])["clicks"] == 1


def test_clicks_on_a_removed_button_are_still_counted(api: Api) -> None:
    page, (menu, _book) = make_page(api)
    visit(public_path(page))
    visit(f"{public_path(page)}/{menu}")
    api.run("svc_links_save", page_id=page["id"], remove=[menu])
    [first, *_] = api.run("svc_links_stats", page_id=page["id"])["clicks_by_link"]
    assert (first["link_id"], first["clicks"], first["title"]) == (menu, 1, "Removed button")


@pytest.mark.parametrize("days", [0, -1, "x", 1.5])
def test_an_invalid_window_is_refused(days: Any, api: Api) -> None:
    page, _ = make_page(api)
    assert api.refuse("svc_links_stats", page_id=page["id"], days=days)["issues"][0]["path"] == "days"


def test_the_plan_limits_the_window(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    page, _ = make_page(api)
    assert api.run("svc_links_stats", page_id=page["id"], days=3660)["days"] == 400
    assert api.run("svc_links_stats", page_id=page["id"])["days"] == 30
    limits = dataclasses.replace(api.account.limits(KIND), history_days=7)
    monkeypatch.setattr(Account, "limits", lambda account, product: limits)
    for arguments in ({}, {"days": 30}):
        stats = api.run("svc_links_stats", page_id=page["id"], **arguments)
        assert (stats["days"], len(stats["by_day"])) == (7, 7), "also where nobody said how long"


def test_statistics_can_be_exported_as_a_file(api: Api) -> None:
    page, (menu, _book) = make_page(api)
    visit(public_path(page))
    visit(f"{public_path(page)}/{menu}")
    result = api.run("svc_links_export", page_id=page["id"], kind="stats", days=7)
    header, *lines = list(csv.reader(io.StringIO(result["content"])))
    assert header == ["date", "views", "unique visitors", "clicks"]
    assert (len(lines), lines[-1][1:]) == (7, ["1", "1", "1"])
    assert (result["rows"], result["file_name"]) == (7, f"link-page-stats-{page['slug']}.csv")
