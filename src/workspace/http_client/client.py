"""An HTTP client for requests to URLs that owners or strangers entered.

A request has a limited duration and size and stays at its address, regardless of the server. There are no redirects,
cookies, proxies or retries.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import h11

from workspace.http_client.ssrf_guard import Address, Guard, NonPublicAddressError
from workspace.lib.web_address import clean_web_address

TIMEOUT_SECONDS = 10.0
MAX_BYTES = 1024 * 1024
MAX_HEAD_BYTES = 32 * 1024
MAX_ADDRESSES = 4
_BUFFER_BYTES = 16 * 1024
_RESERVED_HEADERS = {"host", "connection", "content-length", "transfer-encoding", "accept-encoding"}
PUBLIC_GUARD = Guard()


class HttpError(Exception):
    """There is no usable response. The message explains why."""


class AddressBlockedError(HttpError):
    """The address is not allowed, so nothing was sent."""


class HttpTimeoutError(HttpError):
    """The request did not finish within its time limit."""


class ResponseTooLargeError(HttpError):
    """The response is too large."""


class CancelHandle:
    """A handle that cancels a request from another thread, because its caller no longer waits."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._is_cancelled = False
        self._lock = threading.Lock()

    def attach_socket(self, sock: socket.socket) -> None:
        with self._lock:
            self._socket = sock
        if self._is_cancelled:
            self.cancel()

    def cancel(self) -> None:
        with self._lock:
            self._is_cancelled = True
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response of any status, including redirects.

    Header names are in lower case, and repeated headers are joined with a comma. `body` is decompressed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def fetch(
    method: str,
    url: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    seconds: float = TIMEOUT_SECONDS,
    max_bytes: int = MAX_BYTES,
    guard: Guard = PUBLIC_GUARD,
    hang_up: CancelHandle | None = None,
) -> Reply:
    """Send one request.

    `seconds` limits the total time for name resolution, connecting, TLS, sending and reading the response. The body may
    have at most `max_bytes` bytes, both compressed and decompressed. With 0, it is not read at all. Raise HttpError if
    there is no usable response. Never call it in a transaction.
    """
    until = time.monotonic() + seconds
    request, parts = _build_request(method, url, body, headers or {})
    try:
        wire = _TimedConnection(_connect(parts, until, guard), until, byte_budget=MAX_HEAD_BYTES + 2 * _BUFFER_BYTES)
        if hang_up is not None:
            hang_up.attach_socket(wire.socket)
        try:
            return _exchange(wire, request, body, max_bytes)
        finally:
            wire.socket.close()
    except NonPublicAddressError as refusal:
        raise AddressBlockedError(str(refusal)) from None
    except TimeoutError:
        raise HttpTimeoutError(f"No complete response arrived within {seconds:g} s") from None
    except ssl.SSLCertVerificationError:
        raise HttpError(f"The certificate of {parts.hostname} is not valid") from None
    except h11.RemoteProtocolError:
        raise HttpError("The response is not valid HTTP, or it ended early") from None
    except OSError:
        raise HttpError(f"Could not connect to {parts.hostname}") from None


def _build_request(method: str, url: str, body: bytes, headers: Mapping[str, str]) -> tuple[h11.Request, SplitResult]:
    try:
        parts = urlsplit(clean_web_address(url))
    except ValueError as problem:
        raise AddressBlockedError(str(problem)) from None
    if taken := _RESERVED_HEADERS.intersection(name.lower() for name in headers):
        raise ValueError(f"The request sets reserved headers: {', '.join(sorted(taken))}")
    own = {"Host": parts.netloc, "User-Agent": "workspace-tools", "Accept": "*/*"}
    named = {name.lower() for name in headers}
    sent = [(name, value) for name, value in own.items() if name.lower() not in named]
    sent += [*headers.items(), ("Accept-Encoding", "gzip"), ("Connection", "close")]
    if body or method in ("POST", "PUT", "PATCH"):
        sent.append(("Content-Length", str(len(body))))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        return h11.Request(method=method, target=target, headers=sent), parts
    except h11.LocalProtocolError as problem:
        raise ValueError(str(problem)) from None


