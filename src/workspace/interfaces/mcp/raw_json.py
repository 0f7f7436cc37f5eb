"""An answer's data on its way past the protocol's models, which would check, copy and encode it three times: it is
encoded once, in the thread in which it was made, and put in at the end, where a mark stands for it."""

from __future__ import annotations

import json
import secrets
from collections.abc import MutableMapping
from typing import Any
from zoneinfo import ZoneInfo

from django.core.serializers.json import DjangoJSONEncoder
from starlette.types import Message, Send

from workspace.interfaces.mcp.local_times import localize_json

PLACEHOLDER_KEY = "workspace.data"


class RawJson:
    """For one request: `put` it, and send `wrap_send`."""

    def __init__(self) -> None:
        self._placeholder = secrets.token_hex(16)  # so that no text of an answer can be taken for it
        self._data = b""

    def put(self, data: Any, zone: ZoneInfo) -> dict[str, str]:
        """What stands for it; times in it are written in the zone."""
        # through the same encoder as REST, so that both faces give equal data
        written = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
        self._data = localize_json(written, zone).encode()
        return {PLACEHOLDER_KEY: self._placeholder}

    @property
    def content(self) -> bytes:
        """The data as it is sent."""
        return self._data

    def wrap_send(self, send: Send) -> Send:
        held: list[Message] = []

        async def sent(message: MutableMapping[str, Any]) -> None:
            if not self._data:
                await send(message)
            elif message["type"] == "http.response.start":
                held.append(message)  # the length is not known yet
            else:
                stands = b'{"%s":"%s"}' % (PLACEHOLDER_KEY.encode(), self._placeholder.encode())
                body = message.get("body", b"").replace(stands, self._data, 1)
                if held:
                    await send(_with_length(held.pop(), len(body)))
                await send({**message, "body": body})

        return sent


def _with_length(start: Message, length: int) -> Message:
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    return {**start, "headers": [*headers, (b"content-length", b"%d" % length)]}
