"""A page that answers a guest's post has its own URL: Back and Reload show it with all entered values."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import DatabaseError
from django.test import Client

from workspace.public_site import post_redirect
from workspace.testing.api import Api
from workspace.testing.rate_limits import set_limit

pytestmark = pytest.mark.django_db
BROWSER = {"sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin", "user-agent": "Mozilla/5.0 Firefox/140.0"}
TYPED = {"name": "Gus Example", "email": "not an address", "note": "Call me"}


@pytest.fixture
def path(api: Api) -> str:
    cache.clear()
    return f"/c/{api.run('svc_card_create', full_name='Jane Doe')['slug']}/exchange"


def send(path: str, **headers: str) -> Any:
    return Client(headers=BROWSER | headers).post(path, TYPED)


def test_a_rejected_post_redirects_to_its_page(path: str) -> None:
    redirect = send(f"{path}?lang=de")
    address = redirect["Location"]
    assert (redirect.status_code, redirect["Cache-Control"]) == (303, "no-store")
    assert re.fullmatch(re.escape(path) + r"\?lang=de&answered=[\w-]{32}", address)
    for _ in range(2):
        page = Client(headers=BROWSER).get(address)
        assert (page.status_code, page["Cache-Control"], page["Content-Language"]) == (400, "no-store", "de")
        for text in (*TYPED.values(), "Bitte geben Sie eine gültige E-Mail-Adresse ein"):
            assert text in page.content.decode()


def test_a_post_to_that_page_is_handled_like_one_to_the_form(path: str) -> None:
    again = send(send(path)["Location"])
    assert again.status_code == 303
    assert again["Location"].count("answered=") == 1


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-mode": "cors"}, {"sec-fetch-mode": ""}], ids=["a script", "not a browser"]
)
def test_clients_that_display_no_pages_get_a_direct_answer(path: str, headers: dict[str, str]) -> None:
    assert send(path, **headers).status_code == 400


def test_a_browser_without_fetch_metadata_is_redirected(path: str) -> None:
    sent = Client(headers={"upgrade-insecure-requests": "1"}).post(path, TYPED)
    assert sent.status_code == 303


@pytest.mark.parametrize(
    "other", [{"REMOTE_ADDR": "198.51.100.7"}, {"HTTP_USER_AGENT": "Other"}], ids=["network", "browser"]
)
def test_the_page_opens_only_for_the_same_network_and_browser(path: str, other: dict[str, str]) -> None:
    page = Client(headers=BROWSER).get(send(path)["Location"], **other)
    assert page.status_code == 200
    assert "Gus Example" not in page.content.decode()


def test_an_expired_url_shows_the_empty_form(path: str) -> None:
    address = send(path)["Location"]
    with time_machine.travel(time.time() + post_redirect.LIFETIME_SECONDS + 1, tick=False):
        page = Client(headers=BROWSER).get(address)
    assert (page.status_code, "Gus Example" in page.content.decode()) == (200, False)


def test_a_stored_page_cannot_be_read_without_its_url(path: str, monkeypatch: Any) -> None:
    stored: list[bytes] = []

    def store(key: str, value: Any, *_: Any, **__: Any) -> None:
        if isinstance(value, bytes):  # not the counter of stored pages, which some caches set in the same way
            stored.append(key.encode() + value)

    monkeypatch.setattr(post_redirect.cache, "set", store)
    word = send(path)["Location"].partition("answered=")[2]
    assert len(stored) == 1
    assert word.encode() not in stored[0]
    assert b"Gus" not in stored[0]


@pytest.mark.parametrize("limit", ["number", "size"])
def test_a_page_is_returned_directly_if_it_cannot_be_stored(path: str, limit: str, monkeypatch: Any) -> None:
    if limit == "number":
        set_limit(monkeypatch, "answered-page", 0)
    else:
        monkeypatch.setattr(post_redirect, "MAX_PAGE_BYTES", 0)
    sent = send(path)
    assert (sent.status_code, "Gus Example" in sent.content.decode()) == (400, True)


def test_a_database_error_returns_the_page_directly(path: str, monkeypatch: Any) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError

    monkeypatch.setattr(post_redirect.cache, "set", fail)
    assert send(path).status_code == 400
