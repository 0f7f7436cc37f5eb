"""The owner's test scan: it redirects and does not count."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.test import Client

from workspace.products.qr.tests.guests import scan
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def token(browser: Client, code: dict) -> str:
    page = browser.get(f"/app/qr/{code['id']}/test").content.decode()
    [link] = re.findall(r'href="([^"]+\?test=[^"]+)"', page)
    return parse_qs(urlsplit(unescape(link)).query)["test"][0]


def total(api: Api, code: dict) -> int:
    return api.run("svc_qr_stats", id=code["id"])["total"]


def test_a_test_scan_redirects_and_does_not_count(api: Api, browser: Client, code: dict) -> None:
    response = scan(code, test=token(browser, code))
    assert (response.status_code, response["Location"]) == (302, "https://example.com/menu")
    assert total(api, code) == 0


def test_a_test_scan_bypasses_a_password(api: Api, browser: Client, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], password="secret")
    assert scan(code, test=token(browser, code)).status_code == 302


def test_a_test_scan_of_a_paused_code_shows_what_guests_see(api: Api, browser: Client, code: dict) -> None:
    api.run("svc_qr_edit", id=code["id"], live=False)
    response = scan(code, test=token(browser, code))
    assert response.status_code == 404 and "paused" in response.content.decode()


def test_a_test_scan_expires_after_15_minutes(browser: Client, code: dict) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        link = token(browser, code)
        clock.shift(14 * 60)
        assert scan(code, test=link).status_code == 302
        clock.shift(2 * 60)
        response = scan(code, test=link)
    assert response.status_code == 404 and "test has expired" in response.content.decode()


@pytest.mark.parametrize("made_up", ["x", "a:b:c", "é", "0" * 3000])
def test_a_forged_token_opens_nothing(made_up: str, api: Api, code: dict) -> None:
    assert scan(code, test=made_up).status_code == 404
    assert total(api, code) == 0


def test_the_token_of_one_code_does_not_open_another(api: Api, browser: Client, code: dict) -> None:
    other = api.run("svc_qr_create", name="Other", target_url="example.org")
    assert scan(other, test=token(browser, code)).status_code == 404


def test_on_a_loopback_address_the_page_explains_why_a_phone_cannot_open_it(
    browser: Client, code: dict, settings
) -> None:
    page = browser.get(f"/app/qr/{code['id']}/test").content.decode()
    assert "Phones can’t open this link" in page and "127.0.0.1:8000" in page
    settings.LOOPBACK = False
    assert "Phones can’t open this link" not in browser.get(f"/app/qr/{code['id']}/test").content.decode()
