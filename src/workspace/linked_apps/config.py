"""Parsing of the setting WORKSPACE_LINKED_APPS.

If it is wrong, the program exits with a message, because a connection to an incomplete app would never work.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

from workspace.environment import read_setting
from workspace.lib.web_address import clean_web_address

SETTING = "WORKSPACE_LINKED_APPS"
MAX_APPLICATIONS = 20
MAX_NAME_LENGTH = 12  # of the prefix of tool names, because complete names are limited to 64 characters
MAX_TITLE_LENGTH = 40
RESERVED_NAMES = ("svc", "workspace")
_LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
_NAME_PATTERN = re.compile(rf"[a-z][a-z0-9]{{1,{MAX_NAME_LENGTH - 1}}}")
_KNOWN_KEYS = {"name", "title", "url", "mcp_url", "client_id", "client_secret", "networks"}


@dataclass(frozen=True, slots=True)
class Application:
    """A linked app.

    `name` is the prefix of its tools. `client_id` and `client_secret` are our credentials at its authorization server,
    if it does not allow registration. `networks` are the private networks where it may run, in addition to the public
    internet.
    """

    name: str
    title: str
    url: str
    mcp_url: str
    client_id: str = ""
    client_secret: str = ""
    networks: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """True if the app runs on this machine, as in development."""
        return urlsplit(self.mcp_url).hostname in _LOOPBACK_HOSTS


def load_applications() -> tuple[Application, ...]:
    text = read_setting(SETTING)
    if not text:
        return ()
    try:
        entries = json.loads(text)
    except ValueError:
        raise SystemExit(
            f'{SETTING} isn’t valid JSON. Use [{{"name": …, "title": …, "url": …, "mcp_url": …}}].'
        ) from None
    if not isinstance(entries, list) or len(entries) > MAX_APPLICATIONS:
        raise SystemExit(f"{SETTING} must be a list of at most {MAX_APPLICATIONS} apps.")
    found = tuple(_parse_application(number, one) for number, one in enumerate(entries, 1))
    names = [one.name for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SystemExit(f"{SETTING} uses the name {twice[0]} twice. Use each name once.")
    return found


def _parse_application(number: int, value: Any) -> Application:
    where = f"{SETTING}, app {number}"
    if not isinstance(value, dict):
        raise SystemExit(f"{where} must be an object with name, title, url and mcp_url.")
    if unknown := sorted(value.keys() - _KNOWN_KEYS):
        raise SystemExit(f"{where}: {unknown[0]!r} is unknown. Use {', '.join(sorted(_KNOWN_KEYS))}.")
    text = {key: value.get(key, "") for key in _KNOWN_KEYS - {"networks"}}
    if wrong := sorted(key for key, value in text.items() if not isinstance(value, str)):
        raise SystemExit(f"{where}: {wrong[0]} must be text.")
    name, title = text["name"], text["title"].strip()
    if not _NAME_PATTERN.fullmatch(name) or name in RESERVED_NAMES:
        raise SystemExit(
            f"{where}: the name {name!r} isn’t valid. It is the prefix of the app’s tools. "
            f"Use 2 to {MAX_NAME_LENGTH} lowercase letters and digits, but not {' or '.join(RESERVED_NAMES)}."
        )
    if not 0 < len(title) <= MAX_TITLE_LENGTH or not title.isprintable():
        raise SystemExit(f"{where}: set a title of at most {MAX_TITLE_LENGTH} characters.")
    return Application(
        name=name,
        title=title,
        url=_parse_url(where, "url", text["url"]),
        mcp_url=_parse_url(where, "mcp_url", text["mcp_url"]),
        client_id=text["client_id"],
        client_secret=text["client_secret"],
        networks=_parse_networks(where, value.get("networks", [])),
    )


def _parse_url(path: str, key: str, value: str) -> str:
    try:
        url = clean_web_address(value) if "://" in value else ""
    except ValueError as problem:
        raise SystemExit(f"{path}: {key} is {value!r}: {problem}") from None
    parts = urlsplit(url)
    if not url or parts.fragment or (parts.scheme != "https" and parts.hostname not in _LOOPBACK_HOSTS):
        raise SystemExit(
            f"{path}: {key} is {value!r}. Use an https:// address. http:// is only allowed on this machine."
        )
    return url


def _parse_networks(path: str, value: Any) -> tuple[str, ...]:
    try:
        return tuple(str(ip_network(one)) for one in ([value] if isinstance(value, str) else value))
    except (ValueError, TypeError):
        raise SystemExit(f'{path}: networks must be a list such as ["10.0.0.0/8"].') from None
