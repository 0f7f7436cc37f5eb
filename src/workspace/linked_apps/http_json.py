"""HTTP requests to an app outside of MCP: discovery, registration and tokens.

All responses are small JSON objects; anything else counts as no response.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_network
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings

from workspace.http_client.client import PUBLIC_GUARD, HttpError, Reply, fetch
from workspace.http_client.ssrf_guard import Guard, NonPublicAddressError
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError
from workspace.lib.messages import Message
from workspace.linked_apps import messages
from workspace.linked_apps.config import Application

TIMEOUT_SECONDS = 10.0
MAX_RESPONSE_BYTES = 256 * 1024
# Header by which apps of this kind recognize one another's calls, so that none passes on the tools of a third app.
LINKED_APP_HEADER = "Workspace-Family"
_LOOPBACK_NETWORKS = ("127.0.0.0/8", "::1/128")


class LinkedAppError(Exception):
    """An error of an app. The message is human-readable. `code` is the OAuth error code, if there is one."""

    def __init__(self, message: str | Message, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class AppUnreachableError(LinkedAppError):
    """The app did not respond."""


def find_application(name: str) -> Application | None:
    return next((one for one in settings.FAMILY if one.name == name), None)


def guard_for(app: Application) -> Guard:
    """Return a guard that allows the public internet and the app's configured networks."""
    return _build_guard((*app.networks, *(_LOOPBACK_NETWORKS if app.is_local else ())))


@cache
def _build_guard(networks: tuple[str, ...]) -> Guard:
    return Guard(allowed_networks=tuple(ip_network(one) for one in networks)) if networks else PUBLIC_GUARD


def validate_url(app: Application, url: Any, name: str) -> str:
    """Return a URL from an app's metadata if it is safe to send secrets and people there.

    `name` is the name of the URL in the metadata. Raise LinkedAppError if it is not safe.
    """
    if not isinstance(url, str) or not url.isprintable() or len(url) > 2000 or any(char.isspace() for char in url):
        raise LinkedAppError(messages.URL_NEEDED(title=app.title, name=name))
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (app.is_local and parts.scheme == "http")
    if not is_safe or not parts.hostname or parts.fragment:
        raise LinkedAppError(messages.URL_NOT_SECURE(title=app.title, name=name))
    try:
        guard_for(app).check_url(url)
    except NonPublicAddressError as problem:
        raise LinkedAppError(messages.URL_NOT_ALLOWED(title=app.title, name=name, problem=problem)) from None
    return url


def send_request(
    app: Application,
    method: str,
    url: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    seconds: float = TIMEOUT_SECONDS,
) -> Reply:
    """Send a request. Raise AppUnreachableError if there is no response."""
    try:
        return fetch(method, url, body, headers, seconds=seconds, max_bytes=MAX_RESPONSE_BYTES, guard=guard_for(app))
    except HttpError as problem:
        raise AppUnreachableError(str(problem)) from None


def fetch_document(app: Application, url: str) -> dict[str, Any] | None:
    """Return the JSON object at a URL, or None if there is none.

    Raise AppUnreachableError if there is no response.
    """
    reply = send_request(app, "GET", url, headers={"Accept": "application/json"})
    if reply.status >= 500:
        raise AppUnreachableError(messages.HOST_FAILED(host=urlsplit(url).hostname, status=reply.status))
    return _parse_object(reply) if reply.status == 200 else None


def post_json(app: Application, url: str, value: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Post JSON. Return the status and the JSON object. Raise AppUnreachableError if there is no response."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    reply = send_request(app, "POST", url, strict_json.dumps(value), headers)
    return reply.status, _parse_object(reply) or {}


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """This instance as the client of an authorization server. `secret` is empty for a public client."""

    id: str
    secret: str = ""


def post_form(
    app: Application, url: str, client: OAuthClient, fields: Mapping[str, str], *, seconds: float = TIMEOUT_SECONDS
) -> tuple[int, dict[str, Any]]:
    """Post a form with the client's credentials to a token or revocation endpoint.

    Raise AppUnreachableError if there is no response.
    """
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if client.secret:
        pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        body = urlencode(fields)
    else:
        body = urlencode({**fields, "client_id": client.id})
    reply = send_request(app, "POST", url, body.encode(), headers, seconds=seconds)
    if reply.status >= 500:
        raise AppUnreachableError(messages.HOST_FAILED(host=urlsplit(url).hostname, status=reply.status))
    return reply.status, _parse_object(reply) or {}


def _parse_object(reply: Reply) -> dict[str, Any] | None:
    try:
        value = strict_json.parse(reply.body)
        strict_json.check_storable(value)
    except InvalidInputError:
        return None
    return value if isinstance(value, dict) else None
