"""What every test may ask for."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests import prepared

pytest_plugins = ["workspace.testing", "workspace.payments.tests.stripe_fixture"]

ROOT = Path(__file__).parent
_DATABASES = {"db", "transactional_db"}


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Django takes the prepared file as it is, when there is one to take."""
    return not prepared.server()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The database of each process of tests begins as a copy of the prepared one; Django migrates it from there."""
    from django.db import connection

    wanted: dict[str, Any] = connection.settings_dict["TEST"]
    if prepared.server():
        wanted["TEMPLATE"] = prepared.migrated_database()
    else:
        shutil.copy(prepared.migrated_file(), wanted["NAME"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What does not depend on the database is tested in the run on SQLite alone: rooms without one, since who asks for
    none cannot reach one, and those tests of the whole service that say so."""
    if not prepared.server():
        return
    both = [item for item in items if _depends_on_database(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(both)])
    items[:] = both


def _depends_on_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("any_database") is not None:
        return False
    asked = set(getattr(item, "fixturenames", ()))
    whole = item.path.is_relative_to(ROOT / "tests")
    return whole or item.get_closest_marker("django_db") is not None or bool(asked & _DATABASES)
