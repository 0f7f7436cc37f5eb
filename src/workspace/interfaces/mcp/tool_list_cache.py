"""A cache of tools/list responses, as bytes.

Until the program changes, the list is the same for all callers with the same access. Building it takes as long as
several calls, so it is built once.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Scope, Send

from workspace.accounts.dispatch import Caller
from workspace.interfaces.mcp.tool_list import ToolSelection
from workspace.lib.lru_cache import BoundedCache

MAX_CACHE_BYTES = 4 * 1024 * 1024
MAX_PARAMS_LENGTH = 2000  # characters of params that are part of a cache key
STAMP = "workspace.linked_apps.stamp"  # identifies the lists of other apps in the response
_RELEVANT_HEADERS = (b"accept", b"content-type")


class ToolListCache:
    """A cache of responses to tools/list."""

    def __init__(self) -> None:
        self._cache: BoundedCache[bytes] = BoundedCache(MAX_CACHE_BYTES)

    def cache_key(self, scope: Scope, message: Any, caller: Caller, selection: ToolSelection) -> Hashable | None:
        """Return everything that the response depends on, except the request's id.

        Return None for other methods, and for parameters that are too long.
        """
        if message.get("method") != "tools/list" or "id" not in message or message.keys() - _MESSAGE_MEMBERS:
            return None
        params = message.get("params")
        if isinstance(params, dict) and isinstance(params.get("_meta"), dict):
            # the client's token for progress notifications, which we do not send; it differs in each request
            meta = {name: value for name, value in params["_meta"].items() if name != "progressToken"}
            params = {**params, "_meta": meta}
        request_text = _dump_compact({"jsonrpc": message.get("jsonrpc"), "params": params})
        if len(request_text) > MAX_PARAMS_LENGTH:
            return None
        headers = tuple(
            sorted(
                (name, value)
                for name, value in scope["headers"]
                if name in _RELEVANT_HEADERS or name.startswith(b"mcp-")
            )
        )
        return (
            request_text,
            headers,
            caller.products,
            caller.can_write,
            caller.permission_scope,
            selection,
            scope.get(STAMP),
        )

    async def send_cached(self, question: Hashable, id: Any, send: Send) -> bool:
        """Send the cached response and return True, or return False if it is not cached."""
        result = self._cache.get(question)
        if result is None:
            return False
        body = b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (_dump_compact(id).encode(), result)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return True

    def capture_response(self, question: Hashable, send: Send) -> Send:
        """Return a `send` function that also caches the response if it is successful."""
        heard = _CapturedResponse()

        async def sent(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                heard.status = message["status"]
            else:
                heard.parts.append(message.get("body", b""))
                if heard.status == 200 and not message.get("more_body"):
                    self._store_result(question, b"".join(heard.parts))
            await send(message)

        return sent

    def _store_result(self, question: Hashable, body: bytes) -> None:
        message = json.loads(body)
        if "result" in message:
            result = _dump_compact(message["result"]).encode()
            self._cache.put(question, result, len(result))


def _dump_compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


_MESSAGE_MEMBERS = {"jsonrpc", "id", "method", "params"}


@dataclass
class _CapturedResponse:
    status: int = 0
    parts: list[bytes] = field(default_factory=list)
