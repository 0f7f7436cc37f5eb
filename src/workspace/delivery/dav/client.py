"""One conversation with a server of calendars or address books, by the one way out. Redirects are followed here, since
both are often led elsewhere, each judged as the first address was; a password goes to the host it was given for, or
one beside it."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from django.conf import settings

from workspace.http_client.allowed_networks import calendar_guard
from workspace.http_client.client import HttpError, Reply, ResponseTooLargeError, fetch
from workspace.http_client.ssrf_guard import Guard, NonPublicAddressError
from workspace.lib.web_address import clean_web_address

TIMEOUT_SECONDS = 10.0
MAX_RESPONSE_BYTES = 1024 * 1024  # bytes of what a server says about its collections
MAX_REDIRECTS = 4
_REDIRECT_STATUSES = (301, 302, 303, 307, 308)


class DavError(Exception):
    """The text says what is wrong and what to do, for people. With `is_permanent`, trying again soon cannot help."""

    def __init__(self, words: str, *, status: int = 0, is_permanent: bool = False) -> None:
        super().__init__(words)
        self.status, self.is_permanent = status, is_permanent


@dataclass(slots=True)
class DavSession:
    """`credentials` are user name and password, given for the host `credential_host`; all of it ends after
    `seconds`."""

    credentials: tuple[str, str] | None = None
    seconds: float = 2 * TIMEOUT_SECONDS
    guard: Guard = field(default_factory=calendar_guard)
    credential_host: str = ""
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        if self.credentials is not None and not self.credential_host:
            raise ValueError("Name the host that the password was given for: what a server names does not say it")
        self.deadline = time.monotonic() + self.seconds

    def request(
        self,
        method: str,
        url: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        most: int = MAX_RESPONSE_BYTES,
    ) -> tuple[Reply, str]:
        """The answer and the address that gave it. Raises Trouble where there is none, and for 401 and 403."""
        for _ in range(MAX_REDIRECTS + 1):
            reply = self._request(method, url, body, headers or {}, most)
            if reply.status not in _REDIRECT_STATUSES or not reply.headers.get("location"):
                return reply, url
            url = self.resolve_url(url, reply.headers["location"])
        raise DavError("The address leads from one to the next without an end")

    def resolve_url(self, url: str, href: str) -> str:
        """The address that a server names. Raises Trouble for one that is none, or is less safe."""
        try:
            found = clean_web_address(urljoin(url, href))
        except ValueError:
            raise DavError("The server names an address that is none") from None
        if url.startswith("https:") and not found.startswith("https:"):
            raise DavError("The address leads to one that is not encrypted, so it is not followed")
        return found

    def _request(self, method: str, url: str, body: bytes, headers: Mapping[str, str], most: int) -> Reply:
        left = min(TIMEOUT_SECONDS, self.deadline - time.monotonic())
        if left <= 0:
            raise DavError("The server takes too long to answer")
        try:
            reply = fetch(
                method, url, body, {**headers, **self._authorization(url)}, seconds=left, most=most, guard=self.guard
            )
        except ResponseTooLargeError as problem:
            raise DavError(str(problem), status=413) from None
        except HttpError as problem:
            raise DavError(str(problem)) from None
        if reply.status == 401:
            if self.credentials is None:
                raise DavError("The server wants a user name and a password", status=401, is_permanent=True)
            raise DavError(
                "The user name or the password is not accepted. Many providers want a password made for one app",
                status=401,
                is_permanent=True,
            )
        if reply.status == 403:
            raise DavError("The server does not allow this", status=403, is_permanent=True)
        return reply

    def _authorization(self, url: str) -> dict[str, str]:
        if self.credentials is None:
            return {}
        host = url_host(url)
        if host != self.credential_host and (
            _registered_domain(host) != _registered_domain(self.credential_host) or not url.startswith("https:")
        ):
            raise DavError(f"The server leads to {host}: give the address there, if you trust it")
        if not (url.startswith("https:") or settings.CALENDAR_NETWORKS):
            raise DavError("Give an address that begins with https://, since the password goes along")
        token = base64.b64encode(":".join(self.credentials).encode()).decode()
        return {"Authorization": f"Basic {token}"}


def _registered_domain(host: str) -> str:
    """What belongs to one owner: p42-caldav.icloud.com stands beside caldav.icloud.com. An address of digits is its
    own; a short label before a country (co.uk) is nobody's."""
    labels = host.split(".")
    if ":" in host or labels[-1].isdigit():
        return host
    return ".".join(labels[-3:] if len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) < 4 else labels[-2:])


def clean_url(url: str) -> str:
    """An address that may be asked, as it is kept. Raises ValueError."""
    address = clean_web_address(url)
    try:
        calendar_guard().check_url(address)
    except NonPublicAddressError as problem:
        raise ValueError(str(problem)) from None
    return address


def url_host(url: str) -> str:
    return urlsplit(url).hostname or ""


def describe_status(status: int) -> str:
    if status in (404, 410):
        return f"There is nothing at this address any more ({status})"
    if status == 429:
        return "The server wants to be asked less often (429)"
    if status >= 500:
        return f"The server has trouble of its own ({status})"
    return f"The server answered {status}"
