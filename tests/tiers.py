"""A pytest plugin that assigns tests to tiers, selects and orders them, and records their durations.

It sets the marks `server` and `browser` by the fixtures of a test. Slow modules start first, so that all workers end
together. `tests/durations.json` contains the seconds of slow modules in a full run, and the number of its tests:
`bin/test all --record` writes it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests import changes
from workspace.testing import prepared_database

ROOT = Path(__file__).resolve().parent.parent
DURATIONS = ROOT / "tests" / "durations.json"
# Tools that search, compare dates or lock rows: their SQL differs between databases.
DIFFERS = re.compile(r"svc_\w*(search|find|list|items|check|stats|activity|log|book|cancel|move|scan|erase)")
SLOW_SECONDS = 2  # a faster module is not listed in the file of durations
ONE_OF = 3  # this part of the other registry-wide tests runs on PostgreSQL
_DATABASES = {"db", "transactional_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    commit = _commit()
    for item in items:
        if _is_story(item):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(600))
        elif _has_server(item):
            item.add_marker(pytest.mark.server)
    left_out = [item for item in items if not (_is_selected(item) and _is_for_database(item, commit))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        ids = {id(item) for item in left_out}
        items[:] = [item for item in items if id(item) not in ids]
    seconds = _durations()["modules"]
    # all browser tests together, so that a worker starts one browser for them
    items.sort(key=lambda item: (not _is_story(item), -seconds.get(_module(item.nodeid), 0)))


def _is_story(item: pytest.Item) -> bool:
    return "tests/browser" in str(item.path)


def _has_server(item: pytest.Item) -> bool:
    # products and the command line have fixtures with equal names
    if "service" in getattr(item, "fixturenames", ()) and item.path.is_relative_to(ROOT / "tests"):
        return True
    used = vars(getattr(item, "module", None) or object).values()
    return any(getattr(found, "__module__", "") == "workspace.testing.service" for found in used)


def _is_selected(item: pytest.Item) -> bool:
    """Return whether a test is affected by the changes, as described by `changes.Selection`."""
    if "TEST_PRODUCTS" not in os.environ:
        return True
    file = _module(item.nodeid)
    if file in os.environ["TEST_SLOW_FILES"].split(","):
        return True
    if item.get_closest_marker("browser") is not None or item.get_closest_marker("server") is not None:
        return False
    if file in os.environ["TEST_FILES"].split(",") or not file.startswith(changes.REGISTRY):
        return True
    return changes.is_about(item.nodeid, os.environ["TEST_PRODUCTS"].split(","))


def _is_for_database(item: pytest.Item, commit: str) -> bool:
    """Return whether a test runs on this database.

    Tests that do not depend on the database run only on SQLite. Of the registry-wide tests, PostgreSQL runs those whose
    SQL differs there, and a part of the rest that changes with each commit.
    """
    if not prepared_database.server():
        return True
    if item.get_closest_marker("any_database") is not None:
        return False
    asked = set(getattr(item, "fixturenames", ()))
    whole = item.path.is_relative_to(ROOT / "tests")
    if not (whole or item.get_closest_marker("django_db") is not None or asked & _DATABASES):
        return False
    if os.environ.get("TEST_COMPLETE") == "1" or not _is_registry_wide(item) or DIFFERS.search(item.nodeid):
        return True
    return zlib.crc32(f"{commit} {item.nodeid}".encode()) % ONE_OF == 0


def _is_registry_wide(item: pytest.Item) -> bool:
    return "[" in item.nodeid and item.nodeid.startswith(changes.REGISTRY)


def _commit() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


def _module(test_id: str) -> str:
    return test_id.partition("::")[0]


def _durations() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {"tests": 0, "modules": {}}
    return found


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    modules: dict[str, float] = defaultdict(float)
    tiers: dict[str, list[float]] = {"in-process": [], "server": [], "browser": []}
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                modules[_module(one.nodeid)] += one.duration
                tier = next((name for name in ("browser", "server") if name in one.keywords), "in-process")
                tiers[tier].append(one.duration)
    ran = sum(1 for reports in terminalreporter.stats.values() for one in reports if _is_a_test(one))
    known = _durations()["tests"]
    for name, seconds in tiers.items():
        if seconds:
            terminalreporter.write_line(f"{name}: {sum(seconds):.0f} s of workers' time")
    if prepared_database.server() and os.environ.get("TEST_COMPLETE") != "1":
        rest = f"one in {ONE_OF} of the other registry-wide tests, chosen by commit {_commit()[:12]}"
        terminalreporter.write_line(f"On PostgreSQL: all tests whose SQL differs, and {rest}.")
    if known > ran:
        terminalreporter.write_line(f"{ran:,} of {known:,} tests; the rest: bin/test all")
    if os.environ.get("TEST_DURATIONS") == "1" and not prepared_database.server():
        rounded = {name: round(seconds) for name, seconds in sorted(modules.items()) if seconds >= SLOW_SECONDS}
        DURATIONS.write_text(json.dumps({"tests": ran, "modules": rounded}, indent=0) + "\n")


def _is_a_test(report: Any) -> bool:
    return isinstance(report, pytest.TestReport) and (report.when == "call" or report.outcome == "skipped")
