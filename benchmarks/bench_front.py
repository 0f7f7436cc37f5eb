"""Pages of the demo in Chromium on a slow phone: the times until they appear, layout shifts, and transferred data.

    python benchmarks/bench_front.py [PAGE …]

The phone is 390 pixels wide, its connection has 400 kbit/s and 400 ms for each request, and its processor is four times
slower than this one. One row has the width of a laptop. Nothing is cached. The times include other load on the machine:
each is the median of several views. The ratio is the goal divided by the figure.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from playwright.sync_api import Browser, Page, sync_playwright
from table import Row, markdown

from tests.browser.pages import PHONE, QUIET, sign_in_by_link
from workspace.interfaces.admin_cli.static_files import FOLDER_VARIABLE
from workspace.testing.service import Service

VIEWS, DISHES = 3, 200
BYTES_PER_SECOND, LATENCY_MS, SLOWER = 400 * 1000 / 8, 400, 4
SETTLED_MS = 1500  # time after which nothing more is loaded on demand
OBSERVE = """
window.seen = {paint: 0, shift: 0};
new PerformanceObserver(list => { for (const each of list.getEntries()) seen.paint = each.startTime })
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(list => list.getEntries().filter(each => !each.hadRecentInput).forEach(each => {
  seen.shift += each.value })).observe({type: "layout-shift", buffered: true});
"""
READ = """() => ({...seen, first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0})"""


@dataclass(frozen=True, slots=True)
class Goals:
    """Upper limits: seconds until the first paint and the largest one, layout shift, requests, and kB."""

    first: float | None = None
    largest: float | None = None
    shift: float | None = None
    requests: int | None = None
    size: int | None = None


GUEST, OWNER, EDITOR = Goals(largest=2.0, shift=0.02), Goals(first=1.5), Goals(first=1.5, requests=25, size=150)
WIDE_EDITOR = Goals(first=1.5)
WIDE = {"width": 1280, "height": 900}


@dataclass(frozen=True, slots=True)
class View:
    """A browser's report on one view of a page: seconds, layout shift, requests, and kB as transferred."""

    first: float
    largest: float
    shift: float
    requests: int
    size: float


UNITS = {"first": "s", "largest": "s", "shift": "", "requests": "", "size": "kB"}
NAMES = {
    "first": "first paint",
    "largest": "largest paint",
    "shift": "layout shift",
    "requests": "requests",
    "size": "transferred",
}


@contextmanager
def demo_service() -> Iterator[tuple[Service, dict[str, tuple[str, Goals]]]]:
    """Yield a service with the demo and collected static files, and its pages with their goals."""
    service = Service(WORKSPACE_DATABASE_URL="").migrate()
    try:
        key = re.findall(r"svc_\w+", service.operate("demo"))[-1]
        service.env |= {FOLDER_VARIABLE: str(service.folder / "static"), "DJANGO_SETTINGS_MODULE": "workspace.settings"}
        subprocess.run(
            [sys.executable, "-m", "django", "collectstatic", "--no-input", "--verbosity=0"],
            env=service.env,
            check=True,
        )
        service.start()
        yield service, list_pages(service, key)
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def list_pages(service: Service, key: str) -> dict[str, tuple[str, Goals]]:
    """Create a large menu. Return the paths of all pages with their goals."""
    with closing(sqlite3.connect(service.folder / "workspace.sqlite3")) as database:
        slugs = dict(database.execute("SELECT kind, slug FROM publishing_address"))
        [menu] = database.execute("SELECT id FROM menu_menu").fetchone()
    service.operate("plan", "set", "demo@example.com", "menu", "pro")
    dishes = [{"name": f"Dish {n}", "description": "With bread and salad", "price": 9.5} for n in range(DISHES)]
    sections = [{"name": f"Course {n}", "items": dishes[n * 20 : n * 20 + 20]} for n in range(DISHES // 20)]
    large = service.api(key, "svc_menu_create", restaurant_name="Large menu", currency="EUR", sections=sections)
    return {
        "menu": (f"/m/{slugs['menu']}", GUEST),
        "link page": (f"/l/{slugs['link']}", GUEST),
        "booking page": (f"/b/{slugs['book']}", GUEST),
        "program": (f"/e/{slugs['program']}", GUEST),
        "landing page": ("/", Goals(largest=2.5)),
        "home": ("/app", OWNER),
        "menu editor": (f"/app/menu/{menu}", EDITOR),
        f"menu editor, {DISHES} dishes": (f"/app/menu/{large['menu']['id']}", EDITOR),
        "menu editor with its preview, 1280 pixels": (f"/app/menu/{menu}", WIDE_EDITOR),
    }


def view_page(browser: Browser, url: str, state: Any = None, *, wide: bool = False) -> View:
    """Return the figures of one view with empty caches. `state` contains an owner's cookies."""
    size: Any = {"viewport": WIDE} if wide else {"viewport": PHONE, "device_scale_factor": 2}
    context = browser.new_context(**size, storage_state=state)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    speed = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
    tools.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY_MS, **speed})
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[float] = []
    tools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url, timeout=120_000)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLED_MS)
    told = page.evaluate(READ)
    context.close()
    times = told["first"] / 1000, told["paint"] / 1000
    return View(*times, told["shift"], len(sizes), sum(sizes) / 1000)


def sign_in_owner(browser: Browser, service: Service) -> Any:
    """Return the browser's state after the owner of the demo has signed in."""
    page: Page = browser.new_page()
    link = next(word for word in service.operate("sign-in", "demo@example.com").split() if word.startswith("http"))
    sign_in_by_link(page, link)
    state = page.context.storage_state()
    page.context.close()
    return state


def compare_figures(name: str, views: list[View], goals: Goals) -> Iterator[Row]:
    """Yield a row for each figure with a goal. The note of the first row contains the other figures."""
    figures = {figure: statistics.median(getattr(each, figure) for each in views) for figure in UNITS}
    note = ", ".join(f"{NAMES[figure]} {_format(figure, value)}" for figure, value in figures.items())
    for figure, goal in asdict(goals).items():
        if goal is not None:
            value = figures[figure]
            ratio = goal / max(value, goal / 100)
            yield Row(f"{name}: {NAMES[figure]}", _format(figure, value), _format(figure, goal), ratio, 1, note)
            note = ""


def _format(figure: str, value: float) -> str:
    digits = {"shift": 3, "requests": 0, "size": 0}.get(figure, 2)
    return f"{value:.{digits}f} {UNITS[figure]}".strip()


def measure(views: int = VIEWS, only: list[str] | None = None) -> list[Row]:
    """Return the figures of all pages, or only of the named ones."""
    rows: list[Row] = []
    with demo_service() as (service, pages), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        state = sign_in_owner(browser, service)
        for name, (path, goals) in pages.items():
            if not only or name in only:
                kept = state if path.startswith("/app") else None
                url, wide = service.url + path, goals is WIDE_EDITOR
                view_page(browser, url, kept, wide=wide)  # fill the caches of the service
                rows += compare_figures(name, [view_page(browser, url, kept, wide=wide) for _ in range(views)], goals)
        browser.close()
    return rows


if __name__ == "__main__":
    os.environ.setdefault("WORKSPACE_TEST_DATABASE_URL", "")
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    table = measure(1, ["menu"]) if "--short" in sys.argv else measure(only=words)
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
