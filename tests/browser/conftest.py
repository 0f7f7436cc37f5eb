"""Debian's Chromium, on a phone's width, against the whole service."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
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


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One for all stories of this process, which `tests/tiers.py` puts together.

    It ends before other tests begin: as long as it runs, an event loop runs in this thread, in which Django refuses to
    work and a paper's seal cannot be made.
    """
    if CHROMIUM is None:
        assert not os.environ.get("WORKSPACE_TEST_ALL"), "Chromium is missing"
        pytest.skip("there is no chromium here")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """A page on a phone's width that fails the test on an error in the browser's console."""
    context = chromium.new_context(
        viewport=PHONE, device_scale_factor=2, accept_downloads=True, locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console", lambda message: problems.append(message.text) if "Content Security Policy" in message.text else None
    )
    yield page
    context.close()
    assert not problems, problems


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
