"""Guests' pages, drawn once per version and kept as bytes.

A page is a function of its address, its version, what it shows of the account, the language and the host, until the
next edge of a schedule. So nothing is ever cleared: another version has another key, and an old one falls out in time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import get_language

from workspace.publishing.models import Address
from workspace.storage.database import rehearsing
from workspace.toolkit import clock
from workspace.toolkit.bounded_cache import BoundedCache

MOST_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as drawn: its HTML, and when it changes by itself (the next edge of a schedule), None for never."""

    html: str
    fresh_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    body: bytes
    etag: str
    fresh_until: datetime | None

    @property
    def fresh(self) -> bool:
        return self.fresh_until is None or clock.now() < self.fresh_until


_pages: BoundedCache[Kept] = BoundedCache(MOST_BYTES)


def kept(request: HttpRequest, address: Address, draw: Callable[[], Drawn], *, part: str = "") -> Kept:
    """The page's bytes and their ETag, drawn when there are none that are fresh. `part` tells the pages of one address
    apart."""
    key = (*key_of(request, address), part)
    page = _pages.get(key)
    if page is None or not page.fresh:
        page = seal(draw())
        if not rehearsing():  # the version that it belongs to will never have been
            _pages.put(key, page, len(page.body))
    return page


def seal(drawn: Drawn) -> Kept:
    body = drawn.html.encode()
    return Kept(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', drawn.fresh_until)


def key_of(request: HttpRequest, address: Address) -> tuple[str, ...]:
    publication, account = address.publication, address.publication.account
    # a plan decides what a page may show; reading it from the row needs no bump of every publication when it changes
    shown = f"{account.name}|{account.time_zone}|{sorted(account.chosen_plans.items())}" if account else ""
    at = (publication.pk, address.slug, str(publication.version))
    return (*at, shown, get_language() or "", request.get_host())
