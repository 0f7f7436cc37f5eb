"""Structured log lines: one JSON object a line, with the id of the request being answered."""

import json
import sys
from typing import Any

import structlog

log: Any = structlog.get_logger("workspace.http")
_OURS = frozenset({"api", "app", "static", "mcp", "q", "Q", ".well-known"})
_encode = json.JSONEncoder(ensure_ascii=False, default=repr).encode


def configure_logs() -> None:
    """JSON lines on stderr, for a server process."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(lambda event, **_: _encode(event)),
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def log_access(method: str, path: str, status: int, seconds: float) -> None:
    """One line a request. No address, no query, no header: a log is no place for people's data or secrets."""
    log.info("request", method=method, path=shown(path), status=status, ms=round(seconds * 1000, 1))


def shown(path: str) -> str:
    """The path as logged: whole where addresses are ours, else its first part only, since what follows may be a token
    (a link to reset a password, to join an account, to read a proposal)."""
    first, _, rest = path.lstrip("/").partition("/")
    return path if not rest or first in _OURS else f"/{first}/…"
