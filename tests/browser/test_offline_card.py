"""A card opened once can be opened offline; a deleted one cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PHONE
from workspace.testing.service import Service, running_service

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)

FILES = "[...document.querySelectorAll('link[rel=icon]')].map((link) => new URL(link.href).pathname)"
KEPT = """async (paths) => {
    const found = await Promise.all(paths.map((path) => caches.match(path)));
    return paths.filter((_, number) => found[number]);
}"""


@pytest.fixture
def service() -> Iterator[Service]:
    """Run a service that this module stops."""
    with running_service() as running:
        yield running


def test_a_card_is_cached_and_a_paused_one_is_removed(service: Service, chromium: Browser) -> None:
    with closing(chromium.new_context(viewport=PHONE, user_agent=IPHONE)) as context:
        _keep_and_forget(service, context.new_page())


def _keep_and_forget(service: Service, page: Page) -> None:
    key = service.account()["api_key"]
    card = service.api(key, "svc_card_create", full_name="Olive Owner", phone="+43 1 234 56 78")
    # as in the printed code
    page.goto(f"{service.url}/C/{card['slug'].upper()}")
    contact = f"/C/{card['slug'].upper()}.vcf"
    card_and_contact = [contact.removesuffix(".vcf"), contact]
    files = page.evaluate(FILES)
    assert files
    _wait_for_kept(page, [*card_and_contact, *files], all_of_them=True)

    service.stop()
    page.reload()
    expect(page.get_by_role("heading", name="Olive Owner")).to_be_visible()
    band = page.locator(".vc-band").evaluate("band => getComputedStyle(band).backgroundImage")
    assert "rgb(23, 96, 75)" in band, "its colors are there, too"
    assert "FN:Olive Owner" in page.evaluate(f"fetch('{contact}').then((answer) => answer.text())")

    service.start()
    found = service.api(key, "svc_card_get", card_id=card["id"])
    assert (found["views"], found["contact_saves"]) == (1, 0), "what is kept ahead is no visit"
    service.api(key, "svc_card_edit", card_id=card["id"], live=False)
    page.reload()
    expect(page.locator("body")).to_contain_text("has paused this page")
    _wait_for_kept(page, card_and_contact, all_of_them=False)
    service.stop()
    assert page.evaluate("fetch(location.pathname).then(() => 'kept', () => 'gone')") == "gone"


def _wait_for_kept(page: Page, paths: list[str], *, all_of_them: bool) -> None:
    """Wait until all paths or none are cached: the service worker handles them one by one in the background."""
    deadline = time.monotonic() + 60
    while page.evaluate(KEPT, paths) != (paths if all_of_them else []):
        assert time.monotonic() < deadline, page.evaluate(KEPT, paths)
        page.wait_for_timeout(50)
