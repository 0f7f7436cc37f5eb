"""From sign-up to a scan of a printed code, and pausing it, at a phone's width."""

from __future__ import annotations

import io
import re
import urllib.request
from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, assert_german
from workspace.testing.service import Service, running_service

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def service() -> Iterator[Service]:
    """Run a service with a single account, whose owner may read the outbox."""
    with running_service() as running:
        yield running


def test_an_owner_signs_up_creates_a_code_and_sees_its_scan(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone

    page.goto(service.url)
    assert_accessible(page)
    page.get_by_role("link", name="Create account").first.click()
    assert_accessible(page)
    page.get_by_label("Your name").fill("Olive Owner")
    page.get_by_label("Business name").fill("Corner Café")
    page.get_by_label("Industry").select_option("cafe")
    page.get_by_label("Email address").fill("olive@example.com")
    page.get_by_label("Password", exact=True).fill("a long sentence of words")
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/account/verify*")
    assert_accessible(page)

    page.goto(f"{service.url}/outbox")
    page.get_by_role("link", name=re.compile("confirm|verify|address", re.IGNORECASE)).first.click()
    expect(page.locator("body")).to_contain_text(f"{service.url}/account/")
    link = re.search(rf"{re.escape(service.url)}/account/\S+", page.content())
    assert link is not None, "the mail holds the link"
    page.goto(link[0].split('"')[0].split("<")[0])
    page.get_by_role("button", name=re.compile("confirm", re.IGNORECASE)).click()
    page.wait_for_url("**/app/welcome")
    assert_accessible(page)
    page.get_by_role("textbox", name="Main color optional").fill("#8a1538")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/app/welcome/ready")
    assert_accessible(page)

    page.goto(f"{service.url}/app/qr/new")
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("Table 4")
    page.get_by_label("Destination").first.fill(f"{service.url}/about")
    page.get_by_role("button", name="Create QR code").click()
    page.wait_for_url(re.compile(r"/app/qr/qr_"))
    assert_accessible(page)
    address = page.url

    page.get_by_role("link", name="Share", exact=True).first.click()
    assert_accessible(page)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="PNG").first.click()
    picture = Image.open(io.BytesIO(downloading.value.path().read_bytes()))
    printed = zxingcpp.read_barcode(picture)
    assert printed is not None
    assert printed.text.startswith(f"{service.url}/q/".upper())

    guest = chromium.new_context(**GUEST, user_agent=IPHONE).new_page()
    guest.goto(printed.text)
    assert guest.url == f"{service.url}/about"
    _scan_as_a_bot(printed.text)

    page.goto(address.partition("?")[0])
    page.get_by_role("link", name="Analytics").click()
    expect(page.locator(".stats")).to_contain_text(re.compile(r"Scans\s*1"))
    assert_accessible(page)
    page.get_by_role("switch", name="Live").click()
    expect(page.get_by_role("switch", name="Live")).to_have_attribute("aria-checked", "false")
    guest.goto(printed.text)
    expect(guest.get_by_role("heading")).to_have_text("Bald wieder da")
    expect(guest.locator("main")).to_contain_text("Corner Café macht hier gerade Pause")
    assert_german(guest)
    assert_accessible(guest)
    guest.context.close()
    page.goto(f"{service.url}/app/qr")
    assert_accessible(page)
    expect(page.locator("body")).to_contain_text("Table 4")


def _scan_as_a_bot(url: str) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "WhatsApp/2.24"})
    with urllib.request.urlopen(request, timeout=60) as response:
        response.read()
