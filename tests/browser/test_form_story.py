"""A form for guests on a phone, in German: questions follow the answers, and pages turn both ways.

A file and a drawn signature are sent, and hidden fields are not. It runs again without scripts, and with one question
at a time.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.pages import GUEST, assert_accessible, assert_german
from tests.browser.website import Site, website
from workspace.testing.service import Service

FIELDS: dict[str, list[dict[str, Any]]] = {
    "besuch": [
        {"label": "Ihr Name", "key": "name", "required": True},
        {"label": "Wie viele sind Sie?", "key": "guests", "type": "integer", "min": 1, "max": 12, "required": True},
        {"label": "Kommen Kinder mit?", "key": "kids", "type": "yes_no", "required": True},
        {"label": "Wie viele Kinder?", "key": "kids_n", "type": "integer", "required": True,
         "show_if": {"field": "kids", "is": True}},
        {"label": "Menü", "key": "menu", "type": "single_choice", "other": True,
         "options": [{"label": "Garten", "score": 28.5}, {"label": "Grill", "score": 31}]},
        {"label": "Preis in Euro", "key": "price", "type": "calculated", "formula": "{guests} * {menu} - {kids_n} * 5"},
    ],
    "plan": [
        {"label": "Ihr Plan für die Tische", "key": "plan", "type": "file", "accept": ["image"], "required": True},
        {"label": "Wie wichtig ist Ihnen Ruhe?", "key": "calm", "type": "rating"},
    ],
    "ja": [
        {"label": "Unterschrift", "key": "sign", "type": "signature", "required": True},
        {"label": "Das Café darf mir schreiben.", "key": "ok", "type": "consent", "required": True},
    ],
}  # fmt: skip


def test_guests_fill_in_a_form_on_a_phone(service: Service, chromium: Browser, tmp_path: Path) -> None:
    made = json.loads(service.operate("account", "create", "form@example.com", "--name", "Café Eck", "--json"))
    key = str(made["api_key"])
    pages = [{"key": name, "title": name.title(), "fields": fields} for name, fields in FIELDS.items()]
    form = service.api(key, "svc_form_create", title="Ein Abend bei uns", pages=pages)
    photo = tmp_path / "plan.jpg"
    Image.new("RGB", (400, 300), "teal").save(photo)
    photo.with_name("plan.txt").write_text("Four tables")

    with_script, without = chromium.new_context(**GUEST), chromium.new_context(**GUEST, java_script_enabled=False)
    try:
        _with_script(with_script.new_page(), form["public_url"], photo)
        _without_script(without.new_page(), form["public_url"], photo)
        with website("localhost") as shop:  # another site than our pages: browsers isolate its frames
            code = service.api(key, "svc_form_edit", id=form["id"], hosts=[shop.address])
            _on_a_website(chromium, shop, code, photo)
        # the same form, one question at a time
        service.api(key, "svc_form_edit", id=form["id"], one_at_a_time=True)
        _one_at_a_time(with_script.new_page(), form["public_url"])
    finally:
        with_script.close()
        without.close()

    third, second, first = service.api(key, "svc_form_responses", id=form["id"])["items"]
    assert [third["answers"][key] for key in ("name", "kids_n", "price", "ok")] == ["Cy", 1, 57, True]
    assert [file["name"] for file in third["files"]] == ["plan.jpg"]
    drawn = first["answers"]["sign"].pop("drawn")
    assert drawn and all(0 <= point <= 1000 for stroke in drawn for point in stroke)
    told = {"name": "Ida Stern", "guests": 4, "kids": False, "menu": "Grill", "price": 124, "calm": 4, "ok": True}
    assert {**first["answers"], "plan": None} == {**told, "plan": None, "sign": {"name": "Ida Stern"}}
    assert [file["name"] for file in first["files"]] == ["plan.jpg"]
    told = {"name": "Bo Lang", "guests": 2, "kids": True, "kids_n": 1, "menu": "Suppe", "price": -5, "ok": True}
    assert {**second["answers"], "plan": None} == {**told, "plan": None, "sign": {"name": "Bo Lang"}}


def _with_script(page: Page, url: str, photo: Path) -> None:
    sent: list[Request] = []
    problems: list[str] = []
    page.on("request", lambda request: sent.append(request) if request.is_navigation_request() else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if "Content Security" in said.text else None)
    page.goto(url)
    assert_german(page)
    expect(page.locator(".fm-way")).to_contain_text("Seite 1 von 3")
    children = page.get_by_label("Wie viele Kinder?")
    expect(children).to_be_hidden()
    page.get_by_label("Ja", exact=True).check()
    expect(children).to_be_visible()
    children.fill("2")
    page.get_by_label("Wie viele sind Sie?").fill("14")
    page.get_by_label("Grill").check()
    expect(page.locator("output")).to_have_text("424")
    page.get_by_label("Nein", exact=True).check()  # hidden input is stored here, does not count and is not sent
    expect(children).to_be_hidden()
    expect(page.locator("output")).to_have_text("434")

    page.get_by_role("button", name="Weiter").click()
    wrong = page.get_by_role("alert")
    expect(wrong).to_be_focused()
    expect(wrong).to_contain_text("Ihr Name: Bitte beantworten Sie diese Frage")
    expect(wrong).to_contain_text("Wie viele sind Sie?: Höchstens 12")
    assert_accessible(page)
    wrong.get_by_role("link", name="Ihr Name").click()
    expect(page.get_by_label("Ihr Name")).to_be_focused()
    page.keyboard.type("Ida Stern")
    page.get_by_label("Wie viele sind Sie?").fill("4")

    page.reload()  # an interruption
    expect(page.get_by_label("Ihr Name")).to_have_value("Ida Stern")
    expect(page.get_by_label("Grill")).to_be_checked()
    expect(page.locator(".fm-kept")).to_contain_text("bleiben auf diesem Gerät")
    page.get_by_role("button", name="Weiter").click()
    expect(page.locator(".fm-way")).to_contain_text("Seite 2 von 3")
    page.go_back()
    expect(page.get_by_label("Ihr Name")).to_have_value("Ida Stern")
    page.get_by_role("button", name="Weiter").click()
    page.get_by_label("Ihr Plan für die Tische").set_input_files(photo.with_name("plan.txt"))
    expect(page.get_by_role("alert")).to_have_text("Bitte wählen Sie eine Datei dieser Typen: Bilder")
    page.get_by_label("Ihr Plan für die Tische").set_input_files(photo)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("4 von 5").locator("..").click()
    page.set_viewport_size({"width": 320, "height": 640})
    for one in page.locator(".fm-stars label, .button:visible").all():
        box = one.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    page.set_viewport_size(GUEST["viewport"])
    page.get_by_role("button", name="Weiter").click()
    _draw_signature(page)
    page.get_by_label("Unterschrift", exact=True).fill("Ida Stern")
    page.get_by_label("Das Café darf mir schreiben.").check()
    assert_accessible(page)
    assert all(one.method == "GET" for one in sent)  # nothing is sent before the last page
    names = page.evaluate("[...new FormData(document.querySelector('form')).keys()]")
    assert "f-guests" in names and "f-kids_n" not in names
    page.wait_for_timeout(2100)  # people take longer than this
    page.get_by_role("button", name="Absenden").click()
    expect(page.locator("main")).to_contain_text("Ihre Antworten sind angekommen")
    expect(page.locator("main")).to_contain_text("Ihre Referenznummer ist")
    while page.evaluate("Object.keys(localStorage).length"):
        page.wait_for_timeout(50)
    assert_accessible(page)
    assert not problems, problems
    page.close()


def _draw_signature(page: Page) -> None:
    page.get_by_role("button", name="Stattdessen zeichnen").click()
    canvas = page.locator("canvas")
    expect(canvas).to_be_visible()
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 40)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(box["x"] + 30 + 25 * step, box["y"] + 40 + (20 if step % 2 else 0))
    page.mouse.up()
    page.wait_for_function("document.querySelector('[data-drawn]').value")


def _without_script(page: Page, url: str, photo: Path) -> None:
    page.goto(url)
    assert_german(page)
    page.get_by_label("Ihr Name").fill("Bo Lang")
    page.get_by_label("Wie viele sind Sie?").fill("2")
    page.get_by_label("Ja", exact=True).check()
    page.get_by_label("Etwas anderes").first.check()
    page.get_by_role("textbox", name="Etwas anderes").fill("Suppe")
    page.get_by_role("button", name="Weiter").click()
    expect(page.get_by_role("alert")).to_contain_text("Wie viele Kinder?: Bitte beantworten Sie diese Frage")
    page.get_by_label("Wie viele Kinder?").fill("1")
    page.get_by_role("button", name="Weiter").click()
    expect(page.locator("output")).to_have_text("-5")
    page.get_by_role("button", name="Weiter").click()
    expect(page.locator(".fm-way")).to_contain_text("Seite 2 von 3")
    page.go_back()
    expect(page.get_by_label("Ihr Name")).to_have_value("Bo Lang")
    page.go_forward()
    page.get_by_label("Ihr Plan für die Tische").set_input_files(photo)
    page.get_by_role("button", name="Weiter").click()
    page.get_by_role("button", name="Absenden").click()
    expect(page.get_by_role("alert")).to_contain_text("Unterschrift: Bitte unterschreiben Sie")
    page.get_by_label("Unterschrift", exact=True).fill("Bo Lang")
    page.get_by_label("Das Café darf mir schreiben.").check()
    page.get_by_role("button", name="Absenden").click()
    expect(page.locator("main")).to_contain_text("Ihre Antworten sind angekommen")
    page.close()


def _on_a_website(chromium: Browser, shop: Site, code: dict[str, Any], photo: Path) -> None:
    """Fill in the form in a frame of another site, where the browser allows no cookies and no storage."""
    context = chromium.new_context(**GUEST)
    context.add_init_script(
        "if (top !== self) Object.defineProperty(window, 'localStorage', "
        "{ get() { throw new DOMException('kept apart', 'SecurityError'); } })"
    )
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    script = code["script"].replace(" async", " data-pass async")
    shop.body = f"<!doctype html><html lang=de><title>Shop</title><h1 style='height: 900px'>Shop</h1>{script}"
    try:
        page.goto(f"http://{shop.address}/?name=Cy")
        page.locator("iframe").scroll_into_view_if_needed()
        inside = page.frame_locator("iframe")
        expect(inside.locator(".fm-way")).to_contain_text("Seite 1 von 3")
        expect(inside.get_by_label("Ihr Name")).to_have_value("Cy")
        expect(page.locator("iframe")).to_have_attribute("title", re.compile("Ein Abend bei uns"))
        short = _height_fits(page)
        inside.get_by_role("button", name="Weiter").click()
        expect(inside.get_by_role("alert")).to_contain_text("Kommen Kinder mit?: Bitte beantworten Sie diese Frage")
        assert _height_fits(page) > short
        inside.get_by_label("Wie viele sind Sie?").fill("2")
        inside.get_by_label("Ja", exact=True).check()
        inside.get_by_label("Wie viele Kinder?").fill("1")
        inside.get_by_label("Grill").check()
        expect(inside.locator("output")).to_have_text("57")
        inside.get_by_role("button", name="Weiter").click()
        expect(inside.locator(".fm-way")).to_contain_text("Seite 2 von 3")
        expect(inside.locator("form")).to_be_in_viewport()  # turning a page scrolls to its start
        _height_fits(page)
        inside.get_by_label("Ihr Plan für die Tische").set_input_files(photo)
        inside.get_by_role("button", name="Weiter").click()
        inside.get_by_label("Unterschrift", exact=True).fill("Cy")
        inside.get_by_label("Das Café darf mir schreiben.").check()
        page.wait_for_timeout(2100)
        inside.get_by_role("button", name="Absenden").click()
        expect(inside.locator("main")).to_contain_text("Ihre Antworten sind angekommen")
        _height_fits(page)
        assert page.url == f"http://{shop.address}/?name=Cy" and not context.cookies() and not problems, problems
    finally:
        context.close()
    without = chromium.new_context(**GUEST, java_script_enabled=False)
    try:
        page = without.new_page()
        shop.body = f"<!doctype html><html lang=de><title>Shop</title>{code['iframe']}"
        page.goto(f"http://{shop.address}/plain")
        inside = page.frame_locator("iframe")
        inside.get_by_label("Ihr Name").fill("Di")
        inside.get_by_label("Wie viele sind Sie?").fill("2")
        inside.get_by_label("Nein", exact=True).check()
        inside.get_by_role("button", name="Weiter").click()
        expect(inside.locator(".fm-way")).to_contain_text("Seite 2 von 3")
    finally:
        without.close()


def _height_fits(page: Page) -> int:
    """Wait until the frame is as tall as its content. Return its height."""
    page.wait_for_function("document.querySelector('iframe').height !== '420'")
    frame = page.frames[1]
    for _ in range(600):
        inside = frame.evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
        if abs(int(page.locator("iframe").get_attribute("height") or 0) - inside) <= 1:
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError(f"the frame is not {inside} px high")
    return int(inside)


def _one_at_a_time(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".fm-way")).to_contain_text(re.compile(r"Frage 1 von \d"))
    expect(page.get_by_label("Wie viele sind Sie?")).to_be_hidden()
    page.get_by_label("Ihr Name").fill("Cy")
    page.get_by_label("Ihr Name").press("Enter")
    expect(page.get_by_label("Wie viele sind Sie?")).to_be_focused()
    assert_accessible(page)
    page.go_back()
    expect(page.get_by_label("Ihr Name")).to_have_value("Cy")
    page.get_by_role("button", name="Weiter").click()
    page.get_by_role("button", name="Weiter").click()
    expect(page.get_by_role("alert")).to_have_text("Bitte beantworten Sie diese Frage")
    expect(page.get_by_label("Wie viele sind Sie?")).to_be_focused()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Kommen Kinder mit?")).to_be_visible()
    page.keyboard.press("B")  # "no", and the next question follows automatically
    expect(page.get_by_role("group", name="Menü")).to_be_visible()
    page.get_by_text("Etwas anderes").first.click()  # its text is still missing
    page.get_by_role("textbox", name="Etwas anderes").fill("Suppe")
    page.get_by_text("Grill", exact=True).click()
    expect(page.locator(".fm-way")).to_contain_text("Frage 5 von")
    page.get_by_role("button", name="Zurück").click()
    expect(page.get_by_label("Grill")).to_be_checked()
    assert_accessible(page)
