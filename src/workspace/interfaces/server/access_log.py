"""The access log: one line per request. Its format is defined in `workspace.logs`."""

import json
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import structlog

from workspace.logs import redact_path, redact_text

log: Any = structlog.get_logger("workspace.http")


def log_access(request_id: str, method: str, path: str, status: int, seconds: float) -> None:
    """Log one line for a request.

    The line contains no address, query or header, because personal data and secrets do not belong in a log. It is
    written directly to the stream of all log lines, because structlog takes longer than an entire scan.
    """
    stamp = datetime.now(UTC).replace(tzinfo=None).isoformat()
    rest = f'"status": {status}, "ms": {seconds * 1000:.1f}, "event": "request", "level": "info"'
    sys.stderr.write(
        f'{{"request_id": "{request_id}", {_format_request(method, path)}, {rest}, "timestamp": "{stamp}Z"}}\n'
    )


@lru_cache(512)
def _format_request(method: str, path: str) -> str:
    return f'"method": {json.dumps(method)}, "path": {json.dumps(redact_text(redact_path(path)), ensure_ascii=False)}'
