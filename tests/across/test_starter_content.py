"""Starter content does not count toward the plan's limits, and is replaced by the first real item."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.brand.models import TRADES
from workspace.lib.errors import ConflictError
from workspace.products import list_manifests
from workspace.publishing.account_lifecycle.takeout_jobs import check_account_empty
from workspace.publishing.items import items_for
from workspace.publishing.manifest import Manifest, Starter
from workspace.publishing.models.starter import starter_context
from workspace.testing.api import Api, make_account, make_api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WITH_EXAMPLES = [product for product in list_manifests() if product.starter is not None]


@pytest.fixture
def api(db: None) -> Api:
    """Return the API of an account on the free plans."""
    return make_api(make_account(**{product.key: "free" for product in list_manifests()}))


def example_of(product: Manifest, api: Api) -> Starter:
    """Return the example of the first trade that has one."""
    assert product.starter is not None
    found = (product.starter(api.account, trade) for trade in TRADES)
    return next(one for one in found if one is not None)


def create_starter(product: Manifest, api: Api) -> Any:
    """Create and return the starter of this product, with the starters that it requires."""
    if product.key == "qr":
        create_starter(next(one for one in WITH_EXAMPLES if one.key == "menu"), api)
    example = example_of(product, api)
    with starter_context():
        api.run(example.tool.name, **example.arguments)
    return product.models[0]._default_manager.get(account=api.account)


def create(product: Manifest, api: Api) -> dict[str, Any]:
    example = example_of(product, api)
    return dict(api.run(example.tool.name, **example.arguments))


@pytest.mark.parametrize("product", WITH_EXAMPLES, ids=lambda one: str(one.key))
def test_the_first_real_item_replaces_the_starter_and_undo_restores_it(product: Manifest, api: Api) -> None:
    starter = create_starter(product, api)
    check_account_empty(api.account)
    create(product, api)
    [real] = product.models[0]._default_manager.filter(account=api.account)
    assert real.pk != starter.pk
    starter.refresh_from_db(from_queryset=type(starter)._base_manager.all())
    assert starter.binned_at is not None
    with pytest.raises(ConflictError, match="empty account"):
        check_account_empty(api.account)
    api.run("svc_undo")
    assert product.models[0]._default_manager.get(account=api.account).pk == starter.pk


def waiver() -> Manifest:
    return next(one for one in WITH_EXAMPLES if one.key == "waiver")


def test_an_edited_starter_counts_and_is_not_replaced(api: Api) -> None:
    starter = create_starter(waiver(), api)
    api.run("svc_waiver_edit", id=starter.pk, title="My own title")
    example = example_of(waiver(), api)
    assert (
        "You’ve reached your plan’s limit of 1 waiver" in api.refuse(example.tool.name, **example.arguments)["message"]
    )
    assert [one.id for one in items_for(api.account)] == [starter.pk]


def test_a_starter_with_guests_is_not_replaced(api: Api) -> None:
    seat = next(one for one in WITH_EXAMPLES if one.key == "seat")
    starter = create_starter(seat, api)
    api.run("svc_seat_add_guests", event_id=starter.pk, guests=[{"name": "Ada King"}])
    create(seat, api)
    assert seat.models[0]._default_manager.filter(account=api.account).count() == 2


def test_a_starter_that_a_guest_has_opened_is_not_replaced(api: Api) -> None:
    card = next(one for one in WITH_EXAMPLES if one.key == "card")
    starter = create_starter(card, api)
    Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"}).get(f"/c/{starter.slug}")
    create(card, api)
    assert card.models[0]._default_manager.filter(account=api.account).count() == 2


def test_a_code_that_opens_a_starter_is_replaced_with_it(api: Api) -> None:
    code = next(one for one in WITH_EXAMPLES if one.key == "qr")
    create_starter(code, api)
    create(next(one for one in WITH_EXAMPLES if one.key == "menu"), api)
    assert not code.models[0]._default_manager.filter(account=api.account).exists()


def test_a_reached_limit_is_shown_before_the_form_is_filled_in(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    create_starter(waiver(), api)
    assert 'name="title"' in owner.get("/app/waiver/new").content.decode()
    create(waiver(), api)
    html = owner.get("/app/waiver/new").content.decode()
    assert "<h1>Plan limit reached</h1>" in html
    assert "You’ve reached your plan’s limit of 1 waiver" in html
    assert 'name="title"' not in html


@pytest.mark.parametrize("product", WITH_EXAMPLES, ids=lambda one: str(one.key))
def test_the_list_does_not_count_an_unused_starter(product: Manifest, api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    create_starter(product, api)
    home = f"/app/{product.key}"
    html = owner.get(home).content.decode()
    assert "Delete an item that you no longer need" not in html
    assert "0 of " in html or "on your plan" not in html
    create(product, api)
    html = owner.get(home).content.decode()
    assert "1 of " in html or "on your plan" not in html
