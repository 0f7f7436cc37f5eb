"""The search field for items, guests, settings and help, as a page and as a part of one."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.publishing.manifest import SearchCommand
from workspace.testing.api import Api
from workspace.testing.samples.card import submit_lead

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PART = {"HX-Request": "true"}
# what an owner types to find a page, an action or an article, without knowing its name here
STANDARD_WORDS = (
    "check-in", "check in", "attendance", "holiday", "vacation", "day off", "block time", "opening hours", "branding",
    "logo", "colors", "fonts", "design", "language", "integrations", "zapier", "api", "mcp", "chatgpt", "webhook",
    "google calendar", "outlook", "calendar sync", "short link", "custom link", "redirect", "wifi", "rsvp", "archive",
    "trash", "deleted", "restore", "undo", "log out", "logout", "sign out", "export", "import", "backup", "gdpr",
    "privacy", "delete account", "cancel subscription", "billing", "invoice", "upgrade", "pricing", "payment", "refund",
    "deposit", "stripe", "team", "members", "roles", "permissions", "referral", "password", "2fa", "two-factor",
    "passkey", "email", "notifications", "currency", "time zone", "support", "contact us", "help", "faq", "leads",
    "contacts", "menu", "allergens", "price list", "qr code", "print", "poster", "embed", "widget", "testimonials",
    "waiver", "e-signature", "survey", "questionnaire", "responses", "diploma", "certificate", "wedding", "guest list",
    "place cards", "agenda", "speakers", "conference", "appointments", "reschedule", "no-show", "quote", "estimate",
    "link in bio", "vcard", "audit log", "history", "devices", "sessions", "switch account",
)  # fmt: skip


COMMANDS = [pytest.param(item, command, id=str(command.title)) for item, command in navigation.list_commands()]


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
    assert groups["Items"] == [(f"/app/card/{card}", "Connie Devices")]
    assert groups["Guests"] == [(f"/app/card/{card}/leads", "Conrad Devices")]
    assert ("/account/sessions", "Devices") in groups["Settings and pages"]
    assert read_results(browser_of(api), "connect agent")["Help"][0] == ("/app/connect", "AI assistants")
    assert set(read_results(browser_of(stranger), "devices")) == {"Settings and pages", "Help"}


def test_an_item_is_found_by_its_url(api: Api) -> None:
    card = api.run("svc_card_create", full_name="Jane")
    assert read_results(browser_of(api), card["public_url"])["Items"] == [(f"/app/card/{card['id']}", "Jane")]


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
            assert len(read_results(browser, "table")["Items"]) <= 8
        return len(captured)

    def add_codes(count: int) -> None:
        for number in range(count):
            api.run("svc_qr_create", name=f"Table {number}", target_url="https://example.com")

    browser = browser_of(api)
    add_codes(1)
    queries()
    one = queries()
    add_codes(9)  # more than the page shows, so that the total is counted
    few = queries()
    assert few <= one + 1
    add_codes(12)
    assert queries() == few


@pytest.mark.parametrize("words", STANDARD_WORDS)
def test_standard_words_find_a_page_or_an_action_in_an_empty_account(words: str, api: Api) -> None:
    groups = read_results(browser_of(api), words)
    assert groups.get("Actions") or groups.get("Settings and pages") or groups.get("Help"), words


def test_a_command_opens_the_newest_item_or_the_page_that_creates_one(api: Api) -> None:
    browser = browser_of(api)
    assert read_results(browser, "create menu")["Actions"] == [("/app/menu/new", "Create a menu")]
    assert read_results(browser, "issue certificates")["Actions"] == [("/app/certs/new", "Issue certificates")]
    api.run("svc_card_create", full_name="Jane")
    newest = api.run("svc_card_create", full_name="John")["id"]
    assert read_results(browser, "view leads")["Actions"] == [(f"/app/card/{newest}/leads", "View leads")]


@pytest.mark.parametrize(
    ("item", "command"), navigation.list_commands(), ids=lambda one: str(getattr(one, "title", ""))
)
def test_each_command_opens_a_page(
    item: NavItem, command: SearchCommand, furnished: tuple[Api, dict[str, str]]
) -> None:
    browser = browser_of(furnished[0])
    [url] = [url for url, title in read_results(browser, str(command.title))["Actions"] if title == command.title]
    assert browser.get(url).status_code == 200
    assert url.startswith(item.url) and url.endswith(command.tab or ("/new" if command.tab is None else ""))
