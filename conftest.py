"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ["workspace.testing"]

ROOT = Path(__file__).parent
_DATABASES = {"db", "transactional_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Rooms without a database are tested in the run on SQLite alone. Who asks for none cannot reach one; the tests of
    the whole service bring their own."""
    if not os.environ.get("WORKSPACE_TEST_DATABASE_URL"):
        return
    without = [item for item in items if not _uses_database(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if _uses_database(item)]


def _uses_database(item: pytest.Item) -> bool:
    asked = set(getattr(item, "fixturenames", ()))
    whole = item.path.is_relative_to(ROOT / "tests")
    return whole or item.get_closest_marker("django_db") is not None or bool(asked & _DATABASES)
