"""The landing page shows all products, and the demo if an administrator has filled it in."""

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


def test_every_product_is_shown_with_a_picture_of_its_guest_page() -> None:
    html = landing()
    for product in list_manifests():
        assert product.title in html and f"/landing/{product.key}-light" in html, product.key


def test_the_demo_is_linked_once_its_email_is_verified(
    django_assert_num_queries: Any,
) -> None:
    person = Person.objects.create_user(demo.EMAIL)
    api = make_api(Account.open(person, name=demo.NAME))
    api.run("svc_menu_create", restaurant_name=demo.NAME)
    paused = api.run("svc_card_create", full_name="Marta")
    api.run("svc_card_edit", card_id=paused["id"], live=False)
    url = {one.kind: one.public_url for one in items.items_for(api.account)}
    with django_assert_num_queries(1):  # anyone can sign up with the address, but not verify it
        assert url["menu"] not in landing()
    EmailAddress.objects.create(user=person, email=demo.EMAIL, verified=True)
    html = landing()
    assert f'href="{url["menu"]}"' in html and f'src="{url["menu"]}.svg"' in html
    assert url["card"] not in html


def test_prices_are_shown_if_payments_are_enabled(settings: Any) -> None:
    price = f"${plans.PRODUCTS['menu'].plans['pro'].price} per month"
    assert price not in landing()
    settings.PAYMENTS = True
    assert price in landing()
