"""Text responses are compressed for clients that accept it, except where the length could reveal a secret."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.across.fast_path_client import Ahead
from workspace.dashboard.compressible_pages import is_compressible
from workspace.products import PRODUCT_NAMES
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PHONE = {"user-agent": "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile Safari/604.1"}
TAKES = {**PHONE, "accept-encoding": "gzip, deflate, br"}


@pytest.fixture
def page(api: Api) -> str:
    card = api.run("svc_card_create", full_name="Olive Owner", bio="Coffee, cake and long afternoons. " * 9)
    return "/c/" + card["public_url"].rpartition("/")[2]


def test_a_guest_page_has_an_etag_for_each_encoding_on_both_paths(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = Ahead(monkeypatch)
    plain = Client(headers=PHONE).get(page)
    for guest in (Client(), ahead):
        packed = guest.get(page, headers=TAKES)
        assert packed["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.content) == plain.content
        assert packed["ETag"] not in ("", plain["ETag"])
        for response in (packed, guest.get(page, headers=PHONE)):
            assert "Accept-Encoding" in response["Vary"]
        for had in (packed["ETag"], plain["ETag"]):
            again = guest.get(page, headers={**TAKES, "if-none-match": had})
            assert (again.status_code, again["ETag"], again.content) == (304, had, b"")
    assert ahead.answered == 4


def test_a_page_first_sent_compressed_is_sent_plain_to_other_clients(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Client(headers=TAKES).get(page)
    ahead = Ahead(monkeypatch)
    plain = ahead.get(page, headers=PHONE)
    assert ahead.answered == 1
    assert not plain.has_header("Content-Encoding")
    assert b"Olive Owner" in plain.content


def test_the_api_compresses_large_answers_and_not_small_ones(api: Api) -> None:
    many = api.client.get("/api/v1/tools", headers=TAKES)
    assert many["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(many.content))
    assert not api.client.get("/api/v1/healthz", headers=TAKES).has_header("Content-Encoding")


@pytest.mark.parametrize("path", ["{}", "{}.svg", "/app/card", "/api/v1/tools"])
def test_the_content_length_is_that_of_the_compressed_body(path: str, page: str, api: Api) -> None:
    owner = Client(headers=TAKES)
    owner.force_login(api.account.owner)
    answer = owner.get(path.format(page))
    assert answer["Content-Encoding"] == "gzip"
    assert int(answer.get("Content-Length", len(answer.content))) == len(answer.content)


def test_pages_with_keys_or_sign_in_links_are_never_compressed(api: Api) -> None:
    owner = Client(headers=TAKES)
    owner.force_login(api.account.owner)
    for path in ("/app/keys", "/app/keys/new", "/app/account", "/app/members"):
        response = owner.get(path, follow=True)
        assert not response.has_header("Content-Encoding"), path
    assert owner.get("/app/card")["Content-Encoding"] == "gzip"


def test_each_dashboard_view_is_marked_and_no_other_one() -> None:
    views = list(views_of(get_resolver(), ""))
    dashboard = {view for urlconf, view in views if urlconf.endswith("dashboard.urls")}
    others = {view for urlconf, view in views if not urlconf.endswith("dashboard.urls")}
    urlconfs = {urlconf for urlconf, _ in views if urlconf.endswith("dashboard.urls")}
    assert urlconfs == {
        "workspace.dashboard.urls",
        *(f"workspace.products.{name}.dashboard.urls" for name in PRODUCT_NAMES),
    }
    assert [view for view in dashboard if not is_compressible(view)] == []
    assert [view for view in others if is_compressible(view)] == []


def views_of(resolver: URLResolver, urlconf: str) -> Iterator[tuple[str, object]]:
    """Yield the view of each route, with the name of the module that lists the route."""
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            yield urlconf, one.callback
        else:
            named = one.urlconf_name
            yield from views_of(one, getattr(named, "__name__", urlconf))
