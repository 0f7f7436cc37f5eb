"""The request id, the client and the status of one request."""

import re
import secrets
from collections.abc import Sequence

from workspace.interfaces.server.asgi_types import Message, Scope, Send
from workspace.interfaces.server.client_address import FORWARDING_HEADERS, Network, find_client, is_trusted
from workspace.interfaces.server.error_responses import CLIENT_ADDRESS, REQUEST_ID
from workspace.interfaces.server.untrusted_proxies import UntrustedProxyMonitor

_REQUEST_ID = re.compile(rb"[A-Za-z0-9-]{8,64}")


def identify_request(scope: Scope, trusted: Sequence[Network], proxy_monitor: UntrustedProxyMonitor) -> str:
    """Assign the request id and the client's address. Return the id.

    Both are stored in `scope["state"]`. Scheme and host from a trusted proxy are stored in the scope itself. Forwarding
    headers are removed. `proxy_monitor` records untrusted peers that sent any.
    """
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    request_id = ""
    forwarded = False
    for name, value in headers:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            request_id = value.decode("ascii")
        elif name in FORWARDING_HEADERS:
            forwarded = True
    request_id = request_id or secrets.token_hex(16)
    client = scope.get("client") or ("", 0)
    caller = find_client(client[0], headers if forwarded else (), trusted)
    if forwarded:
        if not is_trusted(client[0], trusted):
            proxy_monitor.report_peer(client[0])
        headers = [header for header in headers if header[0] not in FORWARDING_HEADERS]
        if caller.host is not None:
            headers = [header for header in headers if header[0] != b"host"] + [(b"host", caller.host)]
        scope["headers"] = headers
    if caller.scheme is not None:
        scope["scheme"] = caller.scheme
    state = scope.setdefault("state", {})
    state[REQUEST_ID] = request_id
    state[CLIENT_ADDRESS] = caller.address
    return request_id


class RequestContext:
    """A `send` that adds the request id and records the status, which is 0 until the response starts."""

    __slots__ = ("_request_id", "_send", "complete", "status")

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status = 0
        self.complete = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers", ()))
            if b"x-request-id" not in [name.lower() for name, _ in headers]:
                headers.append((b"x-request-id", self._request_id.encode("ascii")))
            message["headers"] = headers
        elif not message.get("more_body"):
            self.complete = True
        await self._send(message)
