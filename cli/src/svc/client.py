"""Calling tools and parsing response envelopes into data or an error with its exit code."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlsplit

from svc.catalog import Tool
from svc.connection import Connection, HttpAnswer
from svc.errors import CliError, NetworkError, NotAuthorizedError, RateLimitedError, ToolRefusedError, UnavailableError

Wording = Callable[[str], str]


class Result(NamedTuple):
    """A result of a tool.

    `text` is the service's Markdown summary, `data` the same as JSON, and `calls_left` the number of calls left today,
    or None if unknown.
    """

    text: str
    data: Any
    calls_left: int | None


class Client:
    """A client for the tools of a service, as one account.

    Every call raises ToolRefusedError or NetworkError if it fails.
    """

    def __init__(self, connection: Connection, wording: Wording = str) -> None:
        """Set up the client. `wording` converts error messages before they are shown."""
        self.connection = connection
        self._wording = wording

    def run(self, tool: Tool, arguments: dict[str, Any], idempotency_key: str | None = None) -> Result:
        """Call a tool at its own path. Use GET if it only reads and its arguments fit into a query string."""
        if tool.method == "GET" and not any(isinstance(value, (list, dict)) for value in arguments.values()):
            query = {name: _format_query_value(value) for name, value in arguments.items()}
            return parse_result(self.connection.request("GET", tool.path, query=query), self._wording)
        return self._post(tool.path, arguments, idempotency_key)

    def call_tool(self, name: str, arguments: dict[str, Any], idempotency_key: str | None = None) -> Result:
        """Call a tool by name, whether or not the catalog contains it."""
        return self._post("/api/v1/call", {"name": name, "arguments": arguments}, idempotency_key)

    def fetch_file(self, address: str) -> bytes:
        """Fetch the file at a URL in an answer from the service to which the key belongs."""
        parts = urlsplit(address)
        path = parts.path.removeprefix(urlsplit(self.connection.base_url).path)
        answer = self.connection.request("GET", path + (f"?{parts.query}" if parts.query else ""))
        if answer.status != 200:
            envelope = answer.parse_json()
            raise error_from_answer(answer, envelope if isinstance(envelope, dict) else {}, self._wording)
        return answer.body

    def save_file(self, address: str, to: BinaryIO) -> None:
        """Save the file at a URL in an answer, regardless of its size."""
        parts = urlsplit(address)
        path = parts.path.removeprefix(urlsplit(self.connection.base_url).path)
        answer = self.connection.download(path, to)
        if answer.status != 200:
            envelope = answer.parse_json()
            raise error_from_answer(answer, envelope if isinstance(envelope, dict) else {}, self._wording)

    def upload(self, multipart: tuple[bytes, str]) -> Result:
        """Upload a multipart body with the given boundary."""
        content, mark = multipart
        headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        return parse_result(
            self.connection.request("POST", "/api/v1/upload", raw=content, headers=headers), self._wording
        )

    def _post(self, path: str, body: dict[str, Any], idempotency_key: str | None) -> Result:
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return parse_result(self.connection.request("POST", path, body=body, headers=headers), self._wording)


def parse_result(answer: HttpAnswer, wording: Wording = str) -> Result:
    """Return the content of the envelope, or raise the error that corresponds to its status and error code."""
    envelope = answer.parse_json()
    if answer.status == 200 and isinstance(envelope, dict) and envelope.get("ok") is True:
        text = envelope.get("text")
        return Result(text if isinstance(text, str) else "", envelope.get("data"), parse_calls_left(answer))
    raise error_from_answer(answer, envelope if isinstance(envelope, dict) else {}, wording)


def error_from_answer(answer: HttpAnswer, envelope: dict[str, Any], wording: Wording = str) -> CliError:
    """Return the error of a response. Proxies send no envelope, so the status is also considered."""
    error, message = str(envelope.get("error") or ""), wording(str(envelope.get("message") or ""))
    if answer.status == 429 or error == "rate_limited":
        wait = str(envelope.get("retryAfter", answer.headers.get("Retry-After")))
        seconds = int(wait) if wait.isascii() and wait.isdigit() else None
        return RateLimitedError(message or "You have used up today's calls.", seconds)
    if answer.status == 401 or error == "unauthorized":
        return NotAuthorizedError("unauthorized", f"{message or 'The key is not valid.'}\nLog in again: svc login")
    if answer.status == 403 or error == "forbidden":
        return NotAuthorizedError("forbidden", message or "This key does not have permission to do that.")
    if answer.status == 503 and error:
        return UnavailableError(error, message or "The service is unavailable. Try again in a minute.")
    if answer.status >= 500 and envelope.get("request_id"):
        message += f"\nRequest ID for the administrator: {envelope['request_id']}."
    if error:
        issues = [
            {**issue, "message": wording(str(issue.get("message")))}
            for issue in envelope.get("issues") or []
            if isinstance(issue, dict)
        ]
        again = envelope.get("retryAfter")
        return ToolRefusedError(error, message or error, issues, again if isinstance(again, int) else None)
    if 300 <= answer.status < 400:
        place = answer.headers.get("Location", "another address")
        return NetworkError(f"The service has moved to {place}. Set SVC_BASE_URL to the new address.")
    return NetworkError(f"The service returned {answer.status} but no JSON. Check SVC_BASE_URL.")


def parse_calls_left(answer: HttpAnswer) -> int | None:
    """Return how many calls are left in today's quota, from the RateLimit header."""
    found = re.search(r";\s*r=(\d+)", answer.headers.get("RateLimit", ""))
    return int(found[1]) if found else None


def _format_query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
