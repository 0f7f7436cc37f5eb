"""Guest pages: access, cache and visit counts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.http import HttpResponse
from django.test import RequestFactory

from workspace.analytics.queries import load_totals
from workspace.lib import clock
from workspace.public_site.guest_page import render_page
from workspace.public_site.guest_urls import guest_view
from workspace.public_site.page_cache import RenderedPage
from workspace.publishing.models import Publication
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"


class Page:
    """A page with the text `words`, which counts how often it is rendered."""

    def __init__(self, **fields: Any) -> None:
        self.words, self.drawn, self.fresh_until = "Soup", 0, None
        self.publication = Publication.open(make_account(name="Corner Café"), "menu", "lunch")
        Publication.objects.filter(pk=self.publication.pk).update(**fields)

    def render(self, _: object) -> RenderedPage:
        self.drawn += 1
        return RenderedPage(f"<p>{self.words}</p>", self.fresh_until)

    def request(self, method: str = "get", slug: str = "lunch", data: Any = None, **headers: str) -> HttpResponse:
        cookies = headers.pop("cookie", "")
        request = getattr(RequestFactory(headers={"user-agent": PHONE, **headers}), method)(f"/m/{slug}", data)
        if cookies:
            name, _, value = cookies.partition("=")
            request.COOKIES[name] = value
        return guest_view("menu", lambda request, address: render_page(request, address, self.render))(request, slug)

    @property
    def views(self) -> int:
        return load_totals([self.publication.pk], VIEW_EVENT)[self.publication.pk].total


def test_a_page_is_rendered_once_and_revalidated_by_its_etag() -> None:
    page = Page()
    first = page.request()
    again = page.request(**{"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code, page.drawn) == (200, 304, 1)
    assert first["Cache-Control"] == "no-cache"
    assert not first.cookies
    assert page.views == 2


def test_a_change_appears_on_the_next_load() -> None:
    page = Page()
    first = page.request()
    page.words = "Salad"
    page.publication.bump_version()
    again = page.request(**{"if-none-match": first["ETag"]})
    assert again.status_code == 200
    assert b"Salad" in again.content


def test_a_page_with_a_schedule_is_rendered_again_when_it_changes() -> None:
    page = Page()
    page.fresh_until = clock.now() + timedelta(minutes=10)
    page.request()
    page.request()
    assert page.drawn == 1
    page.words = "Dinner"
    with time_machine.travel(clock.now() + timedelta(minutes=11)):
        assert b"Dinner" in page.request().content


def test_the_business_name_is_part_of_the_cache_key() -> None:
    page = Page()
    page.request()
    account = page.publication.account
    assert account is not None
    account.name = "Other name"
    account.save()
    page.request()
    assert page.drawn == 2


def test_head_requests_and_bots_are_not_counted_as_views() -> None:
    page = Page()
    assert page.request("head").status_code == 200
    assert page.request(**{"user-agent": "WhatsApp/2.23"}).status_code == 200
    assert page.views == 0


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"paused_at": clock.now()}, 404, "Corner Café has paused"),
        ({"expires_at": clock.now() - timedelta(days=1)}, 404, "has expired"),
        ({"deleted_at": clock.now()}, 410, "was removed"),
        ({"banned_at": clock.now()}, 404, "not available"),
    ],
)
def test_a_page_that_is_not_live_explains_why(fields: dict[str, Any], status: int, words: str) -> None:
    page = Page(**fields)
    response = page.request()
    assert response.status_code == status
    assert words in response.content.decode()
    assert (page.drawn, page.views) == (0, 0)


def test_unknown_pages_and_other_methods_are_rejected() -> None:
    page = Page()
    assert page.request(slug="nothing").status_code == 404
    assert page.request("post").status_code == 405


def test_the_correct_password_opens_the_page() -> None:
    page = Page(password=make_password("sesame"))
    asked = page.request()
    assert (asked.status_code, page.drawn) == (200, 0)
    assert page.request("post", data={"password": "wrong"}).status_code == 403
    opened = page.request("post", data={"password": "sesame"}, **{"sec-fetch-site": "same-origin"})
    assert opened.status_code == 302
    [cookie] = opened.cookies.values()
    shown = page.request(cookie=f"{cookie.key}={cookie.value}")
    assert b"Soup" in shown.content
    assert shown["Cache-Control"] == "no-store"
    assert page.views == 1
    Publication.objects.update(password=make_password("other"))
    assert b"Soup" not in page.request(cookie=f"{cookie.key}={cookie.value}").content


def test_a_page_stays_unlocked_when_the_secret_key_is_rotated(settings: Any) -> None:
    page = Page(password=make_password("sesame"))
    opened = page.request("post", data={"password": "sesame"}, **{"sec-fetch-site": "same-origin"})
    [cookie] = opened.cookies.values()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert b"Soup" in page.request(cookie=f"{cookie.key}={cookie.value}").content
    settings.SECRET_KEY_FALLBACKS = []
    assert b"Soup" not in page.request(cookie=f"{cookie.key}={cookie.value}").content


def test_password_attempts_are_limited() -> None:
    page = Page(password=make_password("sesame"))
    statuses = [page.request("post", data={"password": "x"}).status_code for _ in range(12)]
    assert statuses[:10] == [403] * 10
    assert statuses[10:] == [429] * 2
