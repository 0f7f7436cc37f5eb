"""The fake Stripe as a server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from workspace.testing.fake_stripe import FakeStripe, StripeApiError


@contextmanager
def fake_stripe(stripe: FakeStripe | None = None) -> Iterator[FakeStripe]:
    fake = stripe or FakeStripe()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            given = dict(parse_qsl(body, keep_blank_values=True))
            headers = {name.lower(): value for name, value in self.headers.items()}
            if self.path.startswith("/c/"):
                html, to = fake.page(self.command, urlsplit(self.path).path, given)
                self._send(303 if to else 200, html.encode(), "text/html", to)
                return
            fake.requests.append((self.command, self.path, given, headers))
            status: int | None = 0
            if fake.failing:
                failing = fake.failing[0] if callable(fake.failing[0]) else fake.failing.pop(0)
                status = failing(self.command, self.path) if callable(failing) else failing
            if status is None:  # close the connection without a response
                self.close_connection = True
                return
            try:
                answered = (
                    (status, {"error": {"message": "Later."}})
                    if status
                    else fake.handle_request(self.command, self.path, given, headers)
                )
            except StripeApiError as no:
                answered = (no.status, no.body)
            self._send(answered[0], json.dumps(answered[1]).encode(), "application/json")

        do_GET = do_DELETE = do_POST

        def _send(self, status: int, body: bytes, kind: str, to: str = "") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if to:
                self.send_header("Location", to)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
