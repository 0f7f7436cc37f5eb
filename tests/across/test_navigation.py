"""The navigation of the dashboard: grouped by task, with products in use first, and a search for pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from workspace.accounts.models import Account, Membership, Person
from workspace.accounts.permissions import BY_PRODUCT, EDITOR
from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.brand.models import TRADES, Brand
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
    more = more.partition("</details>")[0]
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


@pytest.mark.parametrize(
    ("trade", "tabs"),
    [
        ("cafe", ["/app/menu", "/app/reviews", "/app/qr"]),
        ("salon", ["/app/booking", "/app/reviews", "/app/menu"]),
        ("events", ["/app/seat", "/app/event", "/app/bid"]),
    ],
)
def test_the_tab_bar_of_a_trade_never_changes_by_itself(
    trade: str, tabs: list[str], browser: Client, account: Account, api: Api
) -> None:
    api.run("svc_account_edit", trade=trade)
    assert listed(browser)[2] == tabs
    one = items.get_item(account, api.run("svc_card_create", full_name="Jane")["id"])
    api.run("svc_form_create", title="Survey", fields=[{"type": "text", "label": "Name"}])
    write_visits(
        [IncomingVisit(one.publication_id, items.get_manifest("card").visit_event, "", clock.now(), build_guest("one"))]
    )
    assert listed(browser)[2] == tabs


def test_every_trade_has_three_tabs_in_its_own_order() -> None:
    for trade in TRADES:
        places = sorted(product.tab_places[trade] for product in list_manifests() if trade in product.tab_places)
        assert places == [1, 2, 3], trade


def test_an_owner_chooses_the_tabs_and_can_undo_it(browser: Client, api: Api) -> None:
    api.run("svc_account_edit", trade="cafe")
    assert 'name="tab_bar"' in browser.get("/app/tools").content.decode()
    response = browser.post("/app/tools", {"tab_bar": ["form", "menu", ""]})
    assert (response.status_code, response["Location"]) == (303, "/app/tools")
    page = browser.get("/app/tools").content.decode()
    assert re.search(r'<option value="form" selected>', page)
    [change] = re.findall(r'name="change_id" value="(\w+)"', page)
    assert listed(browser)[2] == ["/app/form", "/app/menu"]
    browser.post("/app/undo", {"change_id": change, "back": "/app/tools"})
    assert listed(browser)[2] == ["/app/menu", "/app/reviews", "/app/qr"]


@pytest.mark.parametrize("tabs", [["pigeons"], ["menu", "menu"], ["menu", "qr", "form", "card"]])
def test_wrong_tabs_are_rejected_and_nothing_changes(tabs: list[str], browser: Client, api: Api) -> None:
    before = listed(browser)[2]
    assert api.refuse("svc_account_edit", tab_bar=tabs)["issues"][0]["path"].startswith("tab_bar")
    browser.post("/app/tools", {"tab_bar": tabs})
    assert listed(browser)[2] == before


def test_tabs_that_a_member_cannot_use_are_replaced(api: Api) -> None:
    api.run("svc_account_edit", trade="cafe")
    waiter = Person.objects.create_user("waiter@example.com")
    Membership.objects.create(account=api.account, person=waiter, role=BY_PRODUCT, products={"menu": EDITOR})
    theirs = Client()
    theirs.force_login(waiter)
    assert listed(theirs)[2] == ["/app/menu"]
    assert 'name="tab_bar"' not in theirs.get("/app/tools").content.decode()


def test_the_sidebar_has_three_groups_with_developers_folded(browser: Client) -> None:
    page = browser.get("/app").content.decode()
    side = page[page.index('class="side-nav"') : page.index('class="sheet-account"')]
    assert re.findall(r"<(?:h2|summary)>([^<]+)</", side) == ["Tools", "More tools", "Settings", "Developers"]
    groups = re.findall(
        r'<details class="nav-more" name="side"( open)?>\s*<summary>([^<]+)</summary>(.*?)</details>', side, re.DOTALL
    )
    opened = {title: bool(is_open) for is_open, title, _ in groups}
    links = {title: re.findall(r'href="([^"]+)"', html) for _, title, html in groups}
    assert opened == {"More tools": False, "Settings": True, "Developers": False}
    assert links["Settings"] == ["/app/account", "/app/account/brand", "/app/members", "/app/plans"]
    assert links["Developers"][:2] == ["/app/keys", "/app/connect"] and "/app/account/webhooks" in links["Developers"]
    keys = browser.get("/app/keys").content.decode()
    assert re.search(r'name="side" open>\s*<summary>Developers<', keys)
    assert not re.search(r'name="side" open>\s*<summary>Settings<', keys)


def test_only_the_page_itself_is_marked_and_not_the_one_above(browser: Client) -> None:
    page = browser.get("/app/account/brand").content.decode()
    side = page[page.index('class="side-nav"') : page.index('class="sheet-account"')]
    assert re.findall(r'href="([^"]+)" aria-current="page"', side) == ["/app/account/brand"]


def test_each_entry_of_the_sidebar_has_its_own_icon() -> None:
    entries = [*navigation.list_products(), *(one for one in navigation.list_account_items() if not one.for_operator)]
    names = [one.icon for one in entries]
    assert len(set(names)) == len(names)


def test_the_current_product_is_marked_also_under_more_tools(browser: Client, api: Api) -> None:
    api.run("svc_qr_create", name="Code", target_url="https://example.com")
    page = browser.get("/app/card").content.decode()
    more = page.partition('<details class="nav-more"')[2]
    assert more.startswith(' name="side" open')
    assert '<a href="/app/card" aria-current="page">' in more


@pytest.mark.parametrize("place", PLACES)
def test_every_page_that_the_search_lists_opens(place: SearchablePage, browser: Client) -> None:
    response = browser.get(place.url, follow=True)
    assert response.status_code == 200
    [heading] = re.findall(r"<h1[^>]*>\s*(.*?)\s*</h1>", response.content.decode(), re.DOTALL)
    is_named_so = str(place.title).lower() in heading.lower() or place.is_help or place.url.endswith("/new")
    asks_first = "/account/confirm" in response.redirect_chain[-1][0] if response.redirect_chain else False
    assert is_named_so or asks_first or place.url == "/app", (place.title, heading)
