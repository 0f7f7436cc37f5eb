"""Which websites may frame the widget, and telling owners about one that tried and may not.

A browser enforces `frame-ancestors` and shows its own grey box where it refuses: nobody learns why. The request for the
frame names the website around it, so a refusal can be told beforehand: in the frame, in words, and to the owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from typing_extensions import TypedDict

from workspace.products.reviews.models import ReviewPage
from workspace.publishing.statistics import DIRECT, statistics
from workspace.publishing.value_cap import OTHERS

REFUSED = "refused"  # the event by which such requests are counted; the website is the visit's referrer
DAYS = 30
MOST = 10
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Website:
    """The origin of a page: `host` in lower case, as browsers send it."""

    scheme: str
    host: str
    port: int

    @classmethod
    def around(cls, request: HttpRequest) -> Website | None:
        """The website in whose frame this is asked for; None where it is in none, or where the browser does not say."""
        if request.headers.get("Sec-Fetch-Dest") not in ("iframe", "frame"):
            return None
        try:
            parts = urlsplit(request.headers.get("Referer", "")[:2048])
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:
            return None
        return cls(parts.scheme, (parts.hostname or "").rstrip("."), port) if port and parts.hostname else None

    @property
    def written(self) -> str:
        """As an owner enters it among the hosts."""
        return self.host if self.port in _PORTS.values() else f"{self.host}:{self.port}"


def may_frame(website: Website, page: ReviewPage) -> bool:
    """As browsers match the sources of `frame-ancestors`: a host without a scheme stands for the service's own scheme
    or a safer one, one without a port for the scheme's usual one."""
    own = urlsplit(settings.BASE_URL)
    if (website.scheme, website.host, website.port) == (own.scheme, own.hostname, own.port or _PORTS[own.scheme]):
        return True
    if website.scheme not in (own.scheme, "https"):
        return False
    return any(_matches(website, host) for host in page.hosts)


def _matches(website: Website, source: str) -> bool:
    port = source.partition(":")[2]
    return int(port or _PORTS[website.scheme]) == website.port and _names(source, website.host)


class RefusedWebsite(TypedDict):
    host: str
    times: int


def refused_lately(page: ReviewPage) -> list[RefusedWebsite]:
    """The websites that asked for the frame within 30 days and may not have it, those that asked most first. Anybody
    can make a browser say so: it is a hint, never a permission."""
    found = statistics(page.publication_id, REFUSED, days=DAYS, zone=page.account.zone).by_referrer
    rows: list[RefusedWebsite] = []
    for share in found:
        if share.value not in (DIRECT, OTHERS) and not any(_names(host, share.value) for host in page.hosts):
            rows.append({"host": share.value, "times": share.count})
    return rows[:MOST]


def _names(source: str, host: str) -> bool:
    name = source.partition(":")[0]
    return host.endswith(name[1:]) if name.startswith("*.") else host == name
