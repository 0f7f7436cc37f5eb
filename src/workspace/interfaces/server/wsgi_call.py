"""One call of the WSGI application in a pool thread."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO, Any

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.asgi_types import Environ, WSGIApp
from workspace.interfaces.server.response_stream import ClientDisconnectedError, ResponseStream

BLOCK_SIZE = 256 * 1024
# Hop-by-hop headers belong to the connection. Passing them on would break its framing.
_HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"trailer", b"te"})

Headers = list[tuple[bytes, bytes]]


class FileWrapper:
    """A `wsgi.file_wrapper`. The bridge sends the file in blocks and uses a thread only for reading."""

    def __init__(self, file: IO[bytes], block_size: int = BLOCK_SIZE) -> None:
        self.file = file
        self.close: Callable[[], None] = getattr(file, "close", lambda: None)

    def __iter__(self) -> Iterable[bytes]:
        return iter(lambda: self.file.read(BLOCK_SIZE), b"")


@dataclass(frozen=True, slots=True)
class CompleteResponse:
    """A response whose body is complete, or whose `file` contains the rest of it."""

    status: int
    headers: Headers
    body: bytes
    file: FileWrapper | None = None


class WsgiCall:
    """A call of the WSGI application, to be run in a thread.

    It returns a CompleteResponse, or passes a ResponseStream to `begin` and returns None at the end.

    It never raises. A failure of the application is logged here and returned as None.
    """

    def __init__(
        self,
        wsgi: WSGIApp,
        environ: Environ,
        loop: asyncio.AbstractEventLoop,
        begin: Callable[[ResponseStream], None],
    ) -> None:
        self.wsgi = wsgi
        self.environ = environ
        self.loop = loop
        self.on_stream = begin
        self.status = 0
        self.headers: Headers = []
        self.stream: ResponseStream | None = None

    def __call__(self) -> CompleteResponse | None:
        try:
            whole = self._run_app()
        except ClientDisconnectedError:
            whole = None
        except BaseException:
            log.exception("request_failed", method=self.environ["REQUEST_METHOD"])
            if self.stream is not None:
                self.stream.fail()
            return None
        if self.stream is not None:
            self.stream.finish()
        return whole

    def _run_app(self) -> CompleteResponse | None:
        iterable: Any = self.wsgi(self.environ, self._start_response)
        whole: CompleteResponse | None = None
        try:
            whole = self._read_response(iterable)
            return whole
        finally:
            if (whole is None or whole.file is None) and hasattr(iterable, "close"):
                iterable.close()

    def _read_response(self, iterable: Any) -> CompleteResponse | None:
        if isinstance(iterable, FileWrapper) and not self._is_head():
            return self._read_file(iterable)
        if not _is_lazy(iterable) and self.stream is None:
            return self._complete_response(b"".join(iterable))
        if not self._is_head():
            for chunk in iterable:
                if chunk:
                    self._write_chunk(chunk)
        return self._complete_response(b"") if self.stream is None else None

    def _read_file(self, wrapper: FileWrapper) -> CompleteResponse:
        body = wrapper.file.read(BLOCK_SIZE)
        if len(body) < BLOCK_SIZE:
            more = wrapper.file.read(BLOCK_SIZE)  # a short read alone does not prove the end
            body += more
            if not more:
                return self._complete_response(body)
        return CompleteResponse(self._get_status(), self.headers, body, wrapper)

    def _complete_response(self, body: bytes) -> CompleteResponse:
        status = self._get_status()
        unknown = self._is_head() and not body  # a HEAD whose body was not produced
        if not unknown and status not in (204, 304) and not any(name == b"content-length" for name, _ in self.headers):
            self.headers.append((b"content-length", b"%d" % len(body)))
        return CompleteResponse(status, self.headers, b"" if self._is_head() else body)

    def _is_head(self) -> bool:
        return bool(self.environ["REQUEST_METHOD"] == "HEAD")

    def _get_status(self) -> int:
        if not self.status:
            raise RuntimeError("The application returned a response without calling start_response")
        return self.status

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        if exc_info is not None:
            try:
                if self.stream is not None:
                    raise exc_info[1].with_traceback(exc_info[2])
            finally:
                exc_info = None
        elif self.status:
            raise RuntimeError("The application called start_response twice")
        encoded = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
        self.headers = [header for header in encoded if header[0] not in _HOP_BY_HOP]
        self.status = int(status[:3])
        return self._write_chunk

    def _write_chunk(self, chunk: bytes) -> None:
        if self.stream is None:
            self.stream = ResponseStream(self.loop, self._get_status(), self.headers)
            self.on_stream(self.stream)
        if not self._is_head():
            self.stream.write(chunk)


def _is_lazy(iterable: Any) -> bool:
    """Return whether the next chunk may take time. Django marks such responses, and a list is complete."""
    return bool(getattr(iterable, "streaming", not isinstance(iterable, list | tuple)))
