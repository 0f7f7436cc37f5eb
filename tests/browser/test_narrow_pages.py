"""Pages with long URLs fit the narrowest phone, and text that is too long shows a counter."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.browser.pages import sign_in_by_link
from workspace.testing.service import Service

WIDTH = 320


def test_connecting_an_assistant_fits_and_long_texts_are_counted(service: Service, phone: Page) -> None:
    made = service.operate("account", "create", "narrow@example.com", "--name", "Café", "--admin", "--json")
    sign_in_by_link(phone, json.loads(made)["sign_in_link"])
    phone.set_viewport_size({"width": WIDTH, "height": 640})
    phone.goto(f"{service.url}/app/connect")
    assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH

    phone.goto(f"{service.url}/app/card/new")
    name = phone.get_by_label("Name", exact=True).first
    most = int(name.get_attribute("data-most") or 0)
    assert most > 0 and name.get_attribute("maxlength") is None
    name.fill("x" * (most + 5))
    expect(name).to_have_value("x" * (most + 5))
    expect(phone.locator("main")).to_contain_text(f"{most + 5} / {most}")
