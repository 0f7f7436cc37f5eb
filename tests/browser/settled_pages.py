"""Waiting until a page has settled, before a browser test acts on it.

People see where the caret is, and act when a page has settled. Playwright acts as soon as an element can be clicked or
focused, even if the scripts of the page have not run, or if a part of the page is about to be replaced.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, TimeoutError

PATIENCE = 60.0  # seconds
ACTIONS = (
    "check",
    "clear",
    "click",
    "dblclick",
    "fill",
    "focus",
    "hover",
    "press",
    "press_sequentially",
    "select_option",
    "set_checked",
    "set_input_files",
    "uncheck",
)
NAVIGATIONS = ("goto", "reload", "go_back", "go_forward")
# Deferred scripts have run before DOMContentLoaded ends. A page with a simulated clock has no record of that event.
IS_SETTLED = """() => {
    const [loading] = performance.getEntriesByType("navigation");
    const isParsed = document.readyState === "complete" || loading?.domContentLoadedEventEnd > 0;
    return isParsed && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-added, .htmx-settling");
}"""


def wait_before_actions(patch: pytest.MonkeyPatch) -> None:
    """Make Playwright wait until the page has settled, before each action on a locator and before each navigation."""
    for name in ACTIONS:
        patch.setattr(Locator, name, _act_when_settled(getattr(Locator, name)))
    for name in NAVIGATIONS:
        patch.setattr(Page, name, _navigate_when_settled(getattr(Page, name)))


def _act_when_settled(act: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(act)
    def act_when_settled(locator: Locator, *arguments: Any, **options: Any) -> Any:
        wait_until_settled(locator)
        return act(locator, *arguments, **options)

    return act_when_settled


def _navigate_when_settled(navigate: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(navigate)
    def navigate_when_settled(page: Page, *arguments: Any, **options: Any) -> Any:
        wait_until_settled(page.locator("html"))
        return navigate(page, *arguments, **options)

    return navigate_when_settled


def wait_until_settled(locator: Locator) -> None:
    """Wait until the document of an element is parsed, its scripts have run, and htmx requests nothing.

    If the element is missing or ambiguous, return: the action that follows reports it.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if locator.evaluate(IS_SETTLED):
                return
        except TimeoutError:
            return
        except Error as error:
            if "context was destroyed" not in str(error):
                return
        locator.page.wait_for_timeout(20)
