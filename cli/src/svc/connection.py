"""An HTTP connection to the service, using the standard library because importing a client library takes 200 ms."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlencode, urlsplit

from svc import __version__
from svc.errors import NetworkError

MAX_ANSWER_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024
_CLOSED_ERRORS = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.RemoteDisconnected)


class HttpAnswer(NamedTuple):
    """A response. `status` is the HTTP status, `headers` are case-insensitive, and `body` is the raw bytes."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def parse_json(self) -> Any:
        """Return the body as JSON, or None if it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Connection:
    """Requests to one base URL over a persistent connection. Redirects are not followed, so the key is not leaked."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        timeout: float = 60,
        on_response: Callable[[str], None] | None = None,
    ) -> None:
        """Set up the connection. `on_response` is called with one line about each response."""
        self._on_answer = on_response
        self.base_url = base_url
        self._key = key
        self._prefix = urlsplit(base_url).path
        self._timeout = timeout
        self._http: http.client.HTTPConnection | None = None

    def request(
        self,
        method: str,
        path: str,
        query: dict[str, str] | None = None,
        body: Any = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> HttpAnswer:
        """Send a request. Raise NetworkError if no complete response is received.

        The request is retried only if that is harmless: a GET, or a write with an Idempotency-Key on a persistent
        connection that the service had closed.
        """
        sent = {"Accept": "application/json", "User-Agent": f"svc/{__version__}", **(headers or {})}
        if self._key:
            sent["Authorization"] = f"Bearer {self._key}"
        payload = raw
        if body is not None:
            payload = json.dumps(body, allow_nan=False).encode()
            sent["Content-Type"] = "application/json"
        target = self._prefix + path + ("?" + urlencode(query) if query else "")
        reused = self._http is not None
        try:
            return self._send_once(method, target, payload, sent)
        except _CLOSED_ERRORS as problem:
            if method != "GET" and not (reused and "Idempotency-Key" in sent):
                raise self._network_error(problem) from problem
        except (OSError, http.client.HTTPException) as problem:
            raise self._network_error(problem) from problem
        try:
            return self._send_once(method, target, payload, sent)
        except (OSError, http.client.HTTPException) as problem:
            raise self._network_error(problem) from problem

    def download(self, path: str, to: BinaryIO) -> HttpAnswer:
        """Send a GET and, if the status is 200, write the body in chunks. The response then has no body."""
        try:
            self.close()
            self._http = self._open_http()
            sent = {
                "User-Agent": f"svc/{__version__}",
                **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
            }
            self._http.request("GET", self._prefix + path, headers=sent)
            response = self._http.getresponse()
            if response.status != 200:
                return HttpAnswer(response.status, response.headers, response.read(MAX_ANSWER_BYTES))
            while piece := response.read(_CHUNK_BYTES):
                to.write(piece)
            return HttpAnswer(response.status, response.headers, b"")
        except (OSError, http.client.HTTPException) as problem:
            raise self._network_error(problem) from problem
        finally:
            self.close()

    def close(self) -> None:
        if self._http:
            self._http.close()
            self._http = None

    def _send_once(self, method: str, target: str, payload: bytes | None, headers: dict[str, str]) -> HttpAnswer:
        begun = time.monotonic()
        try:
            if self._http is None:
                self._http = self._open_http()
            self._http.request(method, target, payload, headers)
            response = self._http.getresponse()
            content = response.read(MAX_ANSWER_BYTES + 1)
        except BaseException:
            self.close()
            raise
        if len(content) > MAX_ANSWER_BYTES:
            self.close()
            raise NetworkError("The service's response is larger than 64 MB.")
        if response.will_close:
            self.close()
        if self._on_answer:
            request = response.headers.get("X-Request-Id", "none")
            took = time.monotonic() - begun
            self._on_answer(
                f"{method} {target} {response.status}, {len(content)} bytes, {took:.2f} s, request {request}"
            )
        return HttpAnswer(response.status, response.headers, content)

    def _open_http(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.base_url)
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=self._timeout)
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self._timeout)

    def _network_error(self, problem: Exception) -> NetworkError:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        if isinstance(problem, TimeoutError):
            reason = f"no response within {self._timeout:g} s"
        return NetworkError(
            f"Could not reach {self.base_url}: {reason}.\nCheck the address (SVC_BASE_URL) and your connection."
        )
