"""Error responses of the HTTP server itself: the same JSON as other errors, or an HTML page."""

import json
from dataclasses import dataclass, field
from typing import Any

from workspace.interfaces.server.asgi_types import Scope, Send

REQUEST_ID = "workspace.request_id"
CLIENT_ADDRESS = "workspace.client_address"
REJECTION_DELAY_SECONDS = 1.0  # delay before a rate-limited client gets its answer, as it would retry at once
# `page(scope, status)`: HTML and its language for browsers, or None for other clients
ERROR_PAGE = "workspace.refusal_page"
_CONTENT_SECURITY_POLICY = b"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'"


@dataclass(slots=True)
class RequestRejectedError(Exception):
    """A request that is rejected before any application handles it."""

    status: int
    error: str
    message: str
    issues: list[dict[str, str]] = field(default_factory=list)
    retry_after: int | None = None
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)


def invalid_input_error(message: str) -> RequestRejectedError:
    return RequestRejectedError(400, "invalid_input", message, [{"path": "", "message": message}])


def busy_error() -> RequestRejectedError:
    return RequestRejectedError(503, "busy", "Too many requests at once. Try again in a few seconds.", retry_after=2)


def rate_limited_error() -> RequestRejectedError:
    message = "Too many requests from your network. Wait a few seconds, then try again."
    return RequestRejectedError(429, "rate_limited", message, retry_after=5)


def internal_error() -> RequestRejectedError:
    """Build the error for an unexpected failure, without details."""
    return RequestRejectedError(
        500, "internal_error", "Something went wrong on our side. Try again. If the problem continues, contact us."
    )


def unavailable_error() -> RequestRejectedError:
    """Build the error for a request body that does not fit on the disk."""
    message = "We can’t receive data right now. Nothing was changed. Try again in a minute."
    return RequestRejectedError(503, "unavailable", message, retry_after=60)


async def send_health(scope: Scope, send: Send, health: tuple[bool, dict[str, Any]]) -> None:
    """Send the response of /healthz or /readyz: 200 or 503 with details."""
    well, details = health
    body = json.dumps({"ok": well, **details}, ensure_ascii=False).encode()
    if scope["method"] not in ("GET", "HEAD"):
        raise RequestRejectedError(405, "method_not_allowed", "Use GET for this URL")
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 200 if well else 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


async def send_error(scope: Scope, send: Send, refused: RequestRejectedError) -> None:
    """Send the complete response for an error."""
    state = scope.get("state", {})
    body, headers = _render_error(scope, refused, state.get(REQUEST_ID))
    headers += [(b"content-length", b"%d" % len(body)), (b"cache-control", b"no-store"), *refused.headers]
    if refused.retry_after is not None:
        headers.append((b"retry-after", b"%d" % refused.retry_after))
    if request_id := state.get(REQUEST_ID):
        headers.append((b"x-request-id", request_id.encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _render_error(
    scope: Scope, refused: RequestRejectedError, request_id: str | None
) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    page = scope.get("state", {}).get(ERROR_PAGE)
    if page is not None and (shown := page(scope, refused.status)) is not None:
        html, language = shown
        page_headers = [(b"content-language", language.encode()), (b"vary", b"accept, accept-language")]
        return html, [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-security-policy", _CONTENT_SECURITY_POLICY),
            *page_headers,
        ]
    content: dict[str, object] = {"ok": False, "error": refused.error, "message": refused.message}
    if refused.issues:
        content["issues"] = refused.issues
    if refused.retry_after is not None:
        content["retryAfter"] = refused.retry_after
    if request_id:
        content["request_id"] = request_id
    return json.dumps(content, ensure_ascii=False).encode(), [(b"content-type", b"application/json")]
