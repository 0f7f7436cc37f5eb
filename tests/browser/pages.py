"""What the stories in a browser share: what a guest's browser is like, and what holds of every page."""

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
expect.set_options(timeout=60_000)  # a busy machine is slow, and nothing here is about speed
PHONE = {"width": 390, "height": 844}
# The guests of the stories read German on a phone; their owners write English.
GUEST: dict[str, Any] = {"viewport": PHONE, "device_scale_factor": 2, "locale": "de-AT", "reduced_motion": "reduce"}
# without what axe looks up beyond violations: style sheets again, a selector for each element, what it passes
CHEAP: dict[str, Any] = {
    "resultTypes": ["violations"],
    "reporter": "no-passes",
    "preload": False,
    "selectors": False,
}
FIND_SERIOUS = """async options => (await axe.run(options)).violations
    .filter(found => ["serious", "critical"].includes(found.impact))
    .map(found => [found.id, found.nodes.slice(0, 3).map(node => node.html.slice(0, 160))])"""


def assert_german(page: Page) -> None:
    """A page of guests' that speaks German from its language to its foot, and fits a phone."""
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("body")).to_contain_text(re.compile("Diese (Seite|Visitenkarte) melden"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def assert_accessible(page: Page) -> None:
    """No serious or critical violation that axe can find."""
    if not page.evaluate("'axe' in window"):  # its 570 kB stay in the document until the next one
        page.evaluate(AXE_SCRIPT)
    serious = page.evaluate(FIND_SERIOUS, CHEAP)
    assert not serious, (page.url, serious)
