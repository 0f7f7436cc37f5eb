"""Takes the pictures of the README and of the landing page: the real pages of the demo, on a phone and on a laptop."""

from __future__ import annotations

import io
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests import help_pictures
from tests.browser.pages import QUIET
from tests.help_pictures import saved
from workspace.testing.service import ROOT, Service

SLUG = "SELECT slug FROM publishing_address JOIN"
SEEN = """[...document.images].every(one => !one.getClientRects().length || (one.complete && one.naturalWidth)
  || one.getBoundingClientRect().top > innerHeight || one.getBoundingClientRect().bottom < 0)"""
DOCUMENTED = ("menu", "dishes", "review", "card", "link", "book")
FIRST, SMALL = ("menu", "dishes"), 400  # pictures at the top of the landing page, and their width on phones
DOCS = ROOT / "docs/pictures"
LANDING = ROOT / "src/workspace/dashboard/static/dashboard/landing"
WIDTH, SHARP = 390, 1.4  # the width of a phone, and device pixels per CSS pixel
TALL, SHORT = 800, 520
HOME = "http://cafe-morgenrot.example"  # the address as printed; Chromium is configured to resolve it


def settled(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")


def guests(browser: Browser, pages: dict[str, tuple[str, int]]) -> None:
    """Take pictures of guest pages in light and dark mode."""
    for scheme in ("light", "dark"):
        context = browser.new_context(
            viewport={"width": WIDTH, "height": TALL},
            device_scale_factor=SHARP,
            color_scheme=scheme,  # type: ignore[arg-type]  # one of its values
            reduced_motion="reduce",
            locale="en-GB",
            bypass_csp=True,
        )
        page = context.new_page()
        for name, (address, height) in pages.items():
            page.set_viewport_size({"width": WIDTH, "height": height})
            settled(page, HOME + address)
            if name == "dishes":  # scroll to the dishes
                page.get_by_role("heading", name="Cakes").first.evaluate("it => it.scrollIntoView()")
                page.evaluate("scrollBy(0, -16)")
                page.wait_for_function(SEEN)
            if name == "review":
                page.locator("label:has(input[value='5']), label[for$='5']").first.click()
            shot = page.screenshot()
            saved(shot, LANDING / f"{name}-{scheme}.webp")
            if name in FIRST:
                _save_small(shot, LANDING / f"{name}-{scheme}-{SMALL}.webp")
            if scheme == "light" and name in DOCUMENTED:
                saved(page.screenshot(), DOCS / f"{name}.webp", 80)
        context.close()


def _save_small(shot: bytes, path: Path) -> None:
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture = picture.resize((SMALL, round(picture.height * SMALL / picture.width)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, "PNG")
    saved(out.getvalue(), path)


def owner(browser: Browser, way_in: str, code: str, menu: str) -> None:
    """Take pictures of the owner's pages on a laptop."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 860}, reduced_motion="reduce", locale="en-GB", bypass_csp=True
    )
    page = context.new_page()
    page.goto(way_in)
    button = page.locator("main form button").first
    if button.count():
        button.click()
    page.wait_for_url("**/app**")
    settled(page, f"{HOME}/app")
    saved(page.screenshot(), DOCS / "home.webp")
    settled(page, f"{HOME}/app/qr/{code}/look")
    saved(page.screenshot(), DOCS / "code.webp")
    settled(page, f"{HOME}/app/menu/{menu}/share?kind=poster&call_to_action=See+our+menu")
    paper = page.locator("#paper-seen")
    paper.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('#paper-seen').naturalWidth > 0")
    poster: Any = page.evaluate(
        "fetch(document.querySelector('#paper-seen').src).then(answer => answer.arrayBuffer())"
        ".then(bytes => [...new Uint8Array(bytes)])"
    )
    kept = bytes(poster)
    if kept.lstrip().startswith(b"<"):
        kept = _take_screenshot(page, kept)
    saved(kept, DOCS / "poster.webp", 80)
    poster_small = Image.open(io.BytesIO(kept)).convert("RGB")
    poster_small.thumbnail((546, 772))
    out = io.BytesIO()
    poster_small.save(out, "PNG")
    saved(out.getvalue(), LANDING / "qr-light.webp", 80)
    context.close()


def _take_screenshot(page: Page, picture: bytes) -> bytes:
    page.set_viewport_size({"width": 900, "height": 1300})
    page.set_content(picture.decode())
    page.evaluate("document.querySelector('svg').style.width = '900px'")
    return page.locator("svg").first.screenshot()


def main() -> None:
    service = Service(WORKSPACE_BASE_URL=HOME, WORKSPACE_LAN_ACCESS="on", WORKSPACE_DATABASE_URL="").migrate()
    try:
        service.operate("demo")
        way_in = re.search(r"http\S+", service.operate("sign-in", "demo@example.com"))
        assert way_in
        with sqlite3.connect(service.folder / "workspace.sqlite3") as database:
            found = database.execute("SELECT kind, slug FROM publishing_address ORDER BY slug").fetchall()
            [menu] = database.execute("SELECT id FROM menu_menu").fetchone()
            [code] = database.execute("SELECT id FROM qr_code WHERE name LIKE 'Menu%'").fetchone()
            [card] = database.execute(
                f"{SLUG} card_card t USING (publication_id) WHERE full_name LIKE 'Marta%'"
            ).fetchone()
            [bid] = database.execute(
                f"{SLUG} bid_proposal t USING (publication_id) WHERE title LIKE '%day%'"
            ).fetchone()
            paper = database.execute("SELECT code FROM certs_certificate ORDER BY id LIMIT 1").fetchone()[0]
        slugs = dict(found)
        service.start()
        where = [f"--host-resolver-rules=MAP {HOME.removeprefix('http://')}:80 127.0.0.1:{service.port}"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*QUIET, *where])
            owner(browser, way_in[0], code, menu)
            again = re.search(r"http\S+", service.operate("sign-in", "demo@example.com"))
            assert again
            help_pictures.take_pictures(
                browser, HOME, again[0], help_pictures.things(service.folder / "workspace.sqlite3")
            )
            guests(
                browser,
                {
                    "menu": (f"/m/{slugs['menu']}", TALL),
                    "dishes": (f"/m/{slugs['menu']}", TALL),
                    "card": (f"/c/{card}", SHORT),
                    "link": (f"/l/{slugs['link']}", SHORT),
                    "review": (f"/r/{slugs['review']}", SHORT),
                    "quote": (f"/p/{bid}", SHORT),
                    "form": (f"/f/{slugs['form']}", SHORT),
                    "waiver": (f"/w/{slugs['waiver']}", SHORT),
                    "cert": (f"/v/{paper}", SHORT),
                    "book": (f"/b/{slugs['book']}", SHORT),
                    "program": (f"/e/{slugs['program']}", SHORT),
                    "seat": (f"/s/{slugs['seat']}", SHORT),
                },
            )
            browser.close()
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
