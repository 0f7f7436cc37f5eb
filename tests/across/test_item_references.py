"""Every tool accepts an item by its id, slug or public URL, and explains other values."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from tests.across.samples import SAMPLES, things
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.products import list_manifests
from workspace.publishing import items as registry
from workspace.publishing.items import Item, get_item
from workspace.publishing.models import Publication
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

BY_KIND = {product.key: product for product in list_manifests()}


def main_things(api: Api) -> dict[str, Item]:
    """Return the main item of each product that `things` created, by its id."""
    first: dict[str, Item] = {}
    for one in registry.get_items(api.account, things(api).values()).values():
        first.setdefault(one.kind, one)
    return {one.id: one for one in first.values()}


def replaced(arguments: Any, names: dict[str, str]) -> Any:
    """Return the arguments with other references to the same items."""
    if isinstance(arguments, dict):
        return {key: replaced(value, names) for key, value in arguments.items()}
    if isinstance(arguments, list):
        return [replaced(value, names) for value in arguments]
    return names.get(arguments, arguments) if isinstance(arguments, str) else arguments


def test_every_tool_accepts_a_slug_in_place_of_an_id(api: Api) -> None:
    made = things(api)
    slugs = {id: slug_of(one) for id, one in registry.get_items(api.account, made.values()).items()}
    tried = 0
    for name, sample in SAMPLES.items():
        arguments = sample(made)
        other = replaced(arguments, slugs)
        if other == arguments:
            continue
        tried += 1
        if CATALOG.by_name[name].reads:
            assert api.run(name, **other) == api.run(name, **arguments)
        else:
            assert api.run(name, **other, dry_run=True)["dry_run"], name
    assert tried > 2 * len(slugs)


def test_every_notation_of_a_url_is_accepted(api: Api) -> None:
    for one in main_things(api).values():
        for write in (address_of, upper_case, owners_page, path, without_scheme):
            assert get_item(api.account, write(one)) == one, write
    card = api.run("svc_card_list")["items"][0]
    for text in (f"  {card['public_url']}.vcf  ", f"{card['public_url']}/exchange"):
        assert api.run("svc_card_delete", ids=[text], dry_run=True)["deleted"][0]["id"] == card["id"]


def slug_of(item: Item) -> str:
    return item.public_url.rpartition("/")[2]


def address_of(item: Item) -> str:
    return item.public_url


def upper_case(item: Item) -> str:
    return f"{item.public_url.upper()}.PNG?x=1"


def owners_page(item: Item) -> str:
    return f"{item.page}/settings"


def path(item: Item) -> str:
    return item.public_url.removeprefix(settings.BASE_URL)


def without_scheme(item: Item) -> str:
    return item.public_url.partition("://")[2]


def test_an_item_of_another_kind_is_named_in_the_error(api: Api) -> None:
    menu = next(one for one in main_things(api).values() if one.kind == "menu")
    for text in (menu.id, menu.public_url, menu.page):
        message = api.refuse("svc_card_get", card_id=text)["message"]
        assert message == "This is a menu, but svc_card_get needs a business card."
    refusal = api.refuse("svc_card_get", card_id=slug_of(menu))
    assert refusal["error"] == "not_found"
    assert refusal["message"].startswith(f"This is a menu, {menu.title} ({menu.id}), but svc_card_get needs")


def test_another_accounts_slug_and_url_are_as_unknown_as_missing_ones(api: Api, stranger: Api) -> None:
    for one in main_things(api).values():
        product = BY_KIND[one.kind]
        unknown = f"{settings.BASE_URL}{product.public_prefix}nobody-has-this"
        for theirs, nothing in ((slug_of(one), "nobody-has-this"), (one.public_url, unknown)):
            with pytest.raises(NotFoundError) as first:
                get_item(stranger.account, theirs)
            with pytest.raises(NotFoundError) as second:
                get_item(stranger.account, nothing)
            assert str(first.value) == str(second.value)
    for text in (
        "https://elsewhere.example/c/jane",
        "ftp://127.0.0.1:8000/c/jane",
        "//",
        "http://[",
        "two words",
        "/c/",
        "_",
    ):
        with pytest.raises(NotFoundError):
            get_item(api.account, text)


def test_an_old_slug_finds_its_item_and_deleted_items_are_not_found(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Jane Doe")
    for text, slug in ((card["id"], "jane"), ("jane", "jane-doe")):
        card = api.run("svc_card_edit", card_id=text, slug=slug)
    assert get_item(api.account, "jane").id == get_item(api.account, "JANE-DOE").id == card["id"]
    api.run("svc_card_delete", ids=["jane"])
    for text in ("jane", card["id"], card["public_url"]):
        with pytest.raises(NotFoundError):
            get_item(api.account, text)


def test_a_slug_of_several_items_is_refused_as_ambiguous(api: Api) -> None:
    for one in main_things(api).values():
        Publication.objects.get(pk=one.publication_id).move("summer")
    assert api.run("svc_card_get", card_id="summer")["full_name"].startswith("Jane")
    with pytest.raises(OperationNotAllowedError, match="Several items have this name"):
        get_item(api.account, "summer")


def test_the_activity_of_an_item_is_found_by_its_url(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Jane Doe")
    assert api.run("svc_activity", thing=card["public_url"])["total"] == 1
    assert api.refuse("svc_activity", thing="nobody-has-this")["error"] == "not_found"


def test_each_kind_of_item_has_a_unique_id_prefix() -> None:
    beginnings = [model._meta.pk.get_default().partition("_")[0] for one in list_manifests() for model in one.models]
    assert len(set(beginnings)) == len(beginnings)
