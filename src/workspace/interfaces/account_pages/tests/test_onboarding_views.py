"""The first steps of an account: a brand, which can be skipped, and starter content for its trade."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.brand.models import TRADES, Brand
from workspace.products.bid.hooks.starter_content import starter_for as bid_example
from workspace.products.menu.hooks.starter_content import starter_for as menu_example
from workspace.products.menu.models import Menu
from workspace.publishing import items
from workspace.publishing.account_lifecycle.takeout_jobs import check_account_empty
from workspace.testing.api import make_api
from workspace.testing.sign_in import make_person

pytestmark = pytest.mark.django_db
PAGE, READY = "/app/welcome", "/app/welcome/ready"
BRAND = {"languages": "en"}


@pytest.fixture
def owner() -> Client:
    client = Client()
    client.force_login(make_person())
    return client


def _account(trade: str = "") -> Account:
    account = Account.objects.get()
    if trade:
        Brand.for_account(account).edit(trade=trade)
    return account


@pytest.mark.parametrize("trade", TRADES)
def test_every_trade_gets_starter_content_within_its_plan(owner: Client, trade: str) -> None:
    account = _account(trade)
    assert owner.get(PAGE).status_code == 200
    assert owner.post(PAGE, BRAND)["Location"] == READY
    html = owner.get(READY).content.decode()
    found = items.items_for(account)
    assert len(found) >= 2 and "plan holds" not in html
    assert "Ada&#x27;s Bakery" in html
    for one in found:
        assert f'href="{one.page}"' in html
    created = account.changes.exclude(tool="svc_brand_edit")
    assert created.count() == len(found), "each can be taken back"


def test_an_account_without_a_trade_goes_to_the_home_page(owner: Client) -> None:
    owner.post(PAGE, BRAND)
    assert owner.get(READY)["Location"] == "/app"


def test_a_cafe_gets_a_menu_a_review_page_and_a_qr_code_for_its_tables(owner: Client) -> None:
    account = _account("cafe")
    owner.post(PAGE, {"colors": ["#8a1538", ""], "fonts": "warm"})
    assert Brand.objects.get().colors == ["#8a1538"]
    found = {one.kind: one for one in items.items_for(account)}
    assert set(found) == {"menu", "review", "qr"}
    assert account.codes.get().target_url == found["menu"].public_url
    assert Menu.objects.get().publication.state == "paused", "made-up dishes are for the owner only"
    assert Client().get(found["review"].public_url).status_code == 200


def test_an_invalid_brand_is_reported_and_creates_nothing(owner: Client) -> None:
    account = _account("cafe")
    answer = owner.post(PAGE, {"colors": ["reddish", ""]})
    assert answer.status_code == 422 and "Enter a color as #rrggbb" in answer.content.decode()
    assert items.items_for(account) == []


def test_starter_content_uses_the_language_of_the_business(owner: Client) -> None:
    account = _account("salon")
    owner.post(PAGE, {"languages": "de"})
    assert Brand.objects.get().languages == ["de"]
    found = {one.kind: one for one in items.items_for(account)}
    assert "Wie war Ihr Besuch?" in Client().get(found["review"].public_url).content.decode()
    links = Client().get(found["link"].public_url).content.decode()
    assert "Alles von Ada&#x27;s Bakery an einem Ort." in links and "Bewertung schreiben" in links
    assert "Review page" not in links and found["menu"].public_url not in links, "made-up prices are nobody's yet"
    assert [item.name for item in Menu.objects.get().items()][:1] == ["Damen: Waschen, Schneiden, Föhnen"]
    ready = owner.get(READY).content.decode()
    assert "<b>Price list</b>" in ready and "Replace the sample services with yours" in ready
    assert 'value="Bewertung schreiben"' in owner.get(f"{found['review'].page}/share").content.decode(), "on paper, too"


def test_the_guests_language_is_proposed_by_the_browser_and_changed_on_the_brand_page(owner: Client) -> None:
    proposed = owner.get(PAGE, HTTP_ACCEPT_LANGUAGE="es-MX,en;q=0.5").content.decode()
    assert re.search(r'name="languages" value="es" checked', proposed)
    owner.post("/app/account/brand", {"languages": ["de", "en", "de", "it"]})
    assert Brand.objects.get().languages == ["de", "en", "it"], "the main one first, each once"
    again = owner.get("/app/account/brand").content.decode()
    assert '<option value="de" selected>' in again
    assert re.findall(r'name="languages" value="(\w+)" checked', again) == ["en", "it"]
    offered = re.findall(r'<optgroup label="([^"]+)">(.*?)</optgroup>', again, re.DOTALL)
    assert [(label, re.findall(r'value="(\w+)"', options)) for label, options in offered] == [
        ("Everything is translated", ["en", "de", "es", "fr", "it", "pt"]),
        ("Your own wording only, with buttons in English", ["nl", "pl", "tr", "ar", "he", "uk"]),
    ]
    assert "Nederlands" not in proposed and "Português" in proposed, "a new account is asked for a complete one"


def test_menus_and_proposals_start_in_the_language_and_currency_of_the_business(owner: Client) -> None:
    account = _account("restaurant")
    Brand.for_account(account).edit(languages=["de"], currency="CHF")
    owner.post(PAGE, {"languages": "de"})
    menu = Menu.objects.get()
    assert (menu.currency, [item.name for item in menu.items()][:2]) == ("CHF", ["Tagessuppe", "Grüner Salat"])
    Brand.for_account(account).edit(currency="JPY")
    for trade in ("cafe", "restaurant"):
        there = menu_example(Account.objects.get(), trade)
        assert there is not None
        make_api(account).run("svc_menu_create", **there.arguments, dry_run=True)  # yen amounts have no decimals
    example = bid_example(account, "events")
    assert example is not None and example.arguments["title"] == "Ihr Projekt mit Ada's Bakery"
    assert example.arguments["line_items"][0]["name"] == "Vorbereitung"


def test_nothing_is_created_twice(owner: Client) -> None:
    account = _account("salon")
    for _ in range(2):
        owner.post(PAGE, BRAND)
    assert sorted(one.kind for one in items.items_for(account)) == ["book", "card", "link", "menu", "review"]
    assert owner.get(PAGE)["Location"] == "/app"


def test_skipping_creates_nothing(owner: Client) -> None:
    account = _account("salon")
    assert owner.post(PAGE, {"skip": "yes"})["Location"] == "/app"
    assert items.items_for(account) == []
    check_account_empty(account)


def test_unused_examples_are_replaced_when_the_guests_language_changes(owner: Client) -> None:
    account = _account("cafe")
    owner.post(PAGE, BRAND)
    used, unused = account.review_pages.get(), account.menus.get()
    make_api(account).run("svc_reviews_edit", page_id=used.pk, title="Ours")
    assert owner.post("/app/account/brand", BRAND)["Location"] == "/app/account/brand", "the same language"
    to = owner.post("/app/account/brand", {"languages": "de"})["Location"]
    assert to == "/app/account/brand/examples"
    assert "examples in Deutsch" in owner.get(to).content.decode()
    assert owner.post(to)["Location"] == "/app/account/brand"
    assert account.review_pages.filter(pk=used.pk, title="Ours").exists()
    [replaced] = account.menus.exclude(pk=unused.pk)
    assert {section.name for section in replaced.sections.all()} != {one.name for one in unused.sections.all()}
    assert not account.menus.filter(pk=unused.pk).exists(), "it is in the bin"


def test_without_unused_examples_no_replacement_is_offered(owner: Client) -> None:
    _account()
    assert owner.post("/app/account/brand", {"languages": "de"})["Location"] == "/app/account/brand"
    assert owner.get("/app/account/brand/examples")["Location"] == "/app/account/brand"
