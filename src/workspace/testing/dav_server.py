"""Servers on loopback: a real one for CalDAV and CardDAV (Radicale), and one with answers set by the test."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from xml.sax.saxutils import escape

LOOPBACK = ["127.0.0.0/8"]
USER, PASSWORD = "olive", "right horse"
_CALENDAR = (
    '<?xml version="1.0"?><d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>'
    "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>{name}</d:displayname>"
    '<c:supported-calendar-component-set><c:comp name="{kind}"/></c:supported-calendar-component-set>'
    "</d:prop></d:set></d:mkcol>"
)
_BOOK = (
    '<?xml version="1.0"?><d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:set><d:prop>'
    "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype><d:displayname>{name}</d:displayname>"
    "</d:prop></d:set></d:mkcol>"
)
Answer = tuple[str, dict[str, str], bytes]


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None: ...


class Server:
    """A WSGI server.

    `asked` lists the method, path and headers of each request. `answer(environ)` can replace the application.
    """

    def __init__(self, program: Any) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.answer: Callable[[dict[str, Any]], Answer | None] = lambda environ: None
        self._program = program
        self._server: WSGIServer = make_server("127.0.0.1", 0, self._run, handler_class=_Quiet)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def methods(self) -> list[str]:
        """Return the methods of all requests since the last call."""
        found = [method for method, *_ in self.asked]
        self.asked.clear()
        return found

    def _run(self, environ: dict[str, Any], start: Any) -> Any:
        headers = {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name[:5] == "HTTP_"}
        self.asked.append((environ["REQUEST_METHOD"], environ["PATH_INFO"], headers))
        said = self.answer(environ)
        if said is None:
            return self._program(environ, start)
        status, more, body = said
        start(status, list(more.items()))
        return [body]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(60)


def _nothing(environ: dict[str, Any], start: Any) -> list[bytes]:
    start("404 Not Found", [])
    return [b""]


@contextmanager
def serve_answer(answer: Callable[[dict[str, Any]], Answer | None]) -> Iterator[Server]:
    server = Server(_nothing)
    server.answer = answer
    try:
        yield server
    finally:
        server.stop()


class Radicale(Server):
    """A Radicale server with one user. `make` creates the user's calendars."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from radicale import config
            from radicale.app import Application

            (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
            configuration = config.load()
            configuration.update(
                {
                    "auth": {"type": "htpasswd", "htpasswd_filename": str(folder / "users"), "delay": "0"}
                    | {"htpasswd_encryption": "plain"},
                    "storage": {"filesystem_folder": str(folder / "collections")},
                    "logging": {"level": "critical"},
                },
                "tests",
            )
            super().__init__(Application(configuration))

    def create_calendar(self, path: str, name: str, kind: str = "VEVENT") -> str:
        self.send("MKCOL", f"/{USER}/{path}/", _CALENDAR.format(name=escape(name), kind=kind).encode())
        return f"{self.url}/{USER}/{path}/"

    def create_address_book(self, path: str, name: str) -> str:
        self.send("MKCOL", f"/{USER}/{path}/", _BOOK.format(name=escape(name)).encode())
        return f"{self.url}/{USER}/{path}/"

    def send(self, method: str, path: str, body: bytes = b"", kind: str = "text/calendar") -> tuple[int, bytes]:
        """Send a request as another of the user's programs would."""
        import base64
        from http.client import HTTPConnection

        connection = HTTPConnection("127.0.0.1", self._server.server_port)
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        connection.request(method, path, body, {"Authorization": f"Basic {token}", "Content-Type": kind})
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        assert reply.status < 300 or method == "GET", (reply.status, content)
        return reply.status, content


@contextmanager
def radicale(folder: Path) -> Iterator[Radicale]:
    server = Radicale(folder)
    try:
        yield server
    finally:
        server.stop()
