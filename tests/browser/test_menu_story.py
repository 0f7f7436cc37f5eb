"""A menu at a phone's width: its owner writes it, and a guest with an allergy reads it in German.

Then the soup sells out.
"""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.pages import GUEST, PHONE, assert_accessible, assert_german, sign_in_by_link
from tests.browser.test_qr_story import IPHONE
from workspace.testing.service import Service


def signed_in(service: Service, page: Page, email: str) -> str:
    """Sign in to a new account. Return its key."""
    words = ("account", "create", email, "--name", "Trattoria Gino", "--admin", "--json")
    made = json.loads(service.operate(*words))
    sign_in_by_link(page, made["sign_in_link"])
    return str(made["api_key"])


def test_an_owner_writes_a_menu_that_guests_read_during_service(
    service: Service, phone: Page, chromium: Browser
) -> None:
    page = phone
    key = signed_in(service, page, "menus@example.com")
    service.api(key, "svc_account_edit", currency="EUR")
    page.goto(f"{service.url}/app/menu")
    assert_accessible(page)
    page.get_by_role("link", name="Create menu").click()
    assert_accessible(page)
    page.get_by_label("Business name", exact=True).fill("Da Gino")
    page.get_by_role("radio", name="Terracotta").check(force=True)
    page.get_by_role("button", name="Create menu").click()
    page.wait_for_url(re.compile(r"/app/menu/menu_"))
    editor = page.url.split("?")[0]
    assert_accessible(page)

    page.get_by_label("New section").fill("Starters")
    page.get_by_role("button", name="Add section").click()
    page.get_by_role("textbox", name="Price of the new item in Starters").press_sequentially("1,200")
    expect(page.locator(".field-echo").first).to_have_text("Do you mean €1.20 or €1,200.00? Enter 1.20 or 1200")
    assert_accessible(page)
    _add(page, "Tomato soup", "6,50")
    _add(page, "Mozzarella", "9.00")
    _add(page, "Bruschetta", "7.20")
    expect(page.locator(".mn-item")).to_have_count(3)
    assert_accessible(page)
    _declare(page, "Tomato soup", "Vegan", contains="Celery")
    _declare(page, "Mozzarella", "Vegetarian", contains="Milk", may_contain="Nuts")
    _declare_by_keyboard(page, "Bruschetta")
    assert page.locator(".mn-item").first.bounding_box()["height"] <= 58  # type: ignore[index]

    _by_arrow_and_by_hand(page)
    _add_as_many_as_one_searches(service, key, editor.rpartition("/")[2])
    link = page.get_by_role("link", name="View page").first.get_attribute("href")
    guest = chromium.new_context(**GUEST, user_agent=IPHONE)
    _read_with_an_allergy(guest, f"{service.url}{link}")
    _read_without_script(chromium, f"{service.url}{link}")

    soup = page.locator(".mn-item", has_text="Tomato soup")
    expect(soup.locator(".state")).to_have_count(0)
    page.get_by_role("switch", name="Available: Tomato soup").click()
    expect(soup.locator(".state")).to_have_text("Sold out")
    expect(page.get_by_role("switch", name="Available: Tomato soup")).to_be_focused()
    expect(page.get_by_role("switch", name="Available: Tomato soup")).not_to_be_checked()
    page.get_by_role("link", name="Mozzarella").click()
    sheet = page.get_by_role("dialog", name="Mozzarella")
    sheet.get_by_text("Availability").click()
    sheet.get_by_role("switch", name="Hide from guests").check()
    page.keyboard.press("Escape")
    expect(sheet.get_by_text("Discard your changes?")).to_be_visible()
    sheet.get_by_role("button", name="Keep editing").click()
    sheet.get_by_role("button", name="Save item", exact=True).click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".mn-item", has_text="Mozzarella").locator(".state")).to_have_text("Hidden")
    expect(page.get_by_role("link", name="Mozzarella")).to_be_focused()
    assert_accessible(page)

    table = guest.new_page()
    table.goto(f"{service.url}{link}")
    expect(table.locator(".dish", has_text="Tomato soup")).to_contain_text("Ausverkauft")
    expect(table.get_by_text("Mozzarella")).to_have_count(0)
    guest.close()

    for tab in ("/look", "/share", "/settings", "/results"):
        page.goto(editor + tab)
        assert_accessible(page)
    expect(page.locator(".stats")).to_contain_text(re.compile("Views\\s*3"))


def _add(page: Page, name: str, price: str) -> None:
    """Add a dish in the last row. Enter adds it, and the next one can be typed at once."""
    page.get_by_role("textbox", name="New item in Starters", exact=True).fill(name)
    page.get_by_role("textbox", name="Price of the new item in Starters").fill(price)
    expect(page.locator(".field-echo").first).to_have_text(f"= €{price.replace(',', '.')}")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"“{name}” added at €{price.replace(',', '.')}.")).to_be_visible()
    expect(page.get_by_role("textbox", name="New item in Starters", exact=True)).to_be_focused()


