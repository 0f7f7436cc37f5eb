"""A code's destination in a form for people."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from workspace.lib.web_address import to_unicode_host


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in parts, so that its host can be emphasized.

    `readable_host` is the internationalized host if it differs from the host that is looked up.
    """

    before: str
    host: str
    after: str
    readable_host: str

    @classmethod
    def from_url(cls, url: str) -> Target:
        parts = urlsplit(url)
        before, _, rest = url.partition("://")
        after = rest[len(parts.netloc) :]
        return cls(f"{before}://", parts.netloc, "" if after == "/" else after, _readable_host(parts.hostname or ""))


def _readable_host(host: str) -> str:
    spelled = to_unicode_host(host)
    return spelled if spelled != host else ""
