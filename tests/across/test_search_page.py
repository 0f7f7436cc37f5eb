"""The search field for items, guests, settings and help, as a page and as a part of one."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.testing.api import Api
from workspace.testing.samples.card import submit_lead

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PART = {"HX-Request": "true"}


def browser_of(api: Api) -> Client:
    browser = Client()
    browser.force_login(api.account.owner)
    return browser


def read_results(browser: Client, q: str) -> dict[str, list[tuple[str, str]]]:
    """Return titles and URLs by the heading above them."""
    part = browser.get("/app/search", {"q": q}, headers=PART).content.decode()
    return {
        title: re.findall(r'<a href="([^"]+)">.*?<b>(.*?)</b>', group, re.DOTALL)
        for title, group in re.findall(r"<h2>(.*?)</h2>(.*?)</section>", part, re.DOTALL)
    }


def test_items_guests_settings_and_help_are_found_in_groups(api: Api, stranger: Api) -> None:
    card = api.run("svc_card_create", full_name="Connie Devices")["id"]
    submit_lead(card, 1, name="Conrad Devices")
    groups = read_results(browser_of(api), "devices")
    assert groups["Yours"] == [(f"/app/card/{card}", "Connie Devices")]
    assert groups["Guests"] == [(f"/app/card/{card}/leads", "Conrad Devices")]
    assert ("/account/sessions", "Devices") in groups["Settings and pages"]
    assert read_results(browser_of(api), "connect agent")["Help"][0] == ("/app/connect", "Connect an agent")
    assert set(read_results(browser_of(stranger), "devices")) == {"Settings and pages", "Help"}


def test_an_item_is_found_by_its_url(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Jane")
    assert read_results(browser_of(api), card["public_url"])["Yours"] == [(f"/app/card/{card['id']}", "Jane")]


def test_the_page_contains_the_results_and_works_without_scripts(api: Api) -> None:
    api.run("svc_card_create", full_name="Jane <i>")
    page = browser_of(api).get("/app/search", {"q": "jane <i>"}).content.decode()
    assert "<h1>Search</h1>" in page and "Jane &lt;i&gt;</b>" in page
    assert 'value="jane &lt;i&gt;"' in page


@pytest.mark.parametrize("q", ["\0", "%", "_", "'", "\\", "ﷺ" * 300, "   ", "no such thing at all", "😀"])
def test_every_query_is_answered(q: str, api: Api) -> None:
    assert browser_of(api).get("/app/search", {"q": q}).status_code == 200


def test_a_search_takes_the_same_queries_for_many_results_as_for_few(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(read_results(browser, "table")["Yours"]) <= 8
        return len(captured)

    browser = browser_of(api)
    api.run("svc_qr_create", name="Table", target_url="https://example.com")
    queries()
    one = queries()
    for number in range(12):
        api.run("svc_qr_create", name=f"Table {number}", target_url="https://example.com")
    assert queries() == one
