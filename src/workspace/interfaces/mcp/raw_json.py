"""Raw JSON for the data of a result, inserted after the protocol library has encoded the message.

The library's models would check, copy and encode the data three times. It is encoded once instead, in the thread that
created it, and replaces a placeholder at the end.
"""

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
    """The raw JSON of one request. Call `store_data`, then send through `wrap_send`."""

    def __init__(self) -> None:
        self._placeholder = secrets.token_hex(16)  # random, so that no text of a result can be mistaken for it
        self._data = b""

    def store_data(self, data: Any, zone: ZoneInfo) -> dict[str, str]:
        """Store the data with its times converted to the zone. Return its placeholder."""
        # with the same encoder as REST, so that both channels return equal data
        written = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
        self._data = localize_json(written, zone).encode()
        return {PLACEHOLDER_KEY: self._placeholder}

    @property
    def content(self) -> bytes:
        """The encoded data to send."""
        return self._data

    def wrap_send(self, send: Send) -> Send:
        """Return a `send` function that replaces the placeholder with the data and adjusts the content length."""
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
