"""The serving layer's own log lines; `workspace.logs` says how lines look."""

import json
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import structlog

from workspace.logs import redact_path, redact_text

log: Any = structlog.get_logger("workspace.http")


def log_access(request_id: str, method: str, path: str, status: int, seconds: float) -> None:
    """One line a request. No address, no query, no header: a log is no place for people's data or secrets. Written
    straight to the stream that all lines go to: the way there through structlog costs more than a scan does."""
    stamp = datetime.now(UTC).replace(tzinfo=None).isoformat()
    rest = f'"status": {status}, "ms": {seconds * 1000:.1f}, "event": "request", "level": "info"'
    sys.stderr.write(
        f'{{"request_id": "{request_id}", {_format_request(method, path)}, {rest}, "timestamp": "{stamp}Z"}}\n'
    )


@lru_cache(512)
def _format_request(method: str, path: str) -> str:
    return f'"method": {json.dumps(method)}, "path": {json.dumps(redact_text(redact_path(path)), ensure_ascii=False)}'
