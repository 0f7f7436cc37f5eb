"""Answers of the connector that no tool gives: what is wrong with the request itself, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
UNAVAILABLE = -32000  # the first of those that JSON-RPC leaves to servers


@dataclass
class HttpResponseError(Exception):
    """A request that goes no further, with its whole answer."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_response(self, request_id: str) -> Response:
        headers = {"cache-control": "no-store", "x-request-id": request_id, **self.headers}
        content = json.dumps(self.body, ensure_ascii=False)
        return Response(content, self.status, headers, "application/json")


def http_error(status: int, error: str, message: str, **headers: str) -> HttpResponseError:
    """An answer in the suite's own error shape, for what HTTP itself speaks about."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponseError(status, {"ok": False, "error": error, "message": message}, named)


def rpc_error(
    status: int, code: int, message: str, id: Any = None, *, retry_after: int | None = None
) -> HttpResponseError:
    """An answer in JSON-RPC's error shape, for what is wrong with the message, or with the service (`retry_after`:
    seconds until it may be worth another try)."""
    error: dict[str, Any] = {"code": code, "message": message}
    headers = {}
    if retry_after is not None:
        error["data"] = {"error": "unavailable", "retryAfter": retry_after}
        headers["retry-after"] = str(retry_after)
    return HttpResponseError(status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
