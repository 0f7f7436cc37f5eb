"""A guest list is stored on a device for offline use, but only for one person in one account."""

from __future__ import annotations

import json

from playwright.sync_api import Error, Page, expect

from tests.browser.pages import sign_in_by_link
from workspace.testing.service import Service

STORES = "caches.keys().then((names) => names.filter((name) => name.startsWith('private/')).length)"


def _create(service: Service, email: str) -> tuple[str, str]:
    """Create an account. Return its key, and the sign-in link of its owner."""
    made = json.loads(service.operate("account", "create", email, "--name", "Corner Café", "--admin", "--json"))
    return made["api_key"], made["sign_in_link"]


def _sign_out(page: Page, url: str) -> None:
    page.goto(f"{url}/sign-out/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/**")


def _store_list(service: Service, page: Page, key: str) -> str:
    """Open a guest list, so that this device can show it offline. Return its path."""
    chart: str = service.api(key, "svc_seat_create", title="Gala", tables=[{"capacity": 4}])["chart"]["id"]
    service.api(key, "svc_seat_add_guests", event_id=chart, guests=[{"name": "Ada King"}])
    path = f"/app/seat/{chart}/door"
    page.goto(service.url + path)
    page.evaluate("navigator.serviceWorker.ready")
    while not page.evaluate("(path) => caches.match(path).then(Boolean)", path):
        page.wait_for_timeout(50)
    assert "King, Ada" in _open_offline(service, page, path)
    return path


def _wait_until_deleted(page: Page) -> None:
    while page.evaluate(STORES):
        page.wait_for_timeout(50)


def _open_offline(service: Service, page: Page, path: str) -> str:
    """Return the text of the page when offline, or an empty string if the browser has none."""
    page.context.set_offline(True)
    try:
        page.goto(service.url + path)
        return page.locator("body").inner_text()
    except Error:
        return ""
    finally:
        page.context.set_offline(False)
        page.goto(f"{service.url}/about")


def test_no_one_else_sees_a_stored_list_after_signing_out(service: Service, phone: Page) -> None:
    key, link = _create(service, "ada@example.com")
    _, other = _create(service, "bob@example.com")
    sign_in_by_link(phone, link)
    path = _store_list(service, phone, key)
    _sign_out(phone, service.url)
    _wait_until_deleted(phone)
    assert phone.evaluate("localStorage.length") == 0
    assert _open_offline(service, phone, path) == ""
    sign_in_by_link(phone, other)
    assert _open_offline(service, phone, path) == ""
    phone.goto(service.url + path)
    expect(phone.locator("body")).not_to_contain_text("King, Ada")


def test_no_one_else_sees_a_stored_list_after_the_session_ended(service: Service, phone: Page) -> None:
    key, link = _create(service, "cleo@example.com")
    _, other = _create(service, "dan@example.com")
    sign_in_by_link(phone, link)
    path = _store_list(service, phone, key)
    phone.context.clear_cookies()  # as when a session expires
    sign_in_by_link(phone, other)
    _wait_until_deleted(phone)
    assert _open_offline(service, phone, path) == ""


def test_the_list_is_deleted_as_soon_as_the_server_asks_to_sign_in(service: Service, phone: Page) -> None:
    key, link = _create(service, "eve@example.com")
    sign_in_by_link(phone, link)
    path = _store_list(service, phone, key)
    phone.context.clear_cookies()
    phone.route("**/device*.js", lambda route: route.abort())  # now only the service worker can delete the list
    phone.goto(service.url + path)
    phone.wait_for_url("**/sign-in/**")
    _wait_until_deleted(phone)
