"""One call of the WSGI application, as it runs in a pool thread."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO, Any

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.asgi_types import Environ, WSGIApp
from workspace.interfaces.server.response_stream import ClientGone, Stream

BLOCK = 256 * 1024
# A connection's own affair, not the application's: passed on, they would break its framing.
_HOP_BY_HOP = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"trailer", b"te"})

Headers = list[tuple[bytes, bytes]]


class FileWrapper:
    """`wsgi.file_wrapper`: a file that the bridge sends block by block, using a thread only to read."""

    def __init__(self, file: IO[bytes], block_size: int = BLOCK) -> None:
        self.file = file
        self.close: Callable[[], None] = getattr(file, "close", lambda: None)

    def __iter__(self) -> Iterable[bytes]:
        return iter(lambda: self.file.read(BLOCK), b"")


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer whose body is all there, or whose `file` still holds the rest of it."""

    status: int
    headers: Headers
    body: bytes
    file: FileWrapper | None = None


class Call:
    """Run it in a thread. It either returns a Whole, or gives `begin` a Stream and returns None at its end.

    It raises nothing: a failure of the application is logged here and returned as None.
    """

    def __init__(
        self,
        wsgi: WSGIApp,
        environ: Environ,
        loop: asyncio.AbstractEventLoop,
        begin: Callable[[Stream], None],
    ) -> None:
        self.wsgi = wsgi
        self.environ = environ
        self.loop = loop
        self.begin = begin
        self.status = 0
        self.headers: Headers = []
        self.stream: Stream | None = None

    def __call__(self) -> Whole | None:
        try:
            whole = self._run()
        except ClientGone:
            whole = None
        except BaseException:
            log.exception("request_failed", method=self.environ["REQUEST_METHOD"])
            if self.stream is not None:
                self.stream.fail()
            return None
        if self.stream is not None:
            self.stream.end()
        return whole

    def _run(self) -> Whole | None:
        iterable: Any = self.wsgi(self.environ, self._start_response)
        whole: Whole | None = None
        try:
            whole = self._take(iterable)
            return whole
        finally:
            if (whole is None or whole.file is None) and hasattr(iterable, "close"):
                iterable.close()

    def _take(self, iterable: Any) -> Whole | None:
        if isinstance(iterable, FileWrapper) and not self._is_head():
            return self._take_file(iterable)
        if not _is_lazy(iterable) and self.stream is None:
            return self._whole(b"".join(iterable))
        if not self._is_head():
            for chunk in iterable:
                if chunk:
                    self._write(chunk)
        return self._whole(b"") if self.stream is None else None

    def _take_file(self, wrapper: FileWrapper) -> Whole:
        body = wrapper.file.read(BLOCK)
        if len(body) < BLOCK:
            more = wrapper.file.read(BLOCK)  # a short read alone does not prove the end
            body += more
            if not more:
                return self._whole(body)
        return Whole(self._started(), self.headers, body, wrapper)

    def _whole(self, body: bytes) -> Whole:
        status = self._started()
        unknown = self._is_head() and not body  # a HEAD of an answer that was not produced
        if not unknown and status not in (204, 304) and not any(name == b"content-length" for name, _ in self.headers):
            self.headers.append((b"content-length", b"%d" % len(body)))
        return Whole(status, self.headers, b"" if self._is_head() else body)

    def _is_head(self) -> bool:
        return bool(self.environ["REQUEST_METHOD"] == "HEAD")

    def _started(self) -> int:
        if not self.status:
            raise RuntimeError("The application answered without calling start_response")
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
        return self._write

    def _write(self, chunk: bytes) -> None:
        if self.stream is None:
            self.stream = Stream(self.loop, self._started(), self.headers)
            self.begin(self.stream)
        if not self._is_head():
            self.stream.put(chunk)


def _is_lazy(iterable: Any) -> bool:
    """Whether asking for the next chunk may take time. Django marks its answers; a list is all there."""
    return bool(getattr(iterable, "streaming", not isinstance(iterable, list | tuple)))
