"""A proposal at a phone's width: the owner creates and sends it, a client chooses and signs in German.

The owner sees the decision, and the signed PDF is recognized when it is uploaded.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.pages import PHONE, assert_accessible, sign_in_by_link
from workspace.testing.service import Service

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


def test_a_proposal_is_created_signed_and_verified(
    service: Service, phone: Page, chromium: Browser, tmp_path: Path
) -> None:
    made = service.operate("account", "create", "bid@example.com", "--name", "Corner Café", "--admin", "--json")
    sign_in_by_link(phone, json.loads(made)["sign_in_link"])
    own, link = _make_and_send(service, phone)

    client = chromium.new_context(
        viewport=PHONE, user_agent=IPHONE, locale="de-DE", reduced_motion="reduce", accept_downloads=True
    )
    try:
        pdf = _choose_and_sign(client, link, tmp_path)
        _bring_it_back(client, service, pdf)
    finally:
        client.close()

    phone.goto(f"{own}/timeline")
    for words in ("Approved: $1,974.35", "Ada Berger", "Espresso bar", "Intact", "Opened on a phone", "Drawn"):
        expect(phone.locator("main")).to_contain_text(words)
    assert_accessible(phone)


def _make_and_send(service: Service, page: Page) -> tuple[str, str]:
    page.goto(f"{service.url}/app/bid")
    page.get_by_role("link", name="Create proposal").click()
    assert_accessible(page)
    page.get_by_label("Title").fill("Garden party")
    page.get_by_label("Client", exact=False).first.fill("Ada Berger")
    page.get_by_role("button", name="Create proposal").click()
    page.wait_for_url(re.compile(r"/app/bid/bid_\w+\?made"))
    own = page.url.partition("?")[0]
    lines = page.locator(".pl-lines")
    names, prices = lines.get_by_label("Name", exact=True), lines.get_by_label("Price", exact=True)
    names.nth(0).fill("Buffet")
    lines.get_by_label("Quantity").nth(0).fill("60")
    prices.nth(0).fill("28,50")
    expect(lines.locator("[data-echo]").first).to_contain_text("28.5")
    prices.nth(0).press("Enter")
    expect(names.nth(1)).to_be_focused()
    page.keyboard.type("Espresso bar")
    prices.nth(1).fill("109.6750")
    page.locator(".pl-more summary").nth(1).click()
    page.get_by_label("Optional for the client").nth(1).check()
    expect(page.locator("[data-amount]").nth(0)).to_have_text("$1,710.00")  # the amounts follow what is typed
    expect(page.locator("[data-amount]").nth(1)).to_have_text("$109.68")
    names.nth(1).focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(names.nth(0)).to_have_value("Espresso bar")
    page.keyboard.press("Alt+ArrowDown")
    page.locator("summary", has_text="Tax").click()
    page.get_by_label("Tax", exact=True).fill("8,5")
    page.get_by_role("button", name="Add package").click()
    expect(page.locator("#f-packages-0-name")).to_be_focused()  # it remains empty
    expect(page.locator("[data-total]")).to_have_text("$1,855.35")
    expect(page.locator('[data-value="tax"]')).to_have_text("8.5\u00a0%")
    assert_accessible(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toasts")).to_contain_text("Proposal saved.")
    assert_accessible(page)
    page.get_by_role("button", name="Save and continue").click()
    page.wait_for_url(re.compile("/send$"))
    page.get_by_role("button", name="Mark as sent").click()
    expect(page.locator(".toasts")).to_contain_text("Marked as sent")
    assert_accessible(page)
    link = page.locator(".copy-text").first.inner_text()
    return own, link


def _choose_and_sign(context: BrowserContext, link: str, folder: Path) -> Path:
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(link)
    assert_accessible(page)
    expect(page.locator("[data-total]")).to_have_text("1.855,35\u00a0$")
    page.get_by_text("Espresso bar").click()
    expect(page.locator("[data-total]")).to_have_text("1.974,35\u00a0$")
    page.get_by_label("Ihr voller Name").fill("Ada Berger")
    page.get_by_label("E-Mail", exact=True).fill("ada@example.com")
    page.get_by_role("button", name="Stattdessen zeichnen").click()
    canvas = page.locator("canvas")
    canvas.scroll_into_view_if_needed()
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 90, steps=8)
    page.mouse.up()
    expect(page.locator("[data-drawn]")).not_to_have_value("")
    page.get_by_text("Ich habe dieses Angebot").click()
    assert_accessible(page)
    # a form filled in faster than people can is delayed
    came = "performance.getEntriesByType('navigation')[0].responseEnd"
    page.evaluate(f"new Promise((resume) => setTimeout(resume, Math.max(0, 2500 + {came} - performance.now())))")
    page.get_by_role("button", name="Für 1.974,35\u00a0$ annehmen").click()
    expect(page.locator("main")).to_contain_text("Angenommen. Vielen Dank!")
    copy = page.get_by_role("link", name="Unterschriebenes PDF laden")
    expect(copy).to_be_visible()  # the worker signs it, and the page updates itself
    assert_accessible(page)
    with page.expect_download() as loading:
        copy.click()
    kept = folder / "signed.pdf"
    loading.value.save_as(kept)
    assert not problems
    return kept


def _bring_it_back(context: BrowserContext, service: Service, pdf: Path) -> None:
    page = context.new_page()
    changed = pdf.with_name("changed.pdf")
    content = bytearray(pdf.read_bytes())
    content[content.index(b"stream") + 40] ^= 1
    changed.write_bytes(content)
    for file, heading in ((pdf, "Genau diese Datei"), (changed, "Geändert")):
        page.goto(f"{service.url}/verify")
        assert_accessible(page)
        page.get_by_label(re.compile("PDF")).set_input_files(file)
        page.get_by_role("button", name="Prüfen").click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        assert_accessible(page)