def _remaining_seconds(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _connect(parts: SplitResult, until: float, guard: Guard) -> socket.socket:
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    addresses = guard.resolve_addresses(host, port, _remaining_seconds(until))[:MAX_ADDRESSES]
    sock = _connect_to_first(addresses, port, until)
    if not secure:
        return sock
    try:
        sock.settimeout(_remaining_seconds(until))
        return guard.ssl_context().wrap_socket(sock, server_hostname=host)
    except BaseException:
        sock.close()
        raise


def _connect_to_first(addresses: list[Address], port: int, until: float) -> socket.socket:
    """Connect to the first address that responds, sharing the time among the addresses."""
    for left_over in range(len(addresses) - 1, 0, -1):
        address = addresses[-left_over - 1]
        with suppress(OSError):
            return socket.create_connection((str(address), port), _remaining_seconds(until) / (left_over + 1))
    return socket.create_connection((str(addresses[-1]), port), _remaining_seconds(until))


class _TimedConnection:
    """A connection with a limit for its time and for its bytes outside the body.

    These are headers and chunk headers. Tiny chunks take more time to read than their size suggests.
    """

    def __init__(self, sock: socket.socket, until: float, byte_budget: int) -> None:
        self.socket, self.deadline, self.byte_budget = sock, until, byte_budget

    def send(self, data: bytes) -> None:
        rest = memoryview(data)
        # a server may close early, and its response may explain why
        with suppress(BrokenPipeError, ConnectionResetError):
            while rest:
                self.socket.settimeout(_remaining_seconds(self.deadline))
                rest = rest[self.socket.send(rest) :]

    def receive(self) -> bytes:
        self.socket.settimeout(_remaining_seconds(self.deadline))
        data = self.socket.recv(_BUFFER_BYTES)
        self.byte_budget -= len(data)
        if self.byte_budget < 0:
            raise ResponseTooLargeError("The response is too large")
        return data


def _exchange(wire: _TimedConnection, request: h11.Request, body: bytes, max_bytes: int) -> Reply:
    talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
    said = [talk.send(request), talk.send(h11.Data(body)) if body else b"", talk.send(h11.EndOfMessage())]
    wire.send(b"".join(part or b"" for part in said))
    response: h11.Response | None = None
    received: list[bytes] = []
    size = 0
    while True:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            talk.receive_data(wire.receive())
        elif isinstance(event, h11.Response):
            response = event
            if max_bytes == 0:
                break
            wire.byte_budget += max_bytes // 16
        elif isinstance(event, h11.Data):
            size += len(event.data)
            if size > max_bytes:
                raise ResponseTooLargeError(f"The response is larger than {max_bytes:,} bytes")
            wire.byte_budget += len(event.data)
            received.append(bytes(event.data))
        elif isinstance(event, h11.EndOfMessage):
            break
    assert response is not None
    headers: dict[str, str] = {}
    for name, value in ((name.decode("ascii"), value.decode("latin-1")) for name, value in response.headers):
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Reply(response.status_code, headers, _decompress(b"".join(received), headers, max_bytes))


def _decompress(body: bytes, headers: Mapping[str, str], max_bytes: int) -> bytes:
    coding = headers.get("content-encoding", "").strip().lower()
    if not body or coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip"):
        raise HttpError("The response uses a compression that was not requested")
    unpacking = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacking.decompress(body, max_bytes + 1)
    except zlib.error:
        raise HttpError("The response could not be decompressed") from None
    if len(unpacked) > max_bytes:
        raise ResponseTooLargeError(f"The response is larger than {max_bytes:,} bytes when decompressed")
    if not unpacking.eof or unpacking.unused_data:
        raise HttpError("The response could not be decompressed")
    return unpacked
