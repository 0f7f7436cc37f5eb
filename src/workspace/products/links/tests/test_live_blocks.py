"""Live blocks, which show items of other products on a link page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from workspace.accounts.models import Account
from workspace.products.links.models import Page
from workspace.products.links.tests.pages import get_page, save
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import LiveBlock
from workspace.testing.api import Api, make_api
from workspace.testing.links_guest import fetch_html, public_path, visit

pytestmark = pytest.mark.django_db
NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)


class Kitchen:
    """A product whose live block shows a dish of the day, no dish, or an error. Its items are link pages."""

    def __init__(self) -> None:
        self.dish: str | None = "Soup & bread"
        self.until: datetime | None = None
        self.is_broken = False

    def __call__(self, item: Page) -> LiveBlock | None:
        if self.is_broken:
            raise RuntimeError("No dish today")
        if self.dish is None:
            return None
        return LiveBlock("Today", (self.dish, item.title, item.account.name), "/m/lunch", "The menu", self.until)


@pytest.fixture
def kitchen() -> Iterator[Kitchen]:
    kitchen = Kitchen()
    live_blocks.register("dish", "Dish of the day", Page, kitchen)
    yield kitchen
    live_blocks._kinds.pop("dish")


@pytest.fixture
def bistro(api: Api, kitchen: Kitchen) -> dict[str, Any]:
    result: dict[str, Any] = api.run("svc_links_create", title="Bistro")
    return result


@pytest.fixture
def page(api: Api, bistro: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = api.run("svc_links_create", title="Links")
    result["live"] = save(api, result["id"], kind="live", thing=bistro["id"])["id"]
    return result


def test_a_block_shows_the_current_content_of_its_item(page: dict[str, Any]) -> None:
    html = fetch_html(public_path(page))
    assert "<h2>Today</h2><p>Soup &amp; bread</p><p>Bistro</p><p>Corner Café</p>" in html
    response = visit(f"{public_path(page)}/{page['live']}")
    assert (response.status_code, response["Location"]) == (302, "http://127.0.0.1:8000/m/lunch")


def test_a_change_of_the_item_is_visible_on_the_next_load(page: dict[str, Any], api: Api, kitchen: Kitchen) -> None:
    first = visit(public_path(page))
    kitchen.dish = "Salad"
    assert visit(public_path(page), **{"if-none-match": first["ETag"]}).status_code == 304
    live_blocks.notify_changed(api.account, "dish")
    again = visit(public_path(page), **{"if-none-match": first["ETag"]})
    assert (again.status_code, b"Salad" in again.content) == (200, True)


def test_only_the_accounts_pages_with_this_kind_of_block_are_rendered_again(
    page: dict[str, Any], api: Api, kitchen: Kitchen
) -> None:
    first = visit(public_path(page))
    live_blocks.notify_changed(make_api().account, "dish")
    live_blocks.notify_changed(api.account, "review")
    kitchen.dish = "Salad"
    assert b"Soup" in visit(public_path(page)).content
    assert visit(public_path(page))["ETag"] == first["ETag"]


def test_a_block_that_changes_at_a_set_time_updates_the_cached_page(page: dict[str, Any], kitchen: Kitchen) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        kitchen.until = NOON.replace(hour=14)
        live_blocks.notify_changed(Account.objects.get(), "dish")
        assert "Soup" in fetch_html(public_path(page))
        kitchen.dish = "Dinner"
        assert "Soup" in fetch_html(public_path(page))
        clock.move_to(NOON.replace(hour=14))
        assert "Dinner" in fetch_html(public_path(page))


def test_an_empty_or_failing_block_is_left_out(page: dict[str, Any], api: Api, kitchen: Kitchen) -> None:
    kitchen.dish = None
    assert "Today" not in fetch_html(public_path(page))
    assert visit(f"{public_path(page)}/{page['live']}").status_code == 404
    kitchen.is_broken = True
    live_blocks.notify_changed(api.account, "dish")
    assert "Today" not in fetch_html(public_path(page))


def test_unknown_and_foreign_items_are_refused_alike(api: Api, page: dict[str, Any], stranger: Api) -> None:
    theirs = stranger.run("svc_links_create", title="Theirs")["id"]
    messages = set()
    for item in ("card_none", theirs):
        items = [{"url": "a.de"}, {"kind": "live", "thing": item}]
        body = api.refuse("svc_links_save", page_id=page["id"], items=items)
        assert [issue["path"] for issue in body["issues"]] == ["items.1.thing"]
        messages.add(body["message"])
    assert len(messages) == 1 and "dish of the day" in messages.pop()


def test_the_answer_lists_available_items_and_whether_they_are_public(
    api: Api, page: dict[str, Any], bistro: dict[str, Any]
) -> None:
    api.run("svc_links_edit", page_id=bistro["id"], live=False)
    answer = api.run("svc_links_save", page_id=page["id"], order=[page["live"]])
    can_show = {row["title"]: row for row in answer["can_show"]}
    assert can_show["Dish of the day: Bistro"] == {
        "thing": bistro["id"],
        "title": "Dish of the day: Bistro",
        "is_public": False,
    }


def test_a_block_is_named_after_its_item_even_if_that_was_deleted(
    api: Api, page: dict[str, Any], bistro: dict[str, Any]
) -> None:
    assert [element["title"] for element in get_page(api, page["id"])["elements"]] == ["Dish of the day: Bistro"]
    api.run("svc_links_delete", ids=[bistro["id"]])
    assert [element["title"] for element in get_page(api, page["id"])["elements"]] == ["Deleted item"]
    assert "Today" not in fetch_html(public_path(page))
