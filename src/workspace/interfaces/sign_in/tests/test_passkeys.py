"""Passkeys in a real browser, with an authenticator that Chromium simulates."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Browser, Page, sync_playwright

from workspace.testing.sign_in import PASSWORD, make_person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not shutil.which("chromium"), reason="there is no `chromium`"),
]
FINGERPRINT = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # playwright runs an event loop in this thread
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Open a page in its own browser profile."""
    page = chromium.new_page()
    page.set_default_timeout(60_000)
    yield page
    page.close()


def with_fingerprint(page: Page) -> Any:
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": FINGERPRINT})
    return device


def sign_in(page: Page, base: str, email: str) -> None:
    page.goto(f"{base}/sign-in/?next=/app/account")
    page.fill("#id_login", email)
    page.fill("#id_password", PASSWORD)
    page.press("#id_password", "Enter")


def add_passkey(page: Page, base: str, *, alone: bool = True) -> None:
    page.goto(f"{base}/account/passkeys/new")
    page.set_checked("#id_passwordless", alone)
    page.click("#mfa_webauthn_add")
    page.wait_for_url("**/account/second-step/codes")


def test_a_passkey_signs_in_without_a_password(page, live_server):
    person = make_person()
    with_fingerprint(page)
    sign_in(page, live_server.url, person.email)
    page.wait_for_url(f"{live_server.url}/app/account")
    add_passkey(page, live_server.url)
    page.goto(f"{live_server.url}/account/passkeys")
    assert page.is_visible("text=No password needed")

    page.context.clear_cookies()
    page.goto(f"{live_server.url}/sign-in/?next=/app/keys")
    page.click("text=Sign in with passkey")
    page.wait_for_url(f"{live_server.url}/app/keys")

    # a removed passkey no longer signs in
    Authenticator.objects.filter(user=person).delete()
    page.context.clear_cookies()
    page.goto(f"{live_server.url}/sign-in/")
    with page.expect_response(lambda answer: answer.request.method == "POST") as refused:
        page.click("text=Sign in with passkey")
    refused.value.finished()
    page.wait_for_load_state()
    page.goto(f"{live_server.url}/app/keys")
    assert "/sign-in" in page.url


def test_a_security_key_is_the_second_step_and_confirms_a_sign_in(page, live_server):
    person = make_person()
    with_fingerprint(page)
    sign_in(page, live_server.url, person.email)
    page.wait_for_url(f"{live_server.url}/app/account")
    add_passkey(page, live_server.url, alone=False)

    page.context.clear_cookies()
    sign_in(page, live_server.url, person.email)
    page.wait_for_url("**/sign-in/code")
    page.click("text=Use passkey instead")
    page.wait_for_url(f"{live_server.url}/app/account")

    page.goto(f"{live_server.url}/account/confirm/passkey?next=/app/keys")
    page.click("text=Use passkey")
    page.wait_for_url(f"{live_server.url}/app/keys")


def test_on_an_ip_address_passkeys_are_not_offered_and_the_reason_is_shown(page, live_server):
    page.goto(live_server.url.replace("localhost", "127.0.0.1") + "/sign-in/")
    assert not page.is_visible("text=Sign in with passkey")
    assert page.is_visible("text=Passkeys only work if this page has a domain name")
    page.goto(f"{live_server.url}/sign-in/")
    assert page.is_visible("text=Sign in with passkey")


def test_an_error_of_the_device_is_shown_as_text(page, live_server):
    device = with_fingerprint(page)
    page.goto(f"{live_server.url}/sign-in/")
    device.send("WebAuthn.disable")
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"
    )
    page.click("text=Sign in with passkey")
    page.wait_for_selector("text=The request was canceled")


def test_sign_up_guesses_the_time_zone(chromium, live_server):
    page = chromium.new_page(timezone_id="Asia/Kolkata")
    page.goto(f"{live_server.url}/sign-up/")
    assert page.input_value("#id_time_zone") in ("Asia/Kolkata", "Asia/Calcutta")
    page.close()
