"""The landing page shows what there is: every tool, and the demo where an operator has filled it in."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from workspace.accounts import demo, plans
from workspace.accounts.models import Account, Person
from workspace.products import list_manifests
from workspace.publishing import items
from workspace.testing.api import make_api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def landing() -> str:
    answer = Client().get("/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_tool_stands_there_with_a_picture_of_its_guests_page() -> None:
    html = landing()
    for product in list_manifests():
        assert product.title in html and f"/landing/{product.key}-light" in html, product.key


def test_the_demo_is_the_example_as_soon_as_its_address_is_proven(
    django_assert_num_queries: Any,
) -> None:
    person = Person.objects.create_user(demo.EMAIL)
    api = make_api(Account.open(person, name=demo.NAME))
    api.run("svc_menu_create", restaurant_name=demo.NAME)
    paused = api.run("svc_card_create", full_name="Marta")
    api.run("svc_card_edit", card_id=paused["id"], live=False)
    url = {one.kind: one.public_url for one in items.items_for(api.account)}
    with django_assert_num_queries(1):  # anybody can sign up with the address, and nobody can prove it
        assert url["menu"] not in landing()
    EmailAddress.objects.create(user=person, email=demo.EMAIL, verified=True)
    html = landing()
    assert f'href="{url["menu"]}"' in html and f'src="{url["menu"]}.svg"' in html
    assert url["card"] not in html


def test_prices_stand_there_where_plans_are_paid_for(settings: Any) -> None:
    price = f"${plans.PRODUCTS['menu'].plans['pro'].price} a month"
    assert price not in landing()
    settings.PAYMENTS = True
    assert price in landing()
