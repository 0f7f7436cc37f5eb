"""Fixtures for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.testing import prepared_database

pytest_plugins = ["workspace.testing.api", "workspace.testing.fixtures", "tests.tiers"]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Reuse the prepared database file if there is one."""
    return not prepared_database.server()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Start each test process with a copy of the prepared database, which Django then migrates."""
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
    """Replace Django's slow flush, so that tests that commit leave an empty database."""
    from django.test import TransactionTestCase

    from tests.database_flush import empty_databases

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_databases)
        yield
