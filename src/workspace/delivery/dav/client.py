"""A session with a calendar or address book server, which uses the guarded HTTP client.

Redirects are followed here because both kinds of servers use them often. Each target is checked like the first URL. A
password is sent only to the host that it was entered for, or to a host of the same domain.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from django.conf import settings

from workspace.delivery import messages
from workspace.http_client.allowed_networks import calendar_guard
from workspace.http_client.client import HttpError, Reply, ResponseTooLargeError, fetch
from workspace.http_client.ssrf_guard import Guard, NonPublicAddressError
from workspace.lib.messages import Message
from workspace.lib.web_address import clean_web_address

TIMEOUT_SECONDS = 10.0
MAX_RESPONSE_BYTES = 1024 * 1024  # limit for a server's response about its collections
MAX_REDIRECTS = 4
_REDIRECT_STATUSES = (301, 302, 303, 307, 308)


class DavError(Exception):
    """A failed request. The message explains what is wrong and what to do.

    With `is_permanent`, retrying soon cannot help.
    """

    def __init__(self, message: str | Message, *, status: int = 0, is_permanent: bool = False) -> None:
        super().__init__(message)
        self.status, self.is_permanent = status, is_permanent


@dataclass(slots=True)
class DavSession:
    """A session with one server.

    `credentials` are a user name and password for the host `credential_host`. All requests together may take at most
    `seconds`.
    """

    credentials: tuple[str, str] | None = None
    seconds: float = 2 * TIMEOUT_SECONDS
    guard: Guard = field(default_factory=calendar_guard)
    credential_host: str = ""
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        if self.credentials is not None and not self.credential_host:
            raise ValueError("Provide credential_host, the host that the password belongs to")
        self.deadline = time.monotonic() + self.seconds

    def request(
        self,
        method: str,
        url: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        max_bytes: int = MAX_RESPONSE_BYTES,
    ) -> tuple[Reply, str]:
        """Send a request, follow redirects, and return the response and its final URL.

        Raise DavError if there is no response, and for statuses 401 and 403.
        """
        for _ in range(MAX_REDIRECTS + 1):
            reply = self._request(method, url, body, headers or {}, max_bytes)
            if reply.status not in _REDIRECT_STATUSES or not reply.headers.get("location"):
                return reply, url
            url = self.resolve_url(url, reply.headers["location"])
        raise DavError(messages.TOO_MANY_REDIRECTS)

    def resolve_url(self, url: str, href: str) -> str:
        """Return the absolute URL of a link from the server. Raise DavError if it is invalid or less secure."""
        try:
            found = clean_web_address(urljoin(url, href))
        except ValueError:
            raise DavError(messages.INVALID_REDIRECT) from None
        if url.startswith("https:") and not found.startswith("https:"):
            raise DavError(messages.UNENCRYPTED_REDIRECT)
        return found

    def _request(self, method: str, url: str, body: bytes, headers: Mapping[str, str], max_bytes: int) -> Reply:
        left = min(TIMEOUT_SECONDS, self.deadline - time.monotonic())
        if left <= 0:
            raise DavError(messages.SERVER_TOO_SLOW)
        try:
            reply = fetch(
                method,
                url,
                body,
                {**headers, **self._authorization(url)},
                seconds=left,
                max_bytes=max_bytes,
                guard=self.guard,
            )
        except ResponseTooLargeError as problem:
            raise DavError(str(problem), status=413) from None
        except HttpError as problem:
            raise DavError(str(problem)) from None
        if reply.status == 401:
            if self.credentials is None:
                raise DavError(messages.PASSWORD_NEEDED, status=401, is_permanent=True)
            raise DavError(
                messages.PASSWORD_REJECTED,
                status=401,
                is_permanent=True,
            )
        if reply.status == 403:
            raise DavError(messages.ACCESS_DENIED, status=403, is_permanent=True)
        return reply

    def _authorization(self, url: str) -> dict[str, str]:
        if self.credentials is None:
            return {}
        host = url_host(url)
        if host != self.credential_host and (
            _registered_domain(host) != _registered_domain(self.credential_host) or not url.startswith("https:")
        ):
            raise DavError(messages.OTHER_HOST(host=host))
        if not (url.startswith("https:") or settings.CALENDAR_NETWORKS):
            raise DavError(messages.HTTPS_NEEDED)
        token = base64.b64encode(":".join(self.credentials).encode()).decode()
        return {"Authorization": f"Basic {token}"}


def _registered_domain(host: str) -> str:
    """Return the part of a host that belongs to one owner.

    For example, p42-caldav.icloud.com and caldav.icloud.com have the same domain. An IP address is its own domain. A
    short label before a country code (co.uk) is treated as a public suffix."""
    labels = host.split(".")
    if ":" in host or labels[-1].isdigit():
        return host
    return ".".join(labels[-3:] if len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) < 4 else labels[-2:])


def clean_url(url: str) -> str:
    """Return a URL in its stored form. Raise ValueError if it may not be requested."""
    address = clean_web_address(url)
    try:
        calendar_guard().check_url(address)
    except NonPublicAddressError as problem:
        raise ValueError(str(problem)) from None
    return address


def url_host(url: str) -> str:
    return urlsplit(url).hostname or ""


def describe_status(status: int) -> Message:
    """Return a human-readable description of an error status."""
    if status in (404, 410):
        return messages.ADDRESS_IS_GONE(status=status)
    if status == 429:
        return messages.TOO_MANY_REQUESTS
    if status >= 500:
        return messages.SERVER_ERROR(status=status)
    return messages.UNEXPECTED_STATUS(status=status)
