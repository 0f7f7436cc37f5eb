"""Certificates in a browser: a template is designed next to its picture, and its parts are dragged on it.

A list is issued after its columns are identified. One of the certificates is verified on a phone in German, with its
badge.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import GUEST, assert_accessible, sign_in_by_link
from workspace.testing.service import Service

PEOPLE = "Full Name;E-Mail;Day\nAda King;;3/4/2026\nعبد الرحمن بن محمد;;5/4/2026\n"


def test_a_template_is_designed_and_a_list_is_issued_and_verified(
    service: Service, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    made = service.operate("account", "create", "certs@example.com", "--name", "Harbour School", "--admin", "--json")
    sign_in_by_link(phone, json.loads(made)["sign_in_link"])
    home = _design(service, phone)
    _issue(phone, home, tmp_path)

    client = chromium.new_context(**GUEST)
    try:
        _verify(client.new_page(), phone, home, tmp_path)
    finally:
        client.close()


def _design(service: Service, page: Page) -> str:
    page.goto(f"{service.url}/app/certs/new")
    assert_accessible(page)
    page.get_by_text("Night", exact=True).click()
    page.get_by_label("Template name").fill("Sailing")
    page.get_by_role("button", name="Create template").click()
    page.wait_for_url(re.compile(r"/app/certs/ctm_\w+\?made"))
    home = page.url.partition("?")[0]
    seen = page.locator("[data-seen]")
    page.get_by_label("Text below the name").fill("has sailed {corse}")
    expect(page.locator("[data-told]")).to_contain_text("{corse} isn’t a placeholder")
    page.get_by_label("Text below the name").fill("has sailed {course}")
    expect(page.locator("[data-told]")).not_to_contain_text("isn’t a placeholder")
    expect(seen).to_have_attribute("src", re.compile("^data:image/png"))
    page.get_by_label("Signer’s name").first.fill("Marta Holm")
    page.get_by_role("button", name="Draw signature").first.click()
    pad = page.locator("[data-pad] canvas").first
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 60)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(box["x"] + 20 + 8 * step, box["y"] + 60 + 20 * (step % 3))
    page.mouse.up()
    page.get_by_role("button", name="Use signature").first.click()
    expect(page.locator(".taken img").last).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Design saved.")).to_be_visible()
    expect(page.get_by_label("Signer’s name").first).to_have_value("Marta Holm")
    _place(page)
    return home


def _place(page: Page) -> None:
    """Drag parts, let them snap, nudge them by keyboard and reset them. The positions are saved."""
    page.get_by_text("Custom layout").click()
    name = page.locator(".certs-box[data-part=name]")
    shown = page.locator("[data-seen]").get_attribute("src")
    box = name.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 22, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(page.locator("[data-seen]")).not_to_have_attribute("src", shown or "")
    left, top = _read_position(page, "x"), _read_position(page, "y")
    assert left == 10, "two pixels beside the middle it snaps to it"
    assert 48 < top < 54
    name.press("ArrowDown")
    name.press("Shift+ArrowRight")
    assert (_read_position(page, "x"), _read_position(page, "y")) == (left + 5, top + 0.5)
    name.press("Control+z")
    name.press("Control+z")
    assert (_read_position(page, "x"), _read_position(page, "y")) == (left, top)
    name.press("Control+Shift+z")
    grip = name.locator("[data-handle=se]")
    at = grip.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 5, at["y"] + 5)
    page.mouse.down()
    page.mouse.move(at["x"] - 60, at["y"] + 5, steps=4)
    page.mouse.up()
    assert _read_position(page, "width") < 70
    page.locator(".certs-box[data-part=seal]").press("Delete")
    assert_accessible(page)
    page.locator(".toasts").evaluate("message => message.remove()")  # of the first save
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Design saved.")).to_be_visible()
    assert _read_position(page, "y", "name") == top + 0.5
    expect(page.locator(".certs-box[data-part=seal]")).to_be_hidden()


def _read_position(page: Page, key: str, part: str = "name") -> float:
    return float(page.locator(f"[data-place][data-part={part}] [data-key={key}]").input_value())


def _issue(page: Page, home: str, folder: Path) -> None:
    (folder / "people.csv").write_bytes(PEOPLE.encode("utf-16"))
    page.goto(f"{home}/issue")
    page.get_by_label("Course", exact=True).fill("Tides")
    page.set_input_files("#file", folder / "people.csv")  # shows the preview
    page.get_by_label("Field for Day").select_option("date")
    page.get_by_role("button", name="Update preview").click()
    page.get_by_text("Day first").click()
    assert_accessible(page)
    page.get_by_role("button", name="Update preview").click()
    expect(page.get_by_role("heading", name="2 certificates will be issued")).to_be_visible()
    page.get_by_role("button", name="Issue 2 certificates").click()
    expect(page.locator(".job")).to_contain_text("Done")
    assert_accessible(page)


def _verify(guest: Page, owner: Page, home: str, folder: Path) -> None:
    owner.goto(f"{home}/issued?q=Ada")
    owner.get_by_role("link", name="Ada King").click()
    code = owner.locator("dl.facts a").first.inner_text()
    root = home.partition("/app")[0]
    guest.goto(f"{root}/v/{code.lower()}")
    expect(guest.get_by_role("heading", level=1)).to_have_text("Dieses Zertifikat ist gültig")
    expect(guest.locator("main")).to_contain_text("3. April 2026")
    assert_accessible(guest)
    with guest.expect_download() as taken:
        guest.get_by_role("link", name="Open Badge als JSON").click()
    taken.value.save_as(folder / "badge.json")
    guest.goto(f"{root}/verify")
    guest.set_input_files("#file", folder / "badge.json")
    guest.get_by_role("button", name="Prüfen").click()
    expect(guest.locator("main")).to_contain_text("Wort für Wort")
    owner.get_by_label("Reason").fill("Not passed")
    owner.get_by_role("button", name="Revoke", exact=True).click()
    expect(owner.get_by_text("Certificate revoked.")).to_be_visible()
    guest.goto(f"{root}/v/{code}")
    expect(guest.get_by_role("heading", level=1)).to_have_text("Dieses Zertifikat wurde widerrufen")
    expect(guest.locator("main")).to_contain_text("Not passed")
