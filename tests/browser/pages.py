"""Shared code of the browser tests: a guest's browser, and assertions for every page."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=60_000)  # a busy machine is slow, and these tests measure no speed
PHONE = {"width": 390, "height": 844}
# The guests of these tests read German on a phone. Their owners write English.
GUEST: dict[str, Any] = {"viewport": PHONE, "device_scale_factor": 2, "locale": "de-AT", "reduced_motion": "reduce"}
# without expensive extras of axe: style sheets again, a selector for each element, passed rules
CHEAP: dict[str, Any] = {
    "resultTypes": ["violations"],
    "reporter": "no-passes",
    "preload": False,
    "selectors": False,
}
FIND_SERIOUS = """async options => (await axe.run(options)).violations
    .filter(found => ["serious", "critical"].includes(found.impact))
    .map(found => [found.id, found.nodes.slice(0, 3).map(node => node.html.slice(0, 160))])"""

# clicks of a pointer, and neither those of the keyboard nor those of scripts
COUNT_CLICKS = """addEventListener("click", (event) => {
    if (event.isTrusted && event.detail) sessionStorage.clicks = Number(sessionStorage.clicks || 0) + 1;
}, true)"""


def sign_in_by_link(page: Page, link: str) -> None:
    """Open a sign-in link, and wait until the person is signed in: another navigation would interrupt that."""
    page.goto(link)
    opened = page.url
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: url != opened)


def assert_german(page: Page) -> None:
    """Assert that a guest page is in German and fits a phone."""
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("body")).to_contain_text(re.compile("Diese (Seite|Visitenkarte) melden"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def assert_accessible(page: Page) -> None:
    """Assert that axe finds no serious or critical violation."""
    if not page.evaluate("'axe' in window"):  # its 570 kB stay loaded until the next document
        page.evaluate(AXE_SCRIPT)
    serious = page.evaluate(FIND_SERIOUS, CHEAP)
    assert not serious, (page.url, serious)


def start_counting_clicks(page: Page) -> None:
    """Count the clicks on this page and on the next ones in the same tab."""
    page.add_init_script(COUNT_CLICKS)
    page.evaluate(COUNT_CLICKS)


def count_clicks(page: Page) -> int:
    """Return the number of clicks since `start_counting_clicks`. Fail if there were none, so a broken count is seen."""
    return int(page.evaluate("sessionStorage.clicks"))
