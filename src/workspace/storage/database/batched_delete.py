"""Deleting many rows in small transactions, so that other writers wait only briefly."""

from __future__ import annotations

import time
from typing import Any

from django.db.models import QuerySet

from workspace.storage.database.transactions import write_transaction

TARGET_SECONDS = 0.03  # for one transaction
MAX_PAUSE_SECONDS = 0.1  # maximum pause for other writers after each transaction
# Rows in a transaction. Each composite key becomes an OR, and SQLite reads up to 1,000 of these.
FIRST_BATCH_SIZE, MIN_BATCH_SIZE, MAX_BATCH_SIZE = 100, 10, 500


def delete_in_batches(rows: QuerySet[Any]) -> int:
    """Delete rows and their dependent rows. Return how many were deleted.

    If the process is killed, some rows may be left, so call it again.
    """
    model, size, gone = rows.model, FIRST_BATCH_SIZE, 0
    while keys := list(rows.order_by().values_list("pk", flat=True)[:size]):
        with write_transaction():
            began = time.monotonic()  # after the lock was acquired
            model._base_manager.filter(pk__in=keys).delete()
        took = time.monotonic() - began
        gone += len(keys)
        size = max(MIN_BATCH_SIZE, min(MAX_BATCH_SIZE, int(size * min(2.0, TARGET_SECONDS / max(took, 0.001)))))
        if len(keys) > MIN_BATCH_SIZE:
            time.sleep(min(2 * took, MAX_PAUSE_SECONDS))  # other processes poll for the write lock at intervals
    return gone
