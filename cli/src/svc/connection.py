"""One HTTP connection to the service, on the standard library: importing a client library costs 200 ms."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlencode, urlsplit

from svc import __version__
from svc.errors import NetworkFailure

LARGEST_ANSWER = 64 * 1024 * 1024
_PIECE = 1024 * 1024
_CLOSED = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.RemoteDisconnected)


class Answer(NamedTuple):
    """status: HTTP status; headers: case-insensitive; body: raw bytes."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        """The body as JSON, None when it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Connection:
    """Requests to one base URL over a kept connection. Redirects are not followed: the key stays here."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        timeout: float = 60,
        heard: Callable[[str], None] | None = None,
    ) -> None:
        """heard: told a line about each answer."""
        self._heard = heard
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
    ) -> Answer:
        """Send one request. Raises NetworkFailure when no complete answer comes back.

        Sent a second time only where repeating is harmless: a GET, or a write with an Idempotency-Key
        on a kept connection that the service had closed meanwhile.
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
            return self._exchange(method, target, payload, sent)
        except _CLOSED as problem:
            if method != "GET" and not (reused and "Idempotency-Key" in sent):
                raise self._failure(problem) from problem
        except (OSError, http.client.HTTPException) as problem:
            raise self._failure(problem) from problem
        try:
            return self._exchange(method, target, payload, sent)
        except (OSError, http.client.HTTPException) as problem:
            raise self._failure(problem) from problem

    def save(self, path: str, to: BinaryIO) -> Answer:
        """GET what may be large, written piece by piece where it is there (200); the answer then has no body."""
        try:
            self.close()
            self._http = self._open()
            sent = {
                "User-Agent": f"svc/{__version__}",
                **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
            }
            self._http.request("GET", self._prefix + path, headers=sent)
            response = self._http.getresponse()
            if response.status != 200:
                return Answer(response.status, response.headers, response.read(LARGEST_ANSWER))
            while piece := response.read(_PIECE):
                to.write(piece)
            return Answer(response.status, response.headers, b"")
        except (OSError, http.client.HTTPException) as problem:
            raise self._failure(problem) from problem
        finally:
            self.close()

    def close(self) -> None:
        if self._http:
            self._http.close()
            self._http = None

    def _exchange(self, method: str, target: str, payload: bytes | None, headers: dict[str, str]) -> Answer:
        begun = time.monotonic()
        try:
            if self._http is None:
                self._http = self._open()
            self._http.request(method, target, payload, headers)
            response = self._http.getresponse()
            content = response.read(LARGEST_ANSWER + 1)
        except BaseException:
            self.close()
            raise
        if len(content) > LARGEST_ANSWER:
            self.close()
            raise NetworkFailure("The service's answer is larger than 64 MB.")
        if response.will_close:
            self.close()
        if self._heard:
            request = response.headers.get("X-Request-Id", "none")
            took = time.monotonic() - begun
            self._heard(f"{method} {target} {response.status}, {len(content)} bytes, {took:.2f} s, request {request}")
        return Answer(response.status, response.headers, content)

    def _open(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.base_url)
        if parts.scheme == "https":
            return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=self._timeout)
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self._timeout)

    def _failure(self, problem: Exception) -> NetworkFailure:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        if isinstance(problem, TimeoutError):
            reason = f"no answer within {self._timeout:g} s"
        return NetworkFailure(
            f"Could not reach {self.base_url}: {reason}.\nCheck the address (SVC_BASE_URL) and your connection."
        )
