"""Compression of MCP responses for clients that accept gzip, as in REST."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

from workspace.lib.compression import accepts_gzip, gzip_body, should_compress

THREAD_THRESHOLD_BYTES = 32 * 1024  # from this size a thread compresses, so that other requests do not wait


def gzip_responses(scope: Scope, send: Send) -> Send:
    """Return a `send` function that compresses responses whose body is a single message.

    Other responses are not changed.
    """
    accepts = accepts_gzip(Headers(scope=scope).get("accept-encoding", ""))
    held: list[Message] = []

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            held.append(message)  # its headers depend on the body
            return
        start = held.pop() if held else None
        body = message.get("body", b"")
        if start is None or message.get("more_body"):
            await _send_all(send, start, message)
            return
        headers = MutableHeaders(raw=list(start["headers"]))
        if should_compress(headers.get("content-type", ""), len(body)) and "content-encoding" not in headers:
            headers.add_vary_header("Accept-Encoding")
            if accepts:
                body = (
                    await asyncio.to_thread(gzip_body, body) if len(body) > THREAD_THRESHOLD_BYTES else gzip_body(body)
                )
                headers["content-encoding"] = "gzip"
                headers["content-length"] = str(len(body))
        await _send_all(send, {**start, "headers": headers.raw}, {**message, "body": body})

    return sent


async def _send_all(send: Send, *messages: Message | None) -> None:
    for message in messages:
        if message is not None:
            await send(message)
