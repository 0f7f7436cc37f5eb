"""Guest pages of all products: the same rules for all of them."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.staticfiles import finders
from django.db.models import Sum
from django.test import Client

from tests.across.fast_path_client import Ahead
from tests.across.product_urls import guests, samples_of
from workspace.lib import clock
from workspace.products import PRODUCT_NAMES, list_manifests
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import Publication, VisitCounter
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"
MOST_CSS = 6 * 1024
MOST_PAGE = 40 * 1024
MOST_FIRST = 100 * 1024
SHARED = "public/"
STYLE = re.compile(r'<style data-sheet="([^"]*)">(.*?)</style>', re.DOTALL)
PRODUCTS = dict(zip(PRODUCT_NAMES, list_manifests(), strict=True))


@dataclass
class Shown:
    """A published item of a product, and a guest's phone."""

    name: str
    product: Manifest
    publication: Publication
    made: dict[str, str]
    guest: Client

    @property
    def path(self) -> str:
        return f"{self.product.public_prefix}{self.publication.slug}"

    @property
    def everywhere(self) -> list[str]:
        return guests(self.name, self.publication.slug, self.made)

    @property
    def opens_with(self) -> int:
        """The expected status: a QR code redirects, everything else is a page."""
        return 302 if self.product.fast_redirect else 200

    def get(self, path: str = "", **headers: str) -> Any:
        return self.guest.get(path or self.path, headers=headers)

    def open(self) -> Any:
        """Open the page as a browser does, and send the beacon of its script, if it has one."""
        response = self.get()
        if beacon := getattr(samples_of(self.name), "BEACON", ""):
            self.guest.post(f"{self.path}{beacon}")
        return response

    def counted(self) -> int:
        return VisitCounter.objects.filter(publication=self.publication).aggregate(n=Sum("total"))["n"] or 0