def _declare(page: Page, name: str, diet: str, *, contains: str, may_contain: str = "") -> None:
    """Tap an allergen once for contains, and twice for may contain."""
    page.get_by_role("link", name=name).click()
    sheet = page.get_by_role("dialog", name=name)
    expect(sheet).to_be_visible()
    chip = sheet.get_by_role("group", name=contains, exact=True)
    chip.locator("label:visible").click()
    expect(chip.get_by_role("radio", name="Contains", exact=True)).to_be_checked()
    if may_contain:
        chip = sheet.get_by_role("group", name=may_contain, exact=True)
        chip.locator("label:visible").click()
        chip.locator("label:visible").click()
        expect(chip.get_by_role("radio", name="May contain", exact=True)).to_be_checked()
    assert_accessible(page)
    sheet.get_by_role("checkbox", name=diet, exact=True).check()
    sheet.get_by_role("button", name="Save item").click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".mn-item", has_text=name)).to_contain_text(f"contains{contains.lower()}")


def _declare_by_keyboard(page: Page, name: str) -> None:
    page.get_by_role("link", name=name).focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name=name)
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
    sheet.get_by_role("radio", name="Not declared").first.focus()
    page.keyboard.press("ArrowRight")
    expect(sheet.get_by_role("group", name="Gluten cereals").get_by_role("radio", name="Contains")).to_be_checked()
    sheet.get_by_role("checkbox", name="Dairy-free").press("Space")
    sheet.get_by_role("textbox", name="Name", exact=True).press("Enter")
    expect(sheet).to_have_count(0)
    expect(page.locator(".mn-item", has_text=name)).to_contain_text("containsgluten cereals")
    expect(page.get_by_role("link", name=name)).to_be_focused()


def _add_as_many_as_one_searches(service: Service, key: str, menu: str) -> None:
    """Add enough dishes for the menu to have a search field."""
    [section] = service.api(key, "svc_menu_items", menu_id=menu)["sections"]
    pizze = [{"section_id": section["id"], "name": f"Pizza {number}", "price": "9.50"} for number in range(1, 6)]
    service.api(key, "svc_menu_save_items", menu_id=menu, items=pizze)


def _names(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".row-name h3").all_inner_texts()]


def _by_arrow_and_by_hand(page: Page) -> None:
    """Move a dish by its arrows, which need no scripts, and by dragging on a wide screen."""
    page.get_by_role("link", name="Bruschetta").click()
    page.get_by_role("dialog").get_by_text("Move item").first.click()
    page.get_by_role("button", name="↑ Move up", exact=True).click()
    expect(page.locator(".row-name h3").nth(1)).to_have_text("Bruschetta")
    page.set_viewport_size({"width": 1280, "height": 900})
    grip = page.get_by_role("button", name="Drag Bruschetta").bounding_box()
    target = page.locator(".mn-item").first.bounding_box()
    assert grip is not None
    assert target is not None
    page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, target["y"] + 2, steps=5)
    with page.expect_response(re.compile("/order$")) as kept:
        page.mouse.up()
    assert kept.value.status == 204
    page.reload()
    assert _names(page) == ["Bruschetta", "Tomato soup", "Mozzarella"]
    page.set_viewport_size(PHONE)


def _read_with_an_allergy(guest: BrowserContext, url: str) -> None:
    """Select an allergen to avoid.

    It is stored only on the phone, no request is sent, and the next visit applies it.
    """
    page = guest.new_page()
    page.goto(url)
    first = page.locator(".dish").first.bounding_box()
    assert first is not None and first["y"] + first["height"] < PHONE["height"], "food before anything else"
    assert_accessible(page)
    assert_german(page)
    expect(page.locator("main")).to_contain_text("6,50\u00a0€")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("searchbox", name="Karte durchsuchen").fill("soup")
    expect(page.locator(".dish:visible")).to_have_count(1)
    page.get_by_role("searchbox", name="Karte durchsuchen").fill("")
    page.get_by_text("Ernährung und Allergien").click()
    page.get_by_role("checkbox", name="Milch", exact=True).check()
    expect(page.get_by_text("Mozzarella")).to_be_hidden()
    expect(page.locator(".dish", has_text="Tomato soup")).to_contain_text(
        "Keine Angabe zu: Milch. Bitte fragen Sie uns."
    )
    expect(page.locator(".dish", has_text="Bruschetta").locator("[data-ask]")).to_be_hidden()
    expect(page.get_by_role("status")).to_contain_text("1 ausgeblendet.")
    page.get_by_role("checkbox", name="Vegetarisch").check()
    assert_accessible(page)
    assert asked == []
    assert json.loads(page.evaluate("localStorage.getItem('menu-wishes')")) == {
        "diet": ["vegetarian"],
        "avoid": ["milk"],
    }
    page.reload()
    expect(page.get_by_text("Mozzarella")).to_be_hidden()
    assert page.url == url
    page.get_by_text("Ernährung und Allergien").click()
    page.get_by_role("link", name="Zurücksetzen").click()
    expect(page.get_by_text("Mozzarella")).to_be_visible()
    page.goto(f"{url}/print")
    assert_accessible(page)
    expect(page.locator("body")).to_contain_text("Glutenhaltiges Getreide")
    page.close()


def _read_without_script(chromium: Browser, url: str) -> None:
    context = chromium.new_context(**GUEST, user_agent="Googlebot", java_script_enabled=False)
    page = context.new_page()
    page.goto(url)
    page.get_by_text("Ernährung und Allergien").click()
    page.get_by_role("checkbox", name="Milch", exact=True).check()
    page.get_by_role("button", name="Anwenden").click()
    expect(page.get_by_text("Mozzarella")).to_be_hidden()
    expect(page.locator(".dish", has_text="Tomato soup")).to_contain_text(
        "Keine Angabe zu: Milch. Bitte fragen Sie uns."
    )
    context.close()
