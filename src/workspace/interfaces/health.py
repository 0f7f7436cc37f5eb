"""`/healthz` and `/readyz`: whether this process can serve, and within a second what is wrong, for load balancers and
monitors. They are answered on the event loop, apart from the pool, and never ask the database themselves."""

from __future__ import annotations

from typing import Any

from workspace.publishing import visits
from workspace.storage.pulse import pulse


async def healthz() -> tuple[bool, dict[str, Any]]:
    """Whether the database is well, and all there is to say in JSON: nothing secret, since anybody may ask."""
    found = await pulse.told()
    trouble = found.reads or found.writes
    database = {
        "reads": found.reads or "ok",
        "writes": found.writes or "ok",
        **({"message": trouble.detail} if trouble else {}),
    }
    # what else is told is no reason to take this process out of service
    return trouble is None, {"database": database, "visits_waiting": visits.waiting(), **pulse.details}


async def readyz() -> tuple[bool, dict[str, Any]]:
    """Whether guests' requests may be sent here: the database can be read. One that takes no writes goes on serving
    readers, and is no reason to send them elsewhere."""
    found = await pulse.told()
    return found.reads is None, {"database": {"reads": found.reads or "ok"}}
