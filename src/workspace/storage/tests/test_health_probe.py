"""The health probe of PostgreSQL while the probe's own statement waits longer than it may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from workspace.storage.database.errors import StorageFailure
from workspace.storage.database.postgresql import health_probe
from workspace.storage.database.postgresql.connection import WatchedConnection
from workspace.storage.database.postgresql.health_probe import PostgresqlProbe

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="SQLite has no server"),
]


SLOW_QUERY = "SELECT pg_sleep(60)"


@pytest.fixture(autouse=True)
def slow_probe(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health_probe, "_READ_ONLY_QUERY", SLOW_QUERY)
    yield
    # the server does not notice yet that the probe has disconnected
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE query = %s", [SLOW_QUERY])
        assert all(is_ended for (is_ended,) in cursor.fetchall())


def test_a_slow_probe_is_no_outage_while_the_server_answers_others() -> None:
    with _other_statements():
        condition = PostgresqlProbe().check()
    assert condition.reads is None
    assert condition.writes is None


def test_a_server_that_answers_no_one_is_unreachable() -> None:
    condition = PostgresqlProbe().check()
    assert condition.reads is StorageFailure.UNREACHABLE
    assert condition.writes is StorageFailure.UNREACHABLE


@contextmanager
def _other_statements() -> Iterator[None]:
    """Run statements one after the other in a thread, on a connection like those of the server."""
    params = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    stop, answered = threading.Event(), threading.Event()

    def run() -> None:
        with WatchedConnection.connect(**params) as other:
            while not stop.is_set():
                other.execute("SELECT 1")
                answered.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert answered.wait(60)
        yield
    finally:
        stop.set()
        thread.join()
