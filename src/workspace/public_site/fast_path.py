"""The way in for guests, ahead of Django: an address is looked up by one statement, its visit counted, and a redirect
or a page that is kept sent. Whatever needs more (a page not drawn yet, a password, a pause, a query) is left to Django,
which answers with the same bytes and headers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import iri_to_uri

from workspace.analytics import visit_writer
from workspace.analytics.visitor import Visitor, visitor_of_request, visitor_of_scope
from workspace.lib.compression import pays, takes_gzip
from workspace.lib.etags import compressed, known
from workspace.public_site import page_cache
from workspace.public_site.address_lookup import NOW, SLUG, Lookup, Reader, Row
from workspace.publishing.fast_routes import Follow, Redirect
from workspace.publishing.locale import heard
from workspace.publishing.models import Address, Publication
from workspace.storage.database.errors import trouble_of

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_PATH = re.compile(r"/([A-Za-z]{1,12})/([A-Za-z0-9-]{1,50})")
_CHOICE = re.compile(rb"lang=([A-Za-z0-9-]{2,35})")
_TRIAL = re.compile(rb"(?:^|&)test=")  # an owner's own try, which is not counted: a view knows what to do


@dataclass(frozen=True)
class Way:
    """The addresses of one kind: to a redirect, else to pages."""

    kind: str
    redirect: Redirect | None = None

    @cached_property
    def lookup(self) -> Lookup:
        """Rows of those that are open to all: the publication's id and, behind it, what the answer takes."""
        if self.redirect is not None:
            rows = self.redirect.thing._default_manager.filter(Publication.public("publication__", NOW))
            rows = rows.filter(publication__addresses__kind=self.kind, publication__addresses__slug=SLUG)
            return Lookup(rows.values_list("publication_id", self.redirect.column))
        found = Address.objects.filter(Publication.public("publication__", NOW), kind=self.kind, slug=SLUG)
        account = ("name", "time_zone", "chosen_plans", "brand__stamp")
        columns = ("publication__version", "slug", *(f"publication__account__{name}" for name in account))
        return Lookup(found.values_list("publication_id", *columns))

    def followed(self, row: Row) -> Follow | None:
        assert self.redirect is not None
        return Follow(row[0], self.redirect.event, row[1]) if row[1] else None


_ways: dict[str, Way] = {}


def serve(path: str, kind: str, redirect: Redirect | None = None) -> None:
    """Have a kind's addresses answered here, unless their query says `test=`; those of pages without a query only,
    or with a chosen language."""
    _ways[path.strip("/").lower()] = Way(kind, redirect)


class Pool(Protocol):
    async def run(self, func: Callable[..., Any], /, *args: Any) -> Any: ...


class FrontDoor:
    """Called for each request before Django; whether it has answered.

    `address_of`: the client's address, as text, of a scope. An exception of the pool, when it is full, goes through.
    """

    def __init__(self, pool: Pool, address_of: Callable[[Scope], str] | None = None) -> None:
        self.pool = pool
        self.address_of = address_of or _address_of
        self.reader = Reader() if connection.vendor == "sqlite" else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return False
        asked = _PATH.fullmatch(scope["path"])
        way = _ways.get(asked[1].lower()) if asked else None
        query: bytes = scope.get("query_string", b"")
        if asked is None or way is None or (query and not _is_plain(way, query)):
            return False
        try:
            row = await self._look(way, asked[2])
        except Exception as error:
            if self.reader is not None:
                self.reader.close()
            # a database that is away is told of by Django's own answer
            if trouble_of(error) is None:
                logger.exception("The front door leaves a request to Django")
            return False
        if row is None:
            return False
        if way.redirect is not None:
            return await self._redirect(way.followed(row), scope, send)
        return await self._page(row, _choice(query), scope, send)

    async def _look(self, way: Way, slug: str) -> Row | None:
        if self.reader is not None:
            return way.lookup.first(slug, self.reader)
        found: Row | None = await self.pool.run(way.lookup.first, slug)
        return found

    async def _redirect(self, follow: Follow | None, scope: Scope, send: Send) -> bool:
        if follow is None:
            return False
        if scope["method"] == "GET":
            await _count(follow.publication_id, follow.event, self._visitor(scope))
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in _headers(follow).items()]
        await _send(send, 302, [*headers, (b"content-length", b"0")])
        return True

    async def _page(self, row: Row, choice: str, scope: Scope, send: Send) -> bool:
        told = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _ASKED}
        id, version, slug, name, time_zone, chosen, brand = row
        shown = page_cache.shown_of(name, time_zone, chosen, brand) if name is not None else ""
        contents = page_cache.written_in(id, version, shown)
        variant = heard(choice, told.get(b"accept-language", ""), contents).variant
        page = page_cache.find(id, slug, version, shown, variant, told.get(b"host", ""), scope.get("scheme", "http"))
        if page is None or page.headers is None:
            return False
        if scope["method"] == "GET" and page.event:
            await _count(id, page.event, self._visitor(scope))
        if tag := known(page.etag, told.get(b"if-none-match")):
            await _send(send, 304, [*page.unchanged, (b"etag", tag.encode())])
            return True
        body, headers = page.body, page.headers
        if pays("text/html", len(body)) and takes_gzip(told.get(b"accept-encoding", "")):
            body, tag = page.gzip, compressed(page.etag)
            headers = [*headers, (b"content-encoding", b"gzip")]
        else:
            tag = page.etag
        headers = [*headers, (b"etag", tag.encode()), (b"content-length", b"%d" % len(body))]
        await _send(send, 200, headers, body if scope["method"] == "GET" else b"")
        return True

    def _visitor(self, scope: Scope) -> Visitor:
        return visitor_of_scope(scope["headers"], self.address_of(scope))


def _is_plain(way: Way, query: bytes) -> bool:
    """Whether the answer hangs on nothing of the query but on a chosen language."""
    return bool(_CHOICE.fullmatch(query)) if way.redirect is None else not _TRIAL.search(query)


def _choice(query: bytes) -> str:
    found = _CHOICE.fullmatch(query)
    return found[1].decode() if found else ""


_ASKED = frozenset([b"host", b"accept-language", b"accept-encoding", b"if-none-match"])


def follow_response(request: HttpRequest, follow: Follow) -> HttpResponse:
    """The redirect from a view: counted unless it is a HEAD, with the same headers."""
    if request.method != "HEAD":
        try:
            visit_writer.record(follow.publication_id, follow.event, visitor_of_request(request), part=follow.part)
        except visit_writer.VisitsFull:
            pass
        except Exception:
            logger.exception("A visit of %s is lost; the guest is sent on", follow.publication_id)
    return HttpResponse(status=302, headers=_headers(follow))


async def _count(publication_id: str, event: str, visitor: Visitor) -> None:
    """Whatever becomes of the count, the guest is served."""
    try:
        await visit_writer.record_async(publication_id, event, visitor)
    except visit_writer.VisitsFull:
        pass  # the writer tells how many are lost
    except Exception:
        logger.exception("A visit of %s is lost; the guest is served", publication_id)


async def _send(send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _headers(follow: Follow) -> dict[str, str]:
    # never a permanent redirect, and nothing kept: a printed code is pointed elsewhere without a word to anyone
    return {
        "Location": iri_to_uri(follow.location),
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
        "Referrer-Policy": "strict-origin-when-cross-origin",
    }


def _address_of(scope: Scope) -> str:
    """The address that the server found behind its proxies, else the peer's."""
    client = scope.get("client") or ("", 0)
    address: str = scope.get("state", {}).get("workspace.client_address", client[0])
    return address
