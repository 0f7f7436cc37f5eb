"""The serving layer's own log lines; `workspace.logs` says how lines look."""

from typing import Any

import structlog

from workspace.logs import shown

log: Any = structlog.get_logger("workspace.http")


def log_access(method: str, path: str, status: int, seconds: float) -> None:
    """One line a request. No address, no query, no header: a log is no place for people's data or secrets."""
    log.info("request", method=method, path=shown(path), status=status, ms=round(seconds * 1000, 1))
