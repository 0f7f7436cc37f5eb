"""Debian's Chromium at a phone's width, against the whole service."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.pages import PHONE, QUIET
from tests.browser.settled_pages import wait_before_actions

# Debian's Chromium without windows takes a quarter less processor time than with them.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Yield one browser for all browser tests of this process, which `tests/tiers.py` groups.

    It is closed before other tests begin. While it is open, an event loop runs in this thread. Django then refuses to
    work, and PDFs cannot be signed.
    """
    if CHROMIUM is None:
        assert not os.environ.get("WORKSPACE_TEST_ALL"), "Chromium is missing"
        pytest.skip("there is no chromium here")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        patch.setattr(browser, "new_context", functools.partial(_open_patient_context, browser.new_context))
        patch.setattr(browser, "new_page", functools.partial(_open_patient_page, browser.new_page))
        wait_before_actions(patch)
        yield browser
        browser.close()


def _open_patient_context(open_context: Callable[..., BrowserContext], **options: Any) -> BrowserContext:
    """Open a context that waits as long as a busy machine needs: twice Playwright's usual time."""
    context = open_context(**options)
    context.set_default_timeout(60_000)
    return context


def _open_patient_page(open_page: Callable[..., Page], **options: Any) -> Page:
    """Open a page in its own context, which waits equally long."""
    page = open_page(**options)
    page.context.set_default_timeout(60_000)
    return page


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """Yield a page at a phone's width that fails the test on an error in the browser's console."""
    context = chromium.new_context(
        viewport=PHONE, device_scale_factor=2, accept_downloads=True, locale="en-GB", reduced_motion="reduce"
    )
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console", lambda message: problems.append(message.text) if "Content Security Policy" in message.text else None
    )
    yield page
    context.close()
    assert not problems, problems
