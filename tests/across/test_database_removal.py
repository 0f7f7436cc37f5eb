"""The database of a test run is removed although a thread still has a connection to it."""

from __future__ import annotations

import psycopg
import pytest

from tests.database_flush import drop_database
from workspace.testing.prepared_database import new_database, server

pytestmark = pytest.mark.django_db


@pytest.mark.skipif(not server(), reason="SQLite's database is a file")
def test_an_open_connection_does_not_prevent_the_removal() -> None:
    made = new_database()
    name = made.rsplit("/", 1)[1]
    with psycopg.connect(made) as left_open:
        drop_database(name, verbosity=0)
        with pytest.raises(psycopg.OperationalError):
            left_open.execute("SELECT 1")
    with psycopg.connect(server(), autocommit=True) as connection:
        assert not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
