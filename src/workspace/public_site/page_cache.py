"""A cache of rendered guest pages, by version.

A page depends on its address, its version, displayed data of the account, the locale and the host, until the next
scheduled change. Nothing is ever invalidated: each version has its own key, and old entries are evicted.
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
from workspace.lib.content_security_policy import allow_styles, collect_style_hashes
from workspace.lib.lru_cache import BoundedCache
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.storage.database.transactions import is_dry_run

MAX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A rendered page: its HTML, and when a schedule will change its content, or None for never."""

    html: str
    fresh_until: datetime | None = None


@dataclass
class CachedPage:
    """A cached page.

    `style_hashes` are those of its style elements. `event` is the event that a visit is counted as. `headers` are those
    of its first response; the fast path sends them. `not_modified_headers` are those for 304 responses (RFC 9110,
    section 15.4.5).
    """

    body: bytes
    etag: str
    fresh_until: datetime | None
    style_hashes: tuple[str, ...] = ()
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
        """Store the headers of a complete response, except those that belong to a single request."""
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
    render: Callable[[], RenderedPage],
    *,
    part: str = "",
    event: str | None = None,
) -> CachedPage:
    """Return the page from the cache, or render it if it is missing or stale.

    `part` distinguishes pages of the same address.
    """
    key = _page_key(request, address, part)
    page = _pages.get(key)
    if page is None or not page.is_fresh:
        page = build_page(render)
        page.event = event
        if not is_dry_run():  # a dry run is rolled back, so its version will never exist
            _pages.put(key, page, len(page.body))
            if contents := current_locale().contents:
                _languages.put(_languages_key(address), contents, 100)
    allow_styles(page.style_hashes)
    return page


def content_languages(id: str, version: int, language: str) -> tuple[str, ...]:
    """Return the languages of the owner's content on the pages of this version of a publication.

    The result is empty if there is only one, or if no page has been rendered.
    """
    return _languages.get((id, version, language)) or ()


def build_page(render: Callable[[], RenderedPage]) -> CachedPage:
    with collect_style_hashes() as style_hashes:
        page = render()
    body = page.html.encode()
    return CachedPage(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', page.fresh_until, tuple(style_hashes))


def find_page(
    id: str, slug: str, version: int, language: str, variant: str, host: str, scheme: str, part: str = ""
) -> CachedPage | None:
    """Return the page of this version of a publication if it is cached and fresh, or None."""
    page = _pages.get((id, slug, version, language, variant, host, scheme, part))
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
    """Return the part of the cache key that represents the account's displayed data.

    Plans determine what a page shows, and the brand determines its style. Because both are part of the key, changing
    them does not require marking every publication as changed. `chosen` are the account's plans, possibly as JSON.
    `brand` is the brand's version stamp.
    """
    return (
        f"{name}|{time_zone}"
        f"|{_normalize_plans(chosen) if isinstance(chosen, str) else sorted(chosen.items())}|{brand or ''}"
    )


@lru_cache(256)
def _normalize_plans(chosen: str) -> str:
    return str(sorted(json.loads(chosen).items()))
