"""The first page, signed in and signed out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, Membership
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem, OnboardingStep
from workspace.testing.api import make_account


@pytest.fixture(autouse=True)
def _navigation(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("_products", "_account", "_steps", "_pages"):
        monkeypatch.setattr(navigation, name, {})
    monkeypatch.setattr(navigation, "_start_page", [])
    return


def page(browser: Client, path: str = "/app") -> str:
    response = browser.get(path)
    assert response.status_code == 200
    return response.content.decode()


QR = NavItem(
    "QR codes",
    "/app/qr",
    "qr",
    10,
    product="qr",
    summary=lambda account: "12 codes",
    first_task="Create a QR code",
)


def test_products_are_listed_in_the_navigation_and_among_all_tools(browser: Client) -> None:
    navigation.register_product_item(QR)
    html = page(browser, "/app/tools")
    assert html.count('href="/app/qr"') == 3  # the sidebar, the mobile bar, the tile
    assert "12 codes" in html
    assert '<a href="/app" aria-current="page">' in page(browser)


def test_an_account_without_items_sees_one_next_step(browser: Client) -> None:
    navigation.register_product_item(QR)
    html = page(browser)
    assert "Welcome, <bdi>Olive</bdi>" in html
    assert '<a class="btn" href="/app/qr/new">Start</a>' in html


def test_the_product_of_the_current_page_is_marked() -> None:
    item = NavItem("QR codes", "/app/qr", "qr", 10)
    assert item.is_current("/app/qr")
    assert item.is_current("/app/qr/1/edit")
    assert not item.is_current("/app/qrs")


def test_products_that_are_not_installed_have_no_link(browser: Client) -> None:
    assert "Business cards" not in page(browser)
    html = page(browser, "/app/tools")
    assert "/app/card" not in html
    assert "business cards, reviews" in html
    assert "QR menus" in html


def test_first_steps_are_shown_until_they_are_done(browser: Client) -> None:
    navigation.register_onboarding_step(
        OnboardingStep("Set your brand", "/app/account/brand", 10, is_done=lambda account: True)
    )
    navigation.register_onboarding_step(
        OnboardingStep("AI assistants", "/app/connect", 20, is_done=lambda account: False)
    )
    html = page(browser)
    assert 'href="/app/account/brand"' not in html
    assert 'href="/app/connect"' in html
    assert "1 of 2" in html
    navigation.register_onboarding_step(
        OnboardingStep("AI assistants", "/app/connect", 20, is_done=lambda account: True)
    )
    assert "First steps" not in page(browser)


def test_the_first_steps_can_be_dismissed_and_restored(browser: Client) -> None:
    navigation.register_onboarding_step(
        OnboardingStep("AI assistants", "/app/connect", 20, is_done=lambda account: False)
    )
    assert browser.post("/app/onboarding", {"away": "yes"}).headers["Location"] == "/app"
    assert "First steps" not in page(browser)
    assert 'name="away" value="no"' in page(browser, "/app/tools")
    browser.post("/app/onboarding", {"away": "no"})
    assert "First steps" in page(browser)


def test_names_cannot_inject_markup(browser: Client, account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(name="<b>Bold</b>")
    assert "<b>Bold" not in page(browser)


def test_home_takes_as_many_queries_for_many_accounts_as_for_one(browser: Client, account: Account) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(browser)
        return len(captured)

    page(browser)
    queries()  # the session then remembers the navigation bar
    one = queries()
    for _ in range(3):
        Membership.objects.create(account=make_account(), person=account.owner, role=Membership.EDITOR)
    assert queries() == one <= 10


def test_the_account_switcher_takes_as_many_queries_for_many_accounts(browser: Client, account: Account) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page(browser, "/app/switch")
        return len(captured)

    queries()  # the session then remembers the navigation bar
    one = queries()
    for _ in range(3):
        Membership.objects.create(account=make_account(), person=account.owner, role=Membership.EDITOR)
    assert queries() == one


def test_a_visitor_sees_a_page_that_links_to_sign_in(db: None) -> None:
    html = page(Client(), "/")
    assert 'href="/sign-in/"' in html
    assert "QR codes" in html


def test_a_signed_in_person_is_redirected_to_home(browser: Client) -> None:
    assert browser.get("/").headers["Location"] == "/app"
