"""Acknowledged writes are on disk. Only relaxed writes do not wait for that."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from workspace.rate_limits.models import CallQuota
from workspace.storage.database.transactions import is_sqlite, write_transaction

NORMAL, FULL = 1, 2

pytestmark = pytest.mark.skipif(not is_sqlite(), reason="PostgreSQL sets it for each transaction")


@pytest.mark.django_db(transaction=True)
def test_a_write_waits_for_the_disk_after_a_relaxed_one() -> None:
    for begin in (write_transaction, transaction.atomic):
        CallQuota.consume("key:one", 5)
        with begin():
            assert _synchronous() == FULL
    with write_transaction(relaxed=True):
        assert _synchronous() == NORMAL
    with write_transaction():
        assert _synchronous() == FULL
    CallQuota.consume("key:one", 5)
    CallQuota.objects.update(used=0)  # a separate write
    assert _synchronous() == FULL


def _synchronous() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        return int(cursor.fetchone()[0])
