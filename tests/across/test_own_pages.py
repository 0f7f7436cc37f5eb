"""Wherever an address is asked for, the account's own pages are offered."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.accounts.models import Membership, Person
from workspace.accounts.permissions import BY_PRODUCT, EDITOR
from workspace.testing.api import Api, make_account
from workspace.testing.api import make_api as build_api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> Api:
    return build_api(make_account())


def test_the_pages_are_offered_by_product_without_qr_codes_and_those_of_others(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    url = "/app/own-pages?for=f-target_url"
    assert "<select" not in owner.get(url).content.decode()
    menu = api.run("svc_menu_create", restaurant_name="Harbor & Co")["menu"]
    api.run("svc_card_create", full_name="Ada King")
    api.run("svc_qr_create", name="Table 1", target_url="example.com")
    build_api(make_account()).run("svc_card_create", full_name="Stranger")
    choice = owner.get(url).content.decode()
    assert f'<option value="{menu["public_url"]}">Harbor &amp; Co</option>' in choice
    assert '<optgroup label="Menus">' in choice and ">Ada King</option>" in choice
    assert "Table 1" not in choice and "Stranger" not in choice
    assert 'data-fills="f-target_url"' in choice
    assert "<select" not in owner.get("/app/own-pages?for=%22%3E%3Cb").content.decode()


def test_a_member_with_some_products_is_offered_only_their_pages(api: Api) -> None:
    waiter = Person.objects.create_user("waiter@example.com")
    Membership.objects.create(account=api.account, person=waiter, role=BY_PRODUCT, products={"menu": EDITOR})
    api.run("svc_menu_create", restaurant_name="Harbor & Co")
    api.run("svc_card_create", full_name="Ada King")
    theirs = Client()
    theirs.force_login(waiter)
    choice = theirs.get("/app/own-pages?for=f-target_url", headers={"HX-Request": "true"})
    assert "HX-Refresh" not in choice.headers, "the page would reload forever"
    assert "Harbor &amp; Co" in choice.content.decode() and "Ada King" not in choice.content.decode()


@pytest.mark.parametrize("path", ["/app/qr/new?kind=website", "/app/card/new"])
def test_an_input_for_an_address_loads_the_choice(api: Api, path: str) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    assert 'hx-get="/app/own-pages?for=f-' in owner.get(path).content.decode()
