"""Delete many rows in small transactions, so that others who write wait a moment and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from workspace.storage.database import writing

GOAL = 0.1  # seconds that one transaction should take
FEWEST, MOST = 10, 1000  # rows in a transaction


def delete_in_pieces(rows: QuerySet[Any], *, raw: bool = False) -> int:
    """Delete the rows with what depends on them; how many. `raw`: by one statement each, for rows that nothing depends
    on. A kill in between leaves the rest, so it must be called again."""
    model, size, gone = rows.model, 100, 0
    delete: Callable[[QuerySet[Any]], object] = (lambda found: found._raw_delete(found.db)) if raw else QuerySet.delete
    while keys := list(rows.order_by().values_list("pk", flat=True)[:size]):
        with writing():
            began = time.monotonic()  # once it is our turn
            delete(model._base_manager.filter(pk__in=keys))
        took = time.monotonic() - began
        gone += len(keys)
        size = max(FEWEST, min(MOST, int(size * min(2.0, GOAL / max(took, 0.001)))))
        if len(keys) > FEWEST:
            time.sleep(min(took, GOAL))  # other processes look for their turn only now and then
    return gone
