"""A business card at a phone's width: the owner creates it, and sees how a guest uses it.

The guest reads German, saves the card and leaves contact details.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import vobject
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.pages import GUEST, assert_accessible, assert_german, sign_in_by_link
from workspace.testing.service import Service

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


def test_a_card_is_created_saved_and_answered(service: Service, phone: Page, chromium: Browser, tmp_path: Path) -> None:
    _sign_in(service, phone)
    card_url = _make_card(service, phone, tmp_path)

    guest = chromium.new_context(**GUEST, user_agent=IPHONE)
    try:
        _meet_the_card(guest, _scanned(phone))
    finally:
        guest.close()

    phone.goto(f"{card_url}/results")
    expect(phone.locator(".stats")).to_contain_text(
        re.compile(r"Views\s*[1-9].*Contact saves\s*1.*Leads\s*1", re.DOTALL)
    )
    assert_accessible(phone)
    phone.get_by_role("link", name="Leads 1").click()
    expect(phone.locator("main")).to_contain_text("Gus Guest")
    expect(phone.locator("main")).to_contain_text("We met at the fair")
    assert_accessible(phone)
    with phone.expect_download() as downloading:
        phone.get_by_role("link", name="CSV").click()
    assert "gus@example.org" in downloading.value.path().read_text()

    phone.goto(f"{service.url}/outbox")
    expect(phone.locator("main")).to_contain_text("Gus Guest left their details on your card")
    expect(phone.locator("main")).to_contain_text("Die Visitenkarte von Olive Owner")


def _sign_in(service: Service, page: Page) -> None:
    made = service.operate("account", "create", "card@example.com", "--name", "Corner Café", "--admin", "--json")
    service.operate("plan", "set", "card@example.com", "card", "pro")  # lets guests leave their details
    sign_in_by_link(page, json.loads(made)["sign_in_link"])


def _make_card(service: Service, page: Page, folder: Path) -> str:
    page.goto(f"{service.url}/app/card")
    assert_accessible(page)
    page.get_by_role("link", name="Create card").click()
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("Olive Owner")
    page.get_by_label("Job title").fill("Head Baker")
    page.get_by_label("Phone", exact=True).fill("+43 1 234 56 78")
    page.get_by_label("Email", exact=True).fill("card@example.com")
    # added fields are focused, by keyboard only
    page.locator("summary").get_by_text("Address", exact=True).press("Enter")
    expect(page.get_by_label("Address", exact=True)).to_be_focused()
    page.keyboard.type("1 Main Street, Springfield")
    page.get_by_role("heading", name="Links").click()
    page.locator("summary").get_by_text("Instagram", exact=True).click()
    page.get_by_label("Instagram", exact=True).fill("instagram.com/corner")
    assert_accessible(page)
    page.get_by_role("button", name="Create card").click()
    page.wait_for_url(re.compile(r"/app/card/card_\w+\?made"))
    assert_accessible(page)
    address = page.url.partition("?")[0]
    # the preview above the form follows the input
    page.get_by_label("Job title").fill("Master Baker")
    expect(page.frame_locator("iframe[name=phone]").get_by_text("Master Baker")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Card saved.")

    picture = folder / "olive.png"
    Image.new("RGB", (400, 500), "teal").save(picture)
    page.get_by_role("link", name="Design", exact=True).click()
    page.get_by_label(re.compile("^Photo")).set_input_files(picture)
    page.get_by_text("Bold", exact=True).click()
    with page.expect_response(re.compile("/preview")):
        page.get_by_role("button", name="Use #8a1538").click()
    page.get_by_role("button", name="Preview").click()
    shown = page.frame_locator("iframe[name=phone]")
    expect(shown.get_by_role("heading", name="Olive Owner")).to_be_visible()
    expect(shown.get_by_role("link", name="Save contact")).to_have_css("background-color", "rgb(138, 21, 56)")
    page.get_by_role("button", name="Close").click()
    assert_accessible(page)
    page.get_by_role("button", name="Save design").click()
    expect(page.get_by_alt_text("Current image")).to_be_visible()
    page.goto(address)
    return address


def _scanned(page: Page) -> str:
    """Return the text that a camera reads from the card's QR code in the dashboard."""
    page.get_by_role("link", name="Share", exact=True).first.click()
    assert_accessible(page)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="PNG").click()
    found = zxingcpp.read_barcode(Image.open(io.BytesIO(downloading.value.path().read_bytes())))
    assert found is not None
    return str(found.text)


def _meet_the_card(guest: BrowserContext, url: str) -> None:
    page = guest.new_page()
    page.goto(url)
    expect(page.get_by_role("heading", name="Olive Owner")).to_be_visible()
    assert_accessible(page)
    assert_german(page)
    assert page.get_by_alt_text("Olive Owner").evaluate("image => image.complete && image.naturalWidth > 0")
    assert page.get_by_role("link", name="Anrufen").get_attribute("href") == "tel:+4312345678"

    file = guest.request.get(page.get_by_role("link", name="Kontakt speichern").evaluate("link => link.href"))
    assert file.headers["content-type"] == "text/vcard; charset=utf-8"
    [contact] = vobject.readComponents(file.text())
    assert contact.fn.value == "Olive Owner"
    assert Image.open(io.BytesIO(contact.photo.value)).size == (320, 320)

    page.get_by_role("link", name="Meine Daten senden").click()
    assert_accessible(page)
    page.get_by_label("Ihr Name").fill("Gus Guest")
    page.get_by_label("E-Mail").fill("gus@example.org")
    page.get_by_label(re.compile("Ein paar Worte")).fill("We met at the fair")
    page.get_by_label(re.compile("darf diese Angaben speichern")).check()
    page.wait_for_timeout(2100)  # the minimum time for a person
    page.get_by_role("button", name="An Olive senden").click()
    expect(page.get_by_role("heading", name="Vielen Dank")).to_be_visible()
    assert_accessible(page)

    page.get_by_role("link", name="Zurück zur Visitenkarte").click()
    page.get_by_role("link", name="Karte per Mail erhalten").click()
    assert_accessible(page)
    page.get_by_label("Ihre E-Mail-Adresse").fill("gus@example.org")
    page.wait_for_timeout(1100)
    page.get_by_role("button", name="Senden").click()
    expect(page.get_by_role("heading", name="Schon unterwegs")).to_be_visible()
