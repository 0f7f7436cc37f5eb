"""Reading a request: early rejection, and the whole body before anything else happens.

A body is read on the event loop, so a slow sender occupies a connection but never a thread.
"""

import asyncio
import contextlib
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import IO, Self

from workspace.interfaces.server.asgi_types import Message, Receive, Scope, Send
from workspace.interfaces.server.error_responses import (
    REJECTION_DELAY_SECONDS,
    RequestRejectedError,
    invalid_input_error,
    send_error,
    unavailable_error,
)

MAX_MEMORY_BYTES = 256 * 1024  # bytes; a larger body is stored on disk, so that many uploads do not fill the memory
MAX_HEADER_BYTES = 8192  # bytes of one value, as in other servers: some headers are parsed in more than linear time
LINGER_SECONDS = 5.0
LINGER_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the body of a request.

    `max_body` is in bytes, `anonymous_max_body` applies to clients without credentials, and `max_body_for` returns a
    higher limit for upload paths. A body or a streamed response has `grace_seconds`, and after that must reach
    `min_rate` bytes per second. Slow connections are accepted, stalled ones are not.
    """

    max_body: int = 10 * 1024 * 1024
    anonymous_max_body: int = 64 * 1024
    grace_seconds: float = 20.0
    min_rate: int = 16 * 1024

    max_body_for: Callable[[Scope], int] | None = None

    def for_scope(self, scope: Scope) -> Self:
        """Return the limits for this request's path."""
        return self if self.max_body_for is None else replace(self, max_body=self.max_body_for(scope))

    def seconds_for(self, size: int) -> float:
        """Return the number of seconds within which `size` bytes must be transferred."""
        return self.grace_seconds + size / self.min_rate


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request, and its size in bytes."""

    file: IO[bytes]
    size: int


@dataclass(frozen=True, slots=True)
class BodyHeaders:
    """The body as announced by the headers. `length` is in bytes, or None if the body is `chunked`."""

    length: int | None
    chunked: bool


def parse_body_headers(scope: Scope) -> BodyHeaders:
    """Parse the headers that announce the body. Raise RequestRejectedError for a malformed request."""
    if not scope["query_string"].isascii():
        raise invalid_input_error("The URL contains characters that must be percent-encoded after the question mark.")
    if b"\0" in scope["raw_path"] or b"%00" in scope["raw_path"]:
        raise invalid_input_error("The URL contains a NUL character.")
    lengths: set[bytes] = set()
    encodings: list[bytes] = []
    for name, value in scope["headers"]:
        if len(value) > MAX_HEADER_BYTES:
            raise RequestRejectedError(
                431, "too_large", f"A header of this request is too long (max. {MAX_HEADER_BYTES:,} bytes)."
            )
        if name == b"content-length":
            lengths.add(value.strip())
        elif name == b"transfer-encoding":
            encodings.append(value.strip().lower())
    if len(lengths) > 1 or (lengths and encodings) or not all(map(bytes.isdigit, lengths)):
        raise invalid_input_error("The headers give different lengths for the body.")
    if encodings and encodings != [b"chunked"]:
        raise invalid_input_error("This transfer encoding is not supported. Send the body whole or chunked.")
    return BodyHeaders(int(lengths.pop()) if lengths else None, bool(encodings))


def header_values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for header, value in scope["headers"] if header == name]


SenderCheck = Callable[[], Awaitable[RequestRejectedError | None]]


async def read_body(
    announced: BodyHeaders, receive: Receive, limits: Limits, check_sender: SenderCheck | None = None
) -> Body:
    """Read the whole body.

    Raise RequestRejectedError: 413 above the limit, 408 if the body arrives too slowly, 400 if it is incomplete, or the
    error of `check_sender`, which is called before a large body is read.
    """
    length = announced.length
    if not length and not announced.chunked:
        return Body(io.BytesIO(), 0)
    if length and length > limits.max_body:
        raise _too_large_error(limits)
    if length and length > limits.anonymous_max_body:
        await _check_sender(check_sender)
        check_sender = None
    is_small = length is not None and length <= MAX_MEMORY_BYTES  # the server accepts no more bytes than announced
    # closed by whoever uses the body
    file: IO[bytes] = io.BytesIO() if is_small else SpooledTemporaryFile(MAX_MEMORY_BYTES)  # noqa: SIM115
    try:
        size = await _read_into(file, receive, limits, check_sender)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return Body(file, size)


async def _check_sender(check_sender: SenderCheck | None) -> None:
    refused = await check_sender() if check_sender is not None else None
    if refused is not None:
        await asyncio.sleep(REJECTION_DELAY_SECONDS)  # nothing is read during this time
        raise refused


async def _read_into(file: IO[bytes], receive: Receive, limits: Limits, check_sender: SenderCheck | None) -> int:
    began = asyncio.get_running_loop().time()
    size = 0
    while True:
        try:
            async with asyncio.timeout_at(began + limits.seconds_for(size)):
                message = await receive()
        except TimeoutError:
            raise RequestRejectedError(408, "timeout", "The request arrived too slowly. Try again.") from None
        if message["type"] != "http.request":
            raise invalid_input_error("The body ended early. Send the request again.")
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limits.max_body:
            raise _too_large_error(limits)
        if size > limits.anonymous_max_body:
            await _check_sender(check_sender)
            check_sender = None
        try:
            file.write(chunk)
        except OSError:  # a body too large for memory is stored on disk, and the disk is full
            raise unavailable_error() from None
        if not message.get("more_body"):
            return size


def _too_large_error(limits: Limits) -> RequestRejectedError:
    return RequestRejectedError(
        413,
        "too_large",
        f"This request is too large (max. {limits.max_body:,} bytes). Send less data at once.",
    )


async def reject_request(scope: Scope, receive: Receive, send: Send, refused: RequestRejectedError) -> None:
    """Send an error without calling the application, then briefly read and discard the rest of the body.

    Otherwise, a client that is still sending would get a connection reset instead of the response.
    """
    await send_error(scope, send, refused)
    if refused.status == 408 or header_values(scope, b"expect"):
        return  # too slow to wait for, or waiting for 100 Continue
    left = LINGER_BYTES
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
                left -= len(message.get("body", b""))


def replay_body(body: Body, receive: Receive) -> Receive:
    """Return an ASGI `receive` function that returns a body that was already read."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body.file.read(), "more_body": False}

    return receive_again
