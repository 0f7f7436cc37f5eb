"""Live blocks: what another product shows of one of its things, through the room below both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from workspace.accounts.models import Account
from workspace.products.links.models import Page
from workspace.products.links.tests.making import save, whole
from workspace.publishing import live_blocks
from workspace.publishing.live_blocks import LiveBlock
from workspace.testing.api import Api, make_api
from workspace.testing.links_guest import path_of, shown, visit

pytestmark = pytest.mark.django_db
NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)


class Kitchen:
    """A product that has a dish of the day, or none, or trouble. Its things are pages, for want of others."""

    def __init__(self) -> None:
        self.dish: str | None = "Soup & bread"
        self.until: datetime | None = None
        self.is_broken = False

    def __call__(self, thing: Page) -> LiveBlock | None:
        if self.is_broken:
            raise RuntimeError("No dish today")
        if self.dish is None:
            return None
        return LiveBlock("Today", (self.dish, thing.title, thing.account.name), "/m/lunch", "The menu", self.until)


@pytest.fixture
def kitchen() -> Iterator[Kitchen]:
    found = Kitchen()
    live_blocks.register("dish", "Dish of the day", Page, found)
    yield found
    live_blocks._kinds.pop("dish")


@pytest.fixture
def bistro(api: Api, kitchen: Kitchen) -> dict[str, Any]:
    found: dict[str, Any] = api.run("svc_links_create", title="Bistro")
    return found


@pytest.fixture
def page(api: Api, bistro: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = api.run("svc_links_create", title="Links")
    found["live"] = save(api, found["id"], kind="live", thing=bistro["id"])["id"]
    return found


def test_a_block_shows_what_its_thing_has_now(page: dict[str, Any]) -> None:
    html = shown(path_of(page))
    assert "<h2>Today</h2><p>Soup &amp; bread</p><p>Bistro</p><p>Corner Café</p>" in html
    response = visit(f"{path_of(page)}/{page['live']}")
    assert (response.status_code, response["Location"]) == (302, "http://127.0.0.1:8000/m/lunch")


def test_a_change_there_shows_at_the_next_load_here(page: dict[str, Any], api: Api, kitchen: Kitchen) -> None:
    first = visit(path_of(page))
    kitchen.dish = "Salad"
    assert visit(path_of(page), **{"if-none-match": first["ETag"]}).status_code == 304
    live_blocks.notify_changed(api.account, "dish")
    again = visit(path_of(page), **{"if-none-match": first["ETag"]})
    assert (again.status_code, b"Salad" in again.content) == (200, True)


def test_only_pages_that_hold_the_kind_and_are_the_accounts_are_drawn_anew(
    page: dict[str, Any], api: Api, kitchen: Kitchen
) -> None:
    first = visit(path_of(page))
    live_blocks.notify_changed(make_api().account, "dish")
    live_blocks.notify_changed(api.account, "review")
    kitchen.dish = "Salad"
    assert b"Soup" in visit(path_of(page)).content
    assert visit(path_of(page))["ETag"] == first["ETag"]


def test_a_block_that_changes_by_itself_does_so_in_the_kept_page(page: dict[str, Any], kitchen: Kitchen) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        kitchen.until = NOON.replace(hour=14)
        live_blocks.notify_changed(Account.objects.get(), "dish")
        assert "Soup" in shown(path_of(page))
        kitchen.dish = "Dinner"
        assert "Soup" in shown(path_of(page))
        clock.move_to(NOON.replace(hour=14))
        assert "Dinner" in shown(path_of(page))


def test_a_block_with_nothing_to_show_or_in_trouble_is_left_out(
    page: dict[str, Any], api: Api, kitchen: Kitchen
) -> None:
    kitchen.dish = None
    assert "Today" not in shown(path_of(page))
    assert visit(f"{path_of(page)}/{page['live']}").status_code == 404
    kitchen.is_broken = True
    live_blocks.notify_changed(api.account, "dish")
    assert "Today" not in shown(path_of(page))


def test_a_thing_that_cannot_be_shown_or_is_anothers_is_refused_alike(
    api: Api, page: dict[str, Any], stranger: Api
) -> None:
    theirs = stranger.run("svc_links_create", title="Theirs")["id"]
    messages = set()
    for thing in ("card_none", theirs):
        items = [{"url": "a.de"}, {"kind": "live", "thing": thing}]
        body = api.refuse("svc_links_save_links", page_id=page["id"], items=items)
        assert [issue["path"] for issue in body["issues"]] == ["items.1.thing"]
        messages.add(body["message"])
    assert len(messages) == 1 and "dish of the day" in messages.pop()


def test_what_can_be_shown_is_told_with_what_is_not_public(
    api: Api, page: dict[str, Any], bistro: dict[str, Any]
) -> None:
    api.run("svc_links_edit", page_id=bistro["id"], live=False)
    answer = api.run("svc_links_save_links", page_id=page["id"], order=[page["live"]])
    can_show = {row["title"]: row for row in answer["can_show"]}
    assert can_show["Dish of the day: Bistro"] == {
        "thing": bistro["id"],
        "title": "Dish of the day: Bistro",
        "is_public": False,
    }


def test_a_block_is_called_by_what_it_shows_also_when_that_is_gone(
    api: Api, page: dict[str, Any], bistro: dict[str, Any]
) -> None:
    assert [one["title"] for one in whole(api, page["id"])["elements"]] == ["Dish of the day: Bistro"]
    api.run("svc_links_delete", ids=[bistro["id"]])
    assert [one["title"] for one in whole(api, page["id"])["elements"]] == ["Something that is not there any more"]
    assert "Today" not in shown(path_of(page))
