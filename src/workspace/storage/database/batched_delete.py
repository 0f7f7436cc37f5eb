"""Delete many rows in small transactions, so that others who write wait a moment and no longer."""

from __future__ import annotations

import time
from typing import Any

from django.db.models import QuerySet

from workspace.storage.database.transactions import write_transaction

TARGET_SECONDS = 0.03  # seconds that one transaction should take
MAX_PAUSE_SECONDS = 0.1  # seconds that others get after it, at most
# Rows in a transaction. Keys of two columns become one OR each, and SQLite reads up to 1,000 of these.
FIRST_BATCH_SIZE, MIN_BATCH_SIZE, MAX_BATCH_SIZE = 100, 10, 500


def delete_in_batches(rows: QuerySet[Any]) -> int:
    """Delete the rows with what depends on them; how many.

    A kill in between leaves the rest, so it must be called again."""
    model, size, gone = rows.model, FIRST_BATCH_SIZE, 0
    while keys := list(rows.order_by().values_list("pk", flat=True)[:size]):
        with write_transaction():
            began = time.monotonic()  # once it is our turn
            model._base_manager.filter(pk__in=keys).delete()
        took = time.monotonic() - began
        gone += len(keys)
        size = max(MIN_BATCH_SIZE, min(MAX_BATCH_SIZE, int(size * min(2.0, TARGET_SECONDS / max(took, 0.001)))))
        if len(keys) > MIN_BATCH_SIZE:
            time.sleep(min(2 * took, MAX_PAUSE_SECONDS))  # other processes look for their turn only now and then
    return gone
