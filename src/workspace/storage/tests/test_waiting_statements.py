"""Statements on PostgreSQL that wait for a lock while every slot for waiting is taken."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection

from workspace.storage.database import timeouts
from workspace.storage.database.postgresql import connection as watched
from workspace.storage.database.postgresql.connection import WatchedConnection

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="SQLite has no server"),
]

LOCK = "SELECT pg_advisory_xact_lock(4711)"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = %s"


@pytest.fixture(autouse=True)
def no_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeouts, "_is_server", True)
    monkeypatch.setattr(watched, "_waiting_slots", threading.Semaphore(0))
    monkeypatch.setattr(watched, "LONG_STATEMENT_SECONDS", 0.2)


def test_a_write_may_wait_while_others_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "PROGRESS_SECONDS", 600)
    with _waiting_write() as (holder, waiting):
        _open_and_commit()
        with pytest.raises(TimeoutError):
            waiting.result(1)
        holder.rollback()
        assert waiting.result(60) is True


def test_a_write_is_cancelled_while_no_transaction_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "PROGRESS_SECONDS", 0)
    with _waiting_write() as (_, waiting), pytest.raises(psycopg.errors.QueryCanceled):
        waiting.result(60)


def _open() -> WatchedConnection:
    params = connection.get_connection_params()
    return WatchedConnection.connect(
        **{key: value for key, value in params.items() if key not in ("context", "autocommit")}
    )


def _open_and_commit() -> None:
    with _open() as other:
        other.commit()


@contextmanager
def _waiting_write() -> Iterator[tuple[WatchedConnection, Future[Any]]]:
    """Yield a connection that holds a lock, and the result of another connection that waits for the lock."""

    def take_lock() -> bool:
        with _open() as writer:
            writer.execute(LOCK)
            return True

    with _open() as holder, ThreadPoolExecutor(1) as pool, _open() as observer:
        holder.execute(LOCK)
        observer.autocommit = True
        waiting = pool.submit(take_lock)
        try:
            while not waiting.done() and observer.execute(WAITING, [LOCK]).fetchone() == (0,):
                pass
            yield holder, waiting
        finally:
            holder.rollback()
