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
from workspace.lib.compression import gzip_body
from workspace.lib.lru_cache import BoundedCache
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.storage.database.transactions import is_dry_run

MAX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as drawn: its HTML, and when it changes by itself (the next edge of a schedule), None for never."""

    html: str
    fresh_until: datetime | None = None


@dataclass
class CachedPage:
    """`event` is what a visit of it counts as. `headers`, those of its first answer, let the front door give the next
    ones; of them `not_modified_headers` are for whoever has the page, whose other headers stay with it (RFC 9110,
    15.4.5)."""

    body: bytes
    etag: str
    fresh_until: datetime | None
    event: str | None = None
    headers: list[tuple[bytes, bytes]] | None = None
    not_modified_headers: list[tuple[bytes, bytes]] = field(default_factory=list)

    @cached_property
    def gzip(self) -> bytes:
        return gzip_body(self.body)

    @property
    def is_fresh(self) -> bool:
        return self.fresh_until is None or clock.now() < self.fresh_until

    def store_headers(self, response: HttpResponse) -> None:
        """How a whole answer has left Django, but for what belongs to one request."""
        if response.status_code == 200 and not response.cookies:
            lines = ((name.lower(), value) for name, value in response.items())
            self.headers = [
                (name.encode(), value.encode("latin-1")) for name, value in lines if name not in _PER_RESPONSE_HEADERS
            ]
            self.not_modified_headers = [line for line in self.headers if line[0] in _NOT_MODIFIED_HEADERS]


_NOT_MODIFIED_HEADERS = frozenset([b"cache-control", b"expires", b"vary"])
_PER_RESPONSE_HEADERS = frozenset(["content-length", "etag", "x-request-id", "date", "server"])
_pages: BoundedCache[CachedPage] = BoundedCache(MAX_BYTES)
_languages: BoundedCache[tuple[str, ...]] = BoundedCache(1024 * 1024)


def get_or_render(
    request: HttpRequest,
    address: Address,
    draw: Callable[[], RenderedPage],
    *,
    part: str = "",
    event: str | None = None,
) -> CachedPage:
    """The page's bytes and their ETag, drawn when there are none that are fresh. `part` tells the pages of one address
    apart."""
    key = _page_key(request, address, part)
    page = _pages.get(key)
    if page is None or not page.is_fresh:
        page = build_page(draw())
        page.event = event
        if not is_dry_run():  # the version that it belongs to will never have been
            _pages.put(key, page, len(page.body))
            if contents := current_locale().contents:
                _languages.put(_languages_key(address), contents, 100)
    return page


def content_languages(id: str, version: int, shown: str) -> tuple[str, ...]:
    """In which languages the owner's words are there on the pages of a publication's version; none where they are in
    one alone, or where none of its pages has been drawn."""
    return _languages.get((id, version, shown)) or ()


def build_page(drawn: RenderedPage) -> CachedPage:
    body = drawn.html.encode()
    return CachedPage(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', drawn.fresh_until)


def find_page(
    id: str, slug: str, version: int, shown: str, variant: str, host: str, scheme: str, part: str = ""
) -> CachedPage | None:
    """The page of a publication's version, if it has been drawn and is fresh."""
    page = _pages.get((id, slug, version, shown, variant, host, scheme, part))
    return page if page is not None and page.is_fresh else None


def _page_key(request: HttpRequest, address: Address, part: str) -> tuple[object, ...]:
    publication, account = address.publication, address.publication.account
    shown = _account_key(account) if account else ""
    at = (publication.pk, address.slug, publication.version, shown, current_locale().variant)
    return (*at, request.get_host(), request.scheme, part)


def _languages_key(address: Address) -> tuple[str, int, str]:
    publication, account = address.publication, address.publication.account
    return publication.pk, publication.version, _account_key(account) if account else ""


def _account_key(account: Account) -> str:
    return account_key(account.name, account.time_zone, account.chosen_plans, Brand.for_account(account).version)


def account_key(name: str, time_zone: str, chosen: str | dict[str, str], brand: str | None) -> str:
    """What pages show of an account. A plan decides what a page may show, and the brand how it looks; reading both from
    the rows needs no bump of every publication when they change. `chosen`: its plans, also as JSON; `brand`: its
    stamp."""
    return (
        f"{name}|{time_zone}"
        f"|{_normalize_plans(chosen) if isinstance(chosen, str) else sorted(chosen.items())}|{brand or ''}"
    )


@lru_cache(256)
def _normalize_plans(chosen: str) -> str:
    return str(sorted(json.loads(chosen).items()))
