"""A menu opened once can be opened offline, and says how old it is. A paused one cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible
from tests.browser.test_offline_card import IPHONE, _wait_for_kept
from workspace.testing.service import Service, running_service

SECTIONS = [{"name": "Soups", "items": [{"name": "Goulash", "price": "6.50", "allergens": {"celery": "contains"}}]}]


@pytest.fixture
def service() -> Iterator[Service]:
    """Run a service that this module stops."""
    with running_service() as running:
        yield running


def test_a_menu_is_stored_and_a_paused_one_is_removed(service: Service, chromium: Browser) -> None:
    with closing(chromium.new_context(**GUEST, user_agent=IPHONE)) as context:
        page = context.new_page()
        _store_and_forget(service, page)


def _store_and_forget(service: Service, page: Page) -> None:
    key = service.account()["api_key"]
    menu = service.api(key, "svc_menu_create", restaurant_name="Da Gino", currency="EUR", sections=SECTIONS)["menu"]
    path = f"/m/{menu['slug']}"
    page.goto(f"{service.url}{path}")
    expect(page.locator("[data-offline]")).to_be_hidden()
    _wait_for_kept(page, [path], all_of_them=True)

    service.stop()
    page.reload()
    expect(page.get_by_role("heading", name="Goulash")).to_be_visible()
    note = page.locator("[data-offline]")
    expect(note).to_have_text(re.compile(r"Sie sind offline\. Diese Seite ist vom .+\d\d:\d\d"))
    assert_accessible(page)
    page.get_by_text("Ernährung und Allergien").click()
    page.get_by_role("checkbox", name="Sellerie", exact=True).check()
    expect(page.get_by_role("heading", name="Goulash")).to_be_hidden()

    service.start()
    assert service.api(key, "svc_menu_list")["items"][0]["views"] == 1, "storing a menu is not a view"
    page.reload()
    expect(page.locator("[data-offline]")).to_be_hidden()
    service.api(key, "svc_menu_edit", menu_id=menu["id"], live=False)
    page.reload()
    _wait_for_kept(page, [path], all_of_them=False)
