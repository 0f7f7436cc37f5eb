"""A café pastes its menu as it is in an email, corrects it, and guests read it. The clicks are counted."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, count_clicks, start_counting_clicks
from tests.browser.test_menu_story import signed_in
from workspace.testing.service import Service

MAX_CLICKS = 6
PASTED = """CAFÉ DA PRAÇA - EMENTA 2026 (IVA incluído)

*** PEQUENO-ALMOÇO ***
Torrada com manteiga e compota ........ 3,50€  (A, G)
- Croissant simples   1,90
- Croissant misto 3.20€ [glúten, leite]
Ovos mexidos c/ bacon: 6,90 EUR (contém ovos, glúten)
Panquecas (3 un.) com mel ou nutella 7,50/8,50

Saladas e Pratos leves
Salada de polvo 12,50 (R)
polvo, cebola roxa, coentros, azeite
Sopa do dia (vegan) 3,90
Amêijoas à Bulhão Pato   preço do dia

BEBIDAS
Bica / espresso 0,90
Sumo de laranja natural 0,2l 3,20 / 0,4l 5,00
Vinho verde copo 3,50 (L) | garrafa 14,00

Alergénios: A glúten, C ovo, G leite, L sulfitos, R moluscos
Wifi: praca2026
"""


def test_a_pasted_menu_is_live_after_a_few_clicks(service: Service, phone: Page, chromium: Browser) -> None:
    page = phone
    key = signed_in(service, page, "cafe@example.com")
    service.api(key, "svc_account_edit", currency="EUR", country="PT", trade="cafe")
    page.goto(f"{service.url}/app")
    start_counting_clicks(page)
    page.goto(f"{service.url}/app/menu")  # from the tab bar
    page.get_by_role("link", name="Import menu").click()
    page.get_by_label("Menu text").click()
    page.get_by_label("Menu text").fill(PASTED)
    page.get_by_role("button", name="Check menu").click()
    expect(page.get_by_role("heading", name="Dishes: 11, sections: 3")).to_be_visible()
    expect(page.get_by_role("heading", name="2 lines to review")).to_be_visible()
    expect(page.locator(".is-asked")).to_have_count(2)
    assert_accessible(page)
    page.get_by_role("textbox", name="Name, line 5").fill("Croissant com manteiga")  # by keyboard
    page.get_by_role("button", name="Create menu").click()
    page.wait_for_url(re.compile(r"/app/menu/menu_"))
    page.get_by_role("switch", name="Live").click()
    expect(page.get_by_role("switch", name="Live")).to_be_checked()
    assert count_clicks(page) + 1 <= MAX_CLICKS, "with the one on the tab bar"

    context = chromium.new_context(**GUEST)
    table = context.new_page()
    table.goto(f"{service.url}/m/{service.api(key, 'svc_menu_list')['items'][0]['slug']}")
    expect(table.locator(".dish")).to_have_count(11)
    expect(table.locator(".dish", has_text="Croissant com manteiga")).to_contain_text("1,90")
    expect(table.locator(".dish", has_text="Torrada")).to_contain_text("Enthält glutenhaltiges Getreide und Milch.")
    expect(table.locator("main")).not_to_contain_text("Wifi")
    context.close()
