"""Errors of the request itself rather than of a tool, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
UNAVAILABLE = -32000  # the first code that JSON-RPC reserves for servers


@dataclass
class HttpResponseError(Exception):
    """A request that is rejected, with its complete response."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_response(self, request_id: str) -> Response:
        headers = {"cache-control": "no-store", "x-request-id": request_id, **self.headers}
        content = json.dumps(self.body, ensure_ascii=False)
        return Response(content, self.status, headers, "application/json")


def http_error(status: int, error: str, message: str, **headers: str) -> HttpResponseError:
    """Build an error in our own format, for problems with HTTP."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponseError(status, {"ok": False, "error": error, "message": message}, named)


def rpc_error(
    status: int, code: int, message: str, id: Any = None, *, retry_after: int | None = None
) -> HttpResponseError:
    """Build an error in JSON-RPC's format, for problems with the message or the service.

    `retry_after` is the number of seconds after which a retry may succeed.
    """
    error: dict[str, Any] = {"code": code, "message": message}
    headers = {}
    if retry_after is not None:
        error["data"] = {"error": "unavailable", "retryAfter": retry_after}
        headers["retry-after"] = str(retry_after)
    return HttpResponseError(status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
