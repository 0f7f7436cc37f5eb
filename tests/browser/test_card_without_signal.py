"""A card that was opened once opens without signal, and one that was taken down does not come back."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE
from tests.service import Service

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


def test_a_card_is_kept_and_a_paused_one_is_forgotten(service: Service, chromium: Browser) -> None:
    key = service.account()["api_key"]
    card = service.api(key, "svc_card_create", full_name="Olive Owner", phone="+43 1 234 56 78")
    context = chromium.new_context(viewport=PHONE, user_agent=IPHONE)
    page = context.new_page()
    # as the printed code says it
    page.goto(f"{service.url}/C/{card['slug'].upper()}")
    contact = f"/C/{card['slug'].upper()}.vcf"
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function(f"caches.match('{contact}').then((kept) => !!kept)")

    service.stop()
    page.reload()
    expect(page.get_by_role("heading", name="Olive Owner")).to_be_visible()
    band = page.locator(".vc-band").evaluate("band => getComputedStyle(band).backgroundImage")
    assert "rgb(23, 96, 75)" in band, "its colours are there, too"
    assert "FN:Olive Owner" in page.evaluate(f"fetch('{contact}').then((answer) => answer.text())")

    service.start()
    found = service.api(key, "svc_card_get", id=card["id"])
    assert (found["views"], found["contact_saves"]) == (1, 0), "what is kept ahead is no visit"
    service.api(key, "svc_card_pause", id=card["id"])
    page.reload()
    expect(page.locator("body")).to_contain_text("has paused this page")
    page.wait_for_function(f"caches.match('{contact}').then((kept) => !kept)")
    service.stop()
    assert page.evaluate("fetch(location.pathname).then(() => 'kept', () => 'gone')") == "gone"
    context.close()
