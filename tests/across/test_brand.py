"""One brand for all guest pages: every page of every product uses it, and follows its changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.across.fast_path_client import Ahead
from tests.across.product_urls import guests, samples_of
from workspace.accounts.account_deletion import purge_account
from workspace.brand.models import Brand
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.publishing.models import Publication
from workspace.testing.api import Api
from workspace.testing.pictures import picture

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PRODUCTS = dict(zip(PRODUCT_NAMES, list_manifests(), strict=True))
_SHEET = re.compile(r'<style data-sheet="(/styles/[^"]+)">')


def _sheet(guest: Client, path: str) -> str:
    answer = guest.get(path)
    return "".join(_SHEET.findall(answer.content.decode())[:1])


@pytest.fixture(params=PRODUCT_NAMES)
def pages(request: pytest.FixtureRequest, api: Api) -> list[str]:
    """Return the URLs of a product's guest pages."""
    name = request.param
    made = samples_of(name).create_samples(api)
    product = PRODUCTS[name]
    publication = Publication.objects.filter(account=api.account, kind=product.key).earliest("pk")
    found = guests(name, publication.slug, made)
    guest = Client()
    return [path for path in found if _is_a_page(guest.get(path))]


def _is_a_page(answer: Any) -> bool:
    return answer.status_code == 200 and b'<style data-sheet="public/public.css">' in answer.content


def test_every_page_of_a_product_uses_the_brand_and_follows_its_changes(api: Api, pages: list[str]) -> None:
    assert pages
    guest = Client()
    assert all(_sheet(guest, path) for path in pages)
    api.run("svc_brand_edit", fonts="warm", corners="sharp")
    for path in pages:
        found = _sheet(guest, path)
        assert "-warm-sharp" in found, path
        assert guest.get(found).status_code == 200


def test_a_cached_page_is_rendered_again_when_the_brand_changes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    guest = Ahead(monkeypatch)
    path = f"/c/{card['slug']}"
    first, again = guest.get(path), guest.get(path)
    assert (again.content, guest.answered) == (first.content, 1)
    change = api.run("svc_brand_edit", colors=["#8a1538"])["change"]
    assert "/styles/8a1538-" in _sheet(guest, path)
    api.run("svc_undo", change_id=change["id"])
    assert guest.get(path).content == first.content


def test_a_page_that_explains_why_an_item_is_unavailable_uses_the_brand(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    api.run("svc_brand_edit", colors=["#8a1538"])
    path, guest = f"/c/{card['slug']}", Client()
    for given in ({"password": "open sesame"}, {"live": False}):
        api.run("svc_card_edit", card_id=card["id"], **given)
        assert "/styles/8a1538-" in _sheet(guest, path)
    assert "/styles/8a1538-" in _sheet(guest, f"/report/card/{card['slug']}")


def test_the_brand_adds_no_query_to_a_page(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    guest, counts = Client(), []
    guest.get(f"/c/{card['slug']}")  # the first visit of the day stores its salt
    for color in ("#8a1538", "#1d4ed8"):
        api.run("svc_card_edit", card_id=card["id"], title=color)
        with CaptureQueriesContext(connection) as found:
            guest.get(f"/c/{card['slug']}")
            counts.append(len(found))
        api.run("svc_brand_edit", colors=[color])
    assert counts[0] == counts[1] > 0


def test_a_closed_account_leaves_no_brand(api: Api) -> None:
    logo = api.run("svc_upload_file", content=picture())["upload_id"]
    api.run("svc_brand_edit", logo_id=logo)
    purge_account(api.account)
    assert not Brand.objects.exists()
