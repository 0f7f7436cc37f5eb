"""`/healthz` and `/readyz`: whether this process can serve requests, for load balancers and monitors.

They answer within a second, on the event loop and outside the pool, and never query the database themselves.
"""

from __future__ import annotations

from typing import Any

from workspace.analytics import visit_writer
from workspace.lib.service_thread import thread_statuses
from workspace.storage.database.health_probe import database_probe

MAX_WAIT_SECONDS = 60.0  # seconds that a visit may wait while the database accepts writes


async def healthz() -> tuple[bool, dict[str, Any]]:
    """Return whether the database works, and details as JSON.

    The details contain nothing secret, because anyone may request them.
    """
    found = await database_probe.get_condition()
    trouble = found.reads or found.writes
    database = {
        "reads": found.reads or "ok",
        "writes": found.writes or "ok",
        **({"message": trouble.detail} if trouble else {}),
    }
    # the other details are no reason to take this process out of service
    details = {
        "database": database,
        "visits_waiting": visit_writer.count_waiting(),
        "oldest_visit_seconds": round(visit_writer.oldest_wait_seconds(), 1),
        "threads": {name: "ok" if one.is_alive else "restarting" for name, one in thread_statuses().items()},
    }
    return trouble is None, {**details, **database_probe.details}


async def readyz() -> tuple[bool, dict[str, Any]]:
    """Return whether guests' requests may be sent here: the database can be read, and visits are written.

    A database that rejects writes still serves readers. There is no reason to redirect them, because every other
    process has the same problem.
    """
    found = await database_probe.get_condition()
    is_stuck = found.writes is None and visit_writer.oldest_wait_seconds() > MAX_WAIT_SECONDS
    details = {"database": {"reads": found.reads or "ok"}, "visits": "stuck" if is_stuck else "ok"}
    return found.reads is None and not is_stuck, details
