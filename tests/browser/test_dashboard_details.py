"""Details of the dashboard: messages cover no related element, and the keyboard focus is preserved."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import PHONE, assert_accessible, sign_in_by_link
from workspace.testing.service import Service

LAPTOP = {"width": 1280, "height": 800}
SECTIONS = [
    {"name": f"Course {course}", "items": [{"name": f"Dish {course}.{n}", "price": 5} for n in range(6)]}
    for course in range(5)
]

# Messages become part of the page after nine seconds, which a slow machine needs to show the page.
KEEP_MESSAGES = """const wait = setTimeout;
window.setTimeout = (act, delay, ...more) => delay === 9000 ? 0 : wait(act, delay, ...more);"""


def apart(one: Locator, other: Locator) -> bool:
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    return (
        first["y"] + first["height"] <= second["y"]
        or second["y"] + second["height"] <= first["y"]
        or first["x"] + first["width"] <= second["x"]
        or second["x"] + second["width"] <= first["x"]
    )


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_message_never_hides_what_it_is_about(size: dict[str, int], service: Service, phone: Page) -> None:
    page, email = phone, f"toast{size['width']}@example.com"
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.add_init_script(KEEP_MESSAGES)
    key = service.account(email)["api_key"]
    menu = service.api(key, "svc_menu_create", restaurant_name="Da Gino", sections=SECTIONS)
    sign_in_by_link(page, _way_in(service, email))
    editor = f"{service.url}/app/menu/{menu['menu']['id']}"
    for item in (menu["items"][0], menu["items"][14], menu["items"][-1]):
        page.goto(f"{editor}/items/{item['id']}")
        page.get_by_label("Price", exact=True).first.fill("7,50")
        page.get_by_role("button", name="Save").click()
        message, row = page.locator(".toasts"), page.locator(f"#{item['id']}")
        expect(message).to_contain_text("saved at $7.50")
        expect(message).to_be_in_viewport()
        expect(row).to_be_in_viewport()
        page.wait_for_load_state("load")
        assert apart(message, row), item["name"]
        assert_accessible(page)
    page.goto(f"{editor}/settings")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toasts")).to_be_in_viewport()
    assert apart(page.locator(".toasts"), page.locator("h1"))


def test_the_keyboard_focus_stays_on_the_chosen_style(service: Service, phone: Page) -> None:
    page = phone
    key = service.account("keyboard@example.com")["api_key"]
    code = service.api(key, "svc_qr_create", name="Door", target_url="example.com")
    sign_in_by_link(page, _way_in(service, "keyboard@example.com"))
    page.goto(f"{service.url}/app/qr/{code['id']}/look")
    chosen = page.locator(".presets a").nth(3)
    chosen.focus()
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(chosen).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".presets a").nth(4)).to_be_focused()
    assert_accessible(page)


def _way_in(service: Service, email: str) -> str:
    return next(word for word in service.operate("sign-in", email).split() if word.startswith("http"))
