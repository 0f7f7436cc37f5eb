"""What owners and guests type is escaped on every page, and forms of guest pages lead to addresses that accept them."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.apps import apps
from django.test import Client

from tests.across.product_urls import guests, owners, samples_of
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.publishing.models import Publication
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MARKUP = "<i data-raw>"
# columns with content that someone has typed
CONTENT = frozenset(
    (
        "address",
        "bio",
        "byline",
        "client_company",
        "client_name",
        "comment",
        "company",
        "description",
        "excerpt",
        "full_name",
        "intro",
        "label",
        "name",
        "note",
        "notes",
        "organization",
        "owner_note",
        "party",
        "place",
        "price_note",
        "reason",
        "reply",
        "restaurant_name",
        "role",
        "service_name",
        "text",
        "tier",
        "time_label",
        "title",
        "venue",
    )
)
PRODUCTS = dict(zip(PRODUCT_NAMES, list_manifests(), strict=True))


class GuestForms(HTMLParser):
    """The addresses to which a page's forms post."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "form" and (dict(attrs).get("method") or "get").lower() == "post":
            self.addresses.append(dict(attrs).get("action") or "")


def add_markup(product: str) -> int:
    """Append markup to the content of all rows of a product. Return the number of changed values."""
    changed = 0
    for model in apps.get_app_config(product).get_models():
        for field in model._meta.concrete_fields:
            if field.name not in CONTENT or not getattr(field, "empty_strings_allowed", False):
                continue
            rows = model._base_manager.exclude(**{field.name: ""})
            for pk, value in rows.values_list("pk", field.name):
                if isinstance(value, str):
                    room = (field.max_length or 10_000) - len(MARKUP)
                    changed += model._base_manager.filter(pk=pk).update(**{field.name: value[:room] + MARKUP})
    return changed


def html_of(client: Client, path: str) -> str:
    response = client.get(path)
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    return response.content.decode() if is_page else ""


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_markup_in_content_is_escaped_on_every_page(name: str, api: Api) -> None:
    made = samples_of(name).create_samples(api)
    assert add_markup(name) > 0
    owner = Client(raise_request_exception=False)
    owner.force_login(api.account.owner)
    slug = Publication.objects.filter(account=api.account, kind=PRODUCTS[name].key).earliest("pk").slug
    pages = {path: html_of(owner, path) for path in owners(name, made)}
    pages |= {path: html_of(Client(), path) for path in guests(name, slug, made)}
    for path, html in pages.items():
        assert MARKUP not in html, path
    assert any("&lt;i data-raw&gt;" in html for html in pages.values())


@pytest.mark.parametrize("name", PRODUCT_NAMES)
def test_each_form_of_a_guest_page_posts_to_an_address_that_accepts_it(name: str, api: Api) -> None:
    made = samples_of(name).create_samples(api)
    slug = Publication.objects.filter(account=api.account, kind=PRODUCTS[name].key).earliest("pk").slug
    guest = Client()
    for path in guests(name, slug, made):
        for address in GuestForms(html_of(guest, path)).addresses:
            target = urlsplit(urljoin(path, address)).path
            status = guest.post(target).status_code
            assert status not in (404, 405), (path, address, status)
