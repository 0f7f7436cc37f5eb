"""Guests' pages, drawn once per version and kept as bytes.

A page is a function of its address, its version, what it shows of the account, how it speaks and the host, until the
next edge of a schedule. So nothing is ever cleared: another version has another key, and an old one falls out in time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache

from django.http import HttpRequest, HttpResponse

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.compression import gzipped
from workspace.lib.lru_cache import BoundedCache
from workspace.publishing.locale import voice
from workspace.publishing.models import Address
from workspace.storage.database.transactions import rehearsing

MOST_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as drawn: its HTML, and when it changes by itself (the next edge of a schedule), None for never."""

    html: str
    fresh_until: datetime | None = None


@dataclass
class Kept:
    """`event` is what a visit of it counts as. `headers`, those of its first answer, let the front door give the next
    ones; of them `unchanged` are for whoever has the page, whose other headers stay with it (RFC 9110, 15.4.5)."""

    body: bytes
    etag: str
    fresh_until: datetime | None
    event: str | None = None
    headers: list[tuple[bytes, bytes]] | None = None
    unchanged: list[tuple[bytes, bytes]] = field(default_factory=list)

    @cached_property
    def gzip(self) -> bytes:
        return gzipped(self.body)

    @property
    def fresh(self) -> bool:
        return self.fresh_until is None or clock.now() < self.fresh_until

    def remember(self, response: HttpResponse) -> None:
        """How a whole answer has left Django, but for what belongs to one request."""
        if response.status_code == 200 and not response.cookies:
            lines = ((name.lower(), value) for name, value in response.items())
            self.headers = [(name.encode(), value.encode("latin-1")) for name, value in lines if name not in _ONCE]
            self.unchanged = [line for line in self.headers if line[0] in _OF_UNCHANGED]


_OF_UNCHANGED = frozenset([b"cache-control", b"expires", b"vary"])
_ONCE = frozenset(["content-length", "etag", "x-request-id", "date", "server"])
_pages: BoundedCache[Kept] = BoundedCache(MOST_BYTES)
_written: BoundedCache[tuple[str, ...]] = BoundedCache(1024 * 1024)


def kept(
    request: HttpRequest, address: Address, draw: Callable[[], Drawn], *, part: str = "", event: str | None = None
) -> Kept:
    """The page's bytes and their ETag, drawn when there are none that are fresh. `part` tells the pages of one address
    apart."""
    key = _key_of(request, address, part)
    page = _pages.get(key)
    if page is None or not page.fresh:
        page = seal(draw())
        page.event = event
        if not rehearsing():  # the version that it belongs to will never have been
            _pages.put(key, page, len(page.body))
            if contents := voice().contents:
                _written.put(_written_key(address), contents, 100)
    return page


def written_in(id: str, version: int, shown: str) -> tuple[str, ...]:
    """In which languages the owner's words are there on the pages of a publication's version; none where they are in
    one alone, or where none of its pages has been drawn."""
    return _written.get((id, version, shown)) or ()


def seal(drawn: Drawn) -> Kept:
    body = drawn.html.encode()
    return Kept(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', drawn.fresh_until)


def find(
    id: str, slug: str, version: int, shown: str, variant: str, host: str, scheme: str, part: str = ""
) -> Kept | None:
    """The page of a publication's version, if it has been drawn and is fresh."""
    page = _pages.get((id, slug, version, shown, variant, host, scheme, part))
    return page if page is not None and page.fresh else None


def _key_of(request: HttpRequest, address: Address, part: str) -> tuple[object, ...]:
    publication, account = address.publication, address.publication.account
    shown = _shown(account) if account else ""
    at = (publication.pk, address.slug, publication.version, shown, voice().variant)
    return (*at, request.get_host(), request.scheme, part)


def _written_key(address: Address) -> tuple[str, int, str]:
    publication, account = address.publication, address.publication.account
    return publication.pk, publication.version, _shown(account) if account else ""


def _shown(account: Account) -> str:
    return shown_of(account.name, account.time_zone, account.chosen_plans, Brand.of(account).stamp)


def shown_of(name: str, time_zone: str, chosen: str | dict[str, str], brand: str | None) -> str:
    """What pages show of an account. A plan decides what a page may show, and the brand how it looks; reading both from
    the rows needs no bump of every publication when they change. `chosen`: its plans, also as JSON; `brand`: its
    stamp."""
    return f"{name}|{time_zone}|{_plans(chosen) if isinstance(chosen, str) else sorted(chosen.items())}|{brand or ''}"


@lru_cache(256)
def _plans(chosen: str) -> str:
    return str(sorted(json.loads(chosen).items()))