@pytest.fixture(params=["by Django", "ahead of it"])
def guest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a guest on each of the two request paths, which must not differ."""
    given: dict[str, Any] = {"headers": {"user-agent": PHONE}, "REMOTE_ADDR": "203.0.113.7"}
    if request.param == "by Django":
        return Client(**given, raise_request_exception=False)
    return Ahead(monkeypatch, **given, raise_request_exception=False)


@pytest.fixture(params=PRODUCT_NAMES)
def shown_page(request: pytest.FixtureRequest, api: Api, guest: Client) -> Shown:
    name = request.param
    made = samples_of(name).create_samples(api)
    product = PRODUCTS[name]
    return Shown(
        name, product, Publication.objects.filter(account=api.account, kind=product.key).earliest("pk"), made, guest
    )


def test_a_live_page_is_revalidated_by_its_etag_and_sets_no_cookie(shown_page: Shown) -> None:
    first = shown_page.get()
    assert first.status_code == shown_page.opens_with
    assert not first.cookies
    if shown_page.product.fast_redirect:
        assert "no-store" in first["Cache-Control"]
        return
    assert "default-src" in first["Content-Security-Policy"]
    assert first["Cache-Control"] == "no-cache"
    again = shown_page.get(**{"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):  # headers that a browser stores with the page
        assert again[name] == first[name]


def test_both_ways_in_give_the_same_answer(shown_page: Shown, guest: Client) -> None:
    by_django = Client(headers={"user-agent": PHONE}).get(shown_page.path)
    for method in (guest.get, guest.head):
        response = method(shown_page.path)
        assert response.status_code == by_django.status_code
        if shown_page.product.fast_redirect:  # without a document, its headers are optional
            assert _comparable_headers(response).items() <= _comparable_headers(by_django).items()
        else:
            assert _comparable_headers(response) == _comparable_headers(by_django)
        assert response.content == (by_django.content if method == guest.get else b"")
    if isinstance(guest, Ahead):
        assert guest.answered == 2


def _comparable_headers(response: Any) -> dict[str, str]:
    """Return the headers except those of a single request, and the length, which the server adds for Django."""
    own = ("x-request-id", "content-length")
    return {name.lower(): value for name, value in response.items() if name.lower() not in own}


def test_a_page_can_be_reported_and_contains_no_inline_script_and_only_styles_of_its_policy(shown_page: Shown) -> None:
    response = shown_page.get(f"{shown_page.path}+" if shown_page.product.fast_redirect else "")
    html, policy = response.content.decode(), response["Content-Security-Policy"]
    styles = STYLE.findall(html)
    assert styles
    for sheet, css in styles:
        digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy.partition("style-src")[2].partition(";")[0], sheet
    assert "unsafe" not in policy and policy.count("'sha256-") == len(styles)
    html = STYLE.sub("", html)
    assert f"/report/{shown_page.product.key}/{shown_page.publication.slug}" in html
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)(?![^>]*application/ld\+json)", html)


def test_style_sheets_and_the_whole_page_are_small(shown_page: Shown) -> None:
    """Measure a page with its style sheets and scripts, first without fonts and pictures.

    Then include the pictures of the first view. All other pictures are loaded lazily.
    """
    for path in shown_page.everywhere:
        response = shown_page.get(path)
        if response.status_code != 200 or not response["Content-Type"].startswith("text/html"):
            continue
        html = response.content.decode()
        assert 'rel="stylesheet"' not in html, "it would be waited for"
        sizes = {sheet: len(css.encode()) for sheet, css in STYLE.findall(html)}
        assert sizes
        assert sum(size for sheet, size in sizes.items() if not sheet.startswith(SHARED)) <= MOST_CSS, (path, sizes)
        sizes = {script: len(_content(shown_page, script)) for script in re.findall(r'<script src="([^"]*)"', html)}
        whole = len(response.content) + sum(sizes.values())
        assert whole <= MOST_PAGE, (path, len(response.content), sizes)
        first = [tag for tag in re.findall(r"<img [^>]*>", html) if 'loading="lazy"' not in tag]
        pictures = {address for tag in first for address in re.findall(r' src="(/[^"]*)"', tag)}
        whole += sum(len(_content(shown_page, address)) for address in pictures)
        assert whole <= MOST_FIRST, (path, pictures)


def _content(shown: Shown, sheet: str) -> bytes:
    if not sheet.startswith("/static/"):
        response = shown.get(sheet)
        assert response.status_code == 200, sheet
        return bytes(response.content)
    found = finders.find(re.sub(r"\.[0-9a-f]{12}(?=\.(?:css|js)$)", "", sheet.removeprefix("/static/")))
    assert found, sheet
    with open(found, "rb") as file:
        return file.read()


def test_page_views_are_counted_and_head_requests_are_not(shown_page: Shown) -> None:
    assert shown_page.guest.head(shown_page.path).status_code == shown_page.opens_with
    assert shown_page.counted() == 0
    shown_page.open()
    assert shown_page.counted() == 1


def test_an_address_is_found_in_upper_and_lower_case(shown_page: Shown) -> None:
    for path in shown_page.everywhere:
        upper = path.replace(shown_page.path, shown_page.path.upper(), 1)
        assert shown_page.get(upper).status_code == shown_page.get(path).status_code, path


def test_an_earlier_address_still_works(shown_page: Shown) -> None:
    earlier = shown_page.path
    shown_page.publication.move("another-name")
    assert shown_page.get(earlier).status_code == shown_page.opens_with
    assert shown_page.get(f"{shown_page.product.public_prefix}another-name").status_code == shown_page.opens_with


@pytest.mark.parametrize("state", ["paused", "expired", "banned"])
def test_an_unavailable_page_shows_a_friendly_notice(state: str, shown_page: Shown) -> None:
    before = shown_page.open().content
    past = clock.now() - timedelta(hours=1)
    column = {"paused": "paused_at", "expired": "expires_at", "banned": "banned_at"}[state]
    Publication.objects.filter(pk=shown_page.publication.pk).update(**{column: past})
    response = shown_page.open()
    assert (response.status_code, response["Cache-Control"]) == (404, "no-store")
    assert response.content != before
    if state != "banned":
        assert "Corner Café" in response.content.decode()
    assert shown_page.counted() == 1, "only the first one saw anything"


def test_a_deleted_item_is_gone_at_each_of_its_addresses(shown_page: Shown) -> None:
    shown_page.publication.retire()
    assert shown_page.get().status_code == 410
    for path in shown_page.everywhere:
        assert shown_page.get(path).status_code in (404, 410), path


def test_a_password_is_accepted_without_a_cookie_or_a_token(shown_page: Shown) -> None:
    shown_page.publication.set_password(make_password("sesame"))
    strict = Client(headers={"user-agent": PHONE}, enforce_csrf_checks=True)
    asked = strict.get(shown_page.path)
    assert asked.status_code == 200
    assert 'name="password"' in asked.content.decode()
    assert not asked.cookies
    assert strict.post(shown_page.path, {"password": "wrong"}).status_code == 403
    foreign = strict.post(shown_page.path, {"password": "sesame"}, headers={"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    opened = strict.post(shown_page.path, {"password": "sesame"}, headers={"sec-fetch-site": "same-origin"})
    assert opened.status_code == 302
    if not shown_page.product.fast_redirect:
        page = strict.get(shown_page.path)
        assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
        assert 'name="password"' not in page.content.decode()
        for path in shown_page.everywhere:
            behind = strict.get(path)
            if behind.status_code == 200 and not behind["Content-Type"].startswith(("image/", "text/css")):
                assert behind["Cache-Control"] == "no-store", path


def test_a_password_protects_each_address_of_an_item(shown_page: Shown) -> None:
    unprotected = {path: shown_page.get(path) for path in shown_page.everywhere}
    shown_page.publication.set_password(make_password("sesame"))
    for path, before in unprotected.items():
        if path.endswith((".svg", ".png")):
            continue  # the code contains only the address, which visitors know
        after = shown_page.get(path)
        assert after.status_code != 200 or after.content != before.content, path


def test_the_qr_code_is_a_picture_also_while_paused(shown_page: Shown) -> None:
    for paused in (False, True):
        if paused:
            shown_page.publication.pause()
        svg, png = shown_page.get(f"{shown_page.path}.svg"), shown_page.get(f"{shown_page.path}.png")
        assert (svg.status_code, svg["Content-Type"]) == (200, "image/svg+xml")
        assert (png.status_code, png["Content-Type"]) == (200, "image/png")
    assert shown_page.counted() == 0


def test_a_row_deleted_between_two_queries_causes_no_error(shown_page: Shown) -> None:
    paths = shown_page.everywhere
    shown_page.product.models[0]._base_manager.filter(publication=shown_page.publication).delete()
    for path in paths:
        assert shown_page.get(path).status_code < 500, path
        assert shown_page.guest.post(path).status_code < 500, path


def test_an_unknown_address_returns_a_friendly_404(shown_page: Shown) -> None:
    for path in guests(shown_page.name, "nobody-is-here", shown_page.made):
        response = shown_page.get(path)
        assert response.status_code == 404, path
        assert not response.cookies
