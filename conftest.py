"""What every test may ask for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.testing import prepared_database

pytest_plugins = ["workspace.testing.api", "workspace.testing.fixtures", "tests.tiers"]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Django takes the prepared file as it is, when there is one to take."""
    return not prepared_database.server()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The database of each process of tests begins as a copy of the prepared one; Django migrates it from there."""
    from django.db import connection  # noqa: PLC0415 - Django is set up only now

    from tests.database_flush import drop_database

    wanted: dict[str, Any] = connection.settings_dict["TEST"]
    if prepared_database.server():
        wanted["TEMPLATE"] = prepared_database.migrated_database()
        connection.creation._destroy_test_db = drop_database  # type: ignore[method-assign]
    else:
        shutil.copy(prepared_database.migrated_file(), wanted["NAME"])


@pytest.fixture(scope="session", autouse=True)
def _cheap_flush() -> Iterator[None]:
    """Let tests that commit leave an empty database without Django's flush."""
    from django.test import TransactionTestCase

    from tests.database_flush import empty_databases

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_databases)
        yield
