"""A receiver of webhooks on loopback that verifies them with `standardwebhooks`, as an owner's system would."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook

PATIENCE = 120  # seconds within which everything has ended, even on a busy machine


@dataclass
class Receiver:
    """A receiver.

    `answers` has a status and headers for each request in turn, followed by 204. `got` lists headers and bodies.
    """

    url: str = ""
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def verified(self, secret: str, place: int = -1) -> Any:
        """Return the verified content of a request. Raise WebhookVerificationError if the secret does not match."""
        headers, body = self.got[place]
        return Webhook(secret).verify(body, headers)

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.got]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status, headers = receiver.answers.pop(0) if receiver.answers else (204, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)
