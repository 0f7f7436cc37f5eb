"""Takes the pictures of the articles of `/help`: the real pages of the demo, as an owner sees them on a laptop."""

from __future__ import annotations

import io
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from workspace.support import help_articles
from workspace.testing.service import ROOT

FOLDER = ROOT / "src/workspace/interfaces/static/help"
SIZE: ViewportSize = {"width": 1240, "height": 660}
# the demo item shown in a picture, by the keyword in the article's `picture`
THINGS = {
    "qr": "SELECT id FROM qr_code WHERE name LIKE 'Menu%'",
    "link": "SELECT id FROM links_page",
    "card": "SELECT id FROM card_card WHERE full_name LIKE 'Marta%'",
    "menu": "SELECT id FROM menu_menu",
    "review": "SELECT id FROM reviews_reviewpage",
    "quote": "SELECT id FROM bid_proposal WHERE title LIKE '%day%'",
    "form": "SELECT id FROM form_form",
    "waiver": "SELECT id FROM waiver_waiver",
    "book": "SELECT id FROM booking_bookingpage",
    "cert": "SELECT id FROM certs_template",
    "program": "SELECT id FROM event_event",
    "seat": "SELECT id FROM seat_chart",
}
CERTIFICATE_NAMES = "Ada Lovelace\nBen Okafor\nClara Fischer\nDaniel Moreau"
QR_CODE_LINES = "\n".join(f"Table {number}, example.com/menu?table={number}" for number in range(1, 7))


def saved(shot: bytes, path: Path, quality: int = 72) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(shot)).convert("RGB").save(path, quality=quality, method=6)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")


def things(database: Path) -> dict[str, str]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as kept:
        return {name: kept.execute(f"{statement} LIMIT 1").fetchone()[0] for name, statement in THINGS.items()}


def take_pictures(browser: Browser, home: str, way_in: str, ids: dict[str, str], only: str = "") -> None:
    """Take the pictures. `way_in` is a URL that signs in once. `only` names one article."""
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce", locale="en-GB", bypass_csp=True)
    page = context.new_page()
    page.goto(way_in)
    if page.locator("main form button").count():
        page.locator("main form button").first.click()
    page.wait_for_url("**/app**")
    _work(page, home)
    for one in help_articles.list_articles():
        if one.picture and only in ("", one.slug):
            _take_picture(page, home + re.sub(r"{(\w+)}", lambda found: ids[found[1]], one.picture), one.slug)
    context.close()


def _work(page: Page, home: str) -> None:
    """Make some changes, so that the history has content to show."""
    page.goto(f"{home}/app/card/new")
    page.get_by_label("Name", exact=True).fill("Jonas Weber")
    page.get_by_role("button", name="Create card").click()
    page.wait_for_url("**/app/card/card_*")
    page.goto(f"{home}/app/menu/new")
    page.get_by_label("Business name").fill("Winter menu")
    page.get_by_role("button", name="Create menu").click()
    page.wait_for_url("**/app/menu/menu_*")
    page.goto(page.url.split("?")[0] + "/delete")
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(lambda address: "/delete" not in address)
    page.goto(f"{home}/app/account")
    page.get_by_label("Currency").select_option(index=3)
    page.get_by_role("button", name="Save profile").click()
    page.wait_for_load_state("networkidle")


def _find_person(page: Page) -> None:
    page.get_by_label("Email address").fill("amira@example.net")
    page.get_by_role("button", name="Find data").click()
    page.wait_for_load_state("networkidle")
    page.get_by_role("heading", name="Data about").evaluate("it => it.scrollIntoView({behavior: 'instant'})")


def _check_list(page: Page) -> None:
    page.locator("main textarea").fill(QR_CODE_LINES)
    page.get_by_role("button", name="Check list").click()
    page.wait_for_load_state("networkidle")


def _fill_in_names(page: Page) -> None:
    page.locator("main textarea").first.fill(CERTIFICATE_NAMES)
    page.evaluate("document.activeElement.blur()")


def _find_busy_day(page: Page) -> None:
    """Go to a day with a booking and available times, so that times with and without a reason are shown."""
    for _ in range(14):
        if page.locator(".bo-timeline a").count() and page.locator(".bo-timeline [data-what=open]").count():
            return
        page.get_by_role("link", name="Next day").click()
        page.wait_for_load_state("networkidle")


# what an owner does on the page before the picture is taken, by the article's slug
ACTS: dict[str, Callable[[Page], None]] = {
    "guests-data": _find_person,
    "issue-certificates": _fill_in_names,
    "many-codes-at-once": _check_list,
    "why-is-a-time-not-free": _find_busy_day,
}


def _take_picture(page: Page, address: str, slug: str) -> None:
    page.goto("about:blank")  # a URL that differs only in its fragment would not reload the page
    answer = page.goto(address)
    assert answer is not None and answer.status == 200, (address, answer and answer.status)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    if "#" in address:
        page.evaluate("document.activeElement.blur()")
        page.locator(":target").evaluate("it => it.scrollIntoView({block: 'center', behavior: 'instant'})")
    if slug in ACTS:
        ACTS[slug](page)
    main: Any = page.locator("main").bounding_box()
    left = main["x"] if main["x"] > 100 else 0  # beside the navigation
    saved(
        page.screenshot(clip={"x": left, "y": 0, "width": SIZE["width"] - left, "height": SIZE["height"]}),
        FOLDER / f"{slug}.webp",
        62,
    )
