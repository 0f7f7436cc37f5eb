"""What is said to an application outside of MCP (finding its authorization server, registering, tokens), by the one way
out. All of it is small, quick JSON; anything else is no answer."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_network
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings

from workspace.http_client.client import PUBLIC, NoReply, Reply, fetch
from workspace.http_client.ssrf_guard import Guard, NotPublic
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput
from workspace.linked_apps.config import Application

SECONDS = 10.0
MOST = 256 * 1024
# by which applications of one kind know each other's calls: none hands on what a third one offers
HEADER = "Workspace-Family"
_LOOPBACK = ("127.0.0.0/8", "::1/128")


class Trouble(Exception):
    """The text says for people what is wrong at the application. `code` is OAuth's where it gave one."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code


class Unreachable(Trouble):
    """It gave no answer at all."""


def application(name: str) -> Application | None:
    return next((one for one in settings.FAMILY if one.name == name), None)


def guard(app: Application) -> Guard:
    """Where an application may lead: onto the public internet, and where its operator said that it is."""
    return _guard((*app.networks, *(_LOOPBACK if app.is_here else ())))


@cache
def _guard(networks: tuple[str, ...]) -> Guard:
    return Guard(beside=tuple(ip_network(one) for one in networks)) if networks else PUBLIC


def judged(app: Application, url: Any, what: str) -> str:
    """An address that an application told, as long as it may be used: secrets go there, or people. Raises Trouble."""
    if not isinstance(url, str) or not url.isprintable() or len(url) > 2000 or any(char.isspace() for char in url):
        raise Trouble(f"{app.title} tells no {what} that can be used")
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (app.is_here and parts.scheme == "http")
    if not is_safe or not parts.hostname or parts.fragment:
        raise Trouble(f"{app.title} tells a {what} that is not https")
    try:
        guard(app).judge(url)
    except NotPublic as problem:
        raise Trouble(f"{app.title} tells a {what} that may not be used: {problem}") from None
    return url


def ask(
    app: Application,
    method: str,
    url: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    *,
    seconds: float = SECONDS,
) -> Reply:
    """Raises Unreachable."""
    try:
        return fetch(method, url, body, headers, seconds=seconds, most=MOST, guard=guard(app))
    except NoReply as problem:
        raise Unreachable(str(problem)) from None


def document(app: Application, url: str) -> dict[str, Any] | None:
    """The JSON object at an address; None where there is none. Raises Unreachable."""
    reply = ask(app, "GET", url, headers={"Accept": "application/json"})
    if reply.status >= 500:
        raise Unreachable(f"{urlsplit(url).hostname} answered {reply.status}")
    return _object(reply) if reply.status == 200 else None


def post(app: Application, url: str, value: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Raises Unreachable."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    reply = ask(app, "POST", url, strict_json.written(value), headers)
    return reply.status, _object(reply) or {}


@dataclass(frozen=True, slots=True)
class Client:
    """This installation at an authorization server; `secret` is empty for a public client."""

    id: str
    secret: str = ""


def form(
    app: Application, url: str, client: Client, fields: Mapping[str, str], *, seconds: float = SECONDS
) -> tuple[int, dict[str, Any]]:
    """A form with the client's own name, as the token and revocation endpoints take it. Raises Unreachable."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    if client.secret:
        pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        body = urlencode(fields)
    else:
        body = urlencode({**fields, "client_id": client.id})
    reply = ask(app, "POST", url, body.encode(), headers, seconds=seconds)
    if reply.status >= 500:
        raise Unreachable(f"{urlsplit(url).hostname} answered {reply.status}")
    return reply.status, _object(reply) or {}


def _object(reply: Reply) -> dict[str, Any] | None:
    try:
        value = strict_json.parse(reply.body)
        strict_json.check(value)
    except InvalidInput:
        return None
    return value if isinstance(value, dict) else None
