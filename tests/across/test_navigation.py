"""The navigation of the dashboard: grouped by task, with products in use first, and a search for pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from workspace.accounts.models import Account
from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.navigation import SearchablePage
from workspace.lib import clock
from workspace.products import list_manifests
from workspace.publishing import items
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api
from workspace.testing.publications import build_guest

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PLACES = [pytest.param(place, id=place.url) for place in navigation.list_searchable_pages()]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Any:
    cache.clear()


@pytest.fixture
def browser(account: Account) -> Client:
    client = Client()
    client.force_login(account.owner)
    return client


def listed(browser: Client) -> tuple[list[str], list[str], list[str]]:
    """Return the products shown first, those under More tools, and those in a phone's bar."""
    page = browser.get("/app/tools").content.decode()
    side = page[page.index('class="side-nav"') : page.index('class="sheet-account"')]
    first, _, more = side.partition('<details class="nav-more"')
    bar = page[page.index('class="tab-bar"') : page.index('popovertarget="side"')]
    homes = {product.home for product in list_manifests()}

    def links(part: str) -> list[str]:
        return [url for url in re.findall(r'href="([^"]+)"', part) if url in homes]

    return links(first), links(more), links(bar)


def test_products_not_in_use_are_under_more_tools(browser: Client, api: Api) -> None:
    api.run("svc_menu_create", restaurant_name="Da Anna", currency="EUR")
    first, more, bar = listed(browser)
    assert first == ["/app/menu"]
    assert set(more) == {product.home for product in list_manifests()} - {"/app/menu"}
    assert bar[0] == "/app/menu"
    assert len(bar) == 3


def test_a_new_account_sees_the_products_of_its_trade_starting_with_the_most_specific(
    browser: Client, account: Account
) -> None:
    with write_transaction():
        Brand.for_account(account).edit(trade="restaurant")
    first, more, bar = listed(browser)
    assert first == [product.home for product in list_manifests() if "restaurant" in product.trades]
    assert not set(first) & set(more)
    assert bar[0] == "/app/menu"


def test_a_new_account_without_a_trade_sees_the_first_products(browser: Client) -> None:
    first, more, bar = listed(browser)
    assert bar == first[:3]
    assert [*first, *more] == [product.home for product in list_manifests()]


def test_a_phones_bar_starts_with_the_most_visited_products_and_then_stays_the_same(browser: Client, api: Api) -> None:
    for number in range(3):
        api.run("svc_qr_create", name=f"Code {number}", target_url="https://example.com")
    one = items.get_item(api.account, api.run("svc_card_create", full_name="Jane")["id"])
    assert listed(browser)[2][:2] == ["/app/qr", "/app/card"]
    write_visits(
        [IncomingVisit(one.publication_id, items.get_manifest("card").visit_event, "", clock.now(), build_guest("one"))]
    )
    cache.clear()
    assert listed(browser)[2][:2] == ["/app/qr", "/app/card"], "each where it stood: nobody looks for a button"
    other = Client()
    other.force_login(api.account.owner)
    assert listed(other)[2][:2] == ["/app/card", "/app/qr"]


def test_a_product_used_for_the_first_time_appears_in_the_bar_at_once(browser: Client, api: Api) -> None:
    api.run("svc_card_create", full_name="Anna Berg")
    first = listed(browser)[2]
    assert first[0] == "/app/card" and "/app/menu" not in first
    api.run("svc_menu_create", restaurant_name="Da Anna", currency="EUR")
    assert listed(browser)[2] == [*first[:2], "/app/menu"]


def test_the_current_product_is_marked_also_under_more_tools(browser: Client, api: Api) -> None:
    api.run("svc_qr_create", name="Code", target_url="https://example.com")
    page = browser.get("/app/card").content.decode()
    more = page.partition('<details class="nav-more"')[2]
    assert more.startswith(" open")
    assert '<a href="/app/card" aria-current="page">' in more


@pytest.mark.parametrize("place", PLACES)
def test_every_page_that_the_search_lists_opens(place: SearchablePage, browser: Client) -> None:
    response = browser.get(place.url, follow=True)
    assert response.status_code == 200
    [heading] = re.findall(r"<h1[^>]*>\s*(.*?)\s*</h1>", response.content.decode(), re.DOTALL)
    is_named_so = str(place.title).lower() in heading.lower() or place.is_help or place.url.endswith("/new")
    asks_first = "/account/confirm" in response.redirect_chain[-1][0] if response.redirect_chain else False
    assert is_named_so or asks_first or place.url == "/app", (place.title, heading)
