"""The advice at a limit can be followed: plans are offered only if they are sold."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.products.menu.models import Item
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.links_guest import visit
from workspace.testing.samples import menu as menus

pytestmark = pytest.mark.django_db
FREE = {"qr": "free", "card": "free", "review": "free", "link": "free", "menu": "free"}


def one_more(api: Api) -> dict[str, str]:
    """Return, for each product, the message about one item more than the free plan allows."""
    for number in range(10):
        api.run("svc_qr_create", name=str(number), target_url="example.com")
    for number in range(2):
        api.run("svc_card_create", full_name=f"Card {number}")
    api.run("svc_reviews_create", title="How was it?")
    api.run("svc_links_create", title="Links")
    item = fill_menu(api, 60)
    return {
        name: str(api.refuse(name, **arguments)["message"])
        for name, arguments in {
            "svc_qr_create": {"name": "x", "target_url": "example.com"},
            "svc_card_create": {"full_name": "x"},
            "svc_reviews_create": {"title": "x"},
            "svc_links_create": {"title": "x"},
            "svc_menu_create": {"restaurant_name": "x"},
            "svc_menu_save_items": item,
        }.items()
    }


def fill_menu(api: Api, count: int) -> dict[str, Any]:
    """Create a menu with at least this many items. Return the arguments for another one."""
    menu = menus.make_menu(api)
    section = menu["sections"][0]["id"]
    Item.objects.bulk_create(Item(section_id=section, name="x", position=n) for n in range(count))
    return {"menu_id": menu["menu"]["id"], "items": [{"section_id": section, "name": "x", "price": 4}]}


def test_without_payments_the_message_refers_to_the_administrator() -> None:
    said = one_more(make_api(make_account(**FREE)))
    assert len(said) == 6
    for name, message in said.items():
        advice = (
            r"\. To (add|create) more, delete (one|some), or ask the administrator of this service for a larger plan"
        )
        assert re.search(f"{advice}$", message), name


@pytest.mark.parametrize(
    ("name", "email", "who"),
    [
        ("Ann Lee", "ann@example.com", "Ann Lee (ann@example.com)"),
        ("Ann Lee", "", "Ann Lee"),
        ("", "ann@example.com", "ann@example.com"),
    ],
)
def test_the_administrator_is_named(name: str, email: str, who: str, settings: Any) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_EMAIL = name, email
    account = make_account(**FREE)
    assert account.with_upgrade_hint("qr", "delete one") == f"delete one, or ask {who} for a larger plan"
    assert f"To get a larger plan, contact {who}." in _text(_signed_in(account), "/app/plans")


def test_with_payments_the_message_links_to_the_plans(settings: Any) -> None:
    settings.PAYMENTS = True
    assert make_account().upgrade_hint("qr") == f"choose a larger plan at {settings.BASE_URL}/app/plans"


def test_on_the_top_plan_no_larger_one_is_mentioned() -> None:
    api = make_api()
    assert api.account.upgrade_hint("menu") == ""
    said = api.refuse("svc_menu_save_items", **fill_menu(api, 500))
    assert said["message"] == "Your plan allows 500 items per menu. To add more, delete some"


def test_the_owners_pages_say_the_same() -> None:
    account = make_account(**FREE)
    one_more(make_api(account))
    browser = _signed_in(account)
    code = account.codes.first().pk  # type: ignore[union-attr]
    links = account.link_pages.get()
    visit(f"/l/{links.slug}")
    for page in (
        "/app/qr",
        f"/app/qr/{code}/results",
        "/app/card",
        "/app/card/new",
        "/app/reviews",
        "/app/menu",
        f"/app/links/{links.pk}/results",
        "/app/account",
    ):
        assert "sk the administrator of this service for a larger plan." in _text(browser, page), page


def test_pages_of_owners_on_the_top_plan_mention_no_larger_one() -> None:
    account = make_account()
    assert "larger plan" not in _text(_signed_in(account), "/app/account")


def _signed_in(account: Account) -> Client:
    browser = Client()
    browser.force_login(account.owner)
    return browser


def _text(browser: Client, page: str) -> str:
    answer = browser.get(page, follow=True)
    assert answer.status_code == 200, page
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))
