"""The fast path, which answers requests for public addresses before Django.

It looks up the address with one SQL statement, counts the visit and sends a redirect or a cached page. All other
requests (not cached, password, pause, query) are left to Django, which answers with the same bytes and headers.
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
from workspace.analytics.visitor import Visitor, visitor_from_request, visitor_from_scope
from workspace.lib.compression import accepts_gzip, should_compress
from workspace.lib.etags import find_matching_etag, to_gzip_etag
from workspace.public_site import page_cache
from workspace.public_site.address_lookup import NOW_PLACEHOLDER, SLUG_PLACEHOLDER, AddressLookup, Row, SqliteReader
from workspace.publishing.fast_routes import FollowDecision, RedirectResolver
from workspace.publishing.locale import negotiate_locale
from workspace.publishing.models import Address, Publication
from workspace.storage.database.errors import find_storage_failure

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_PATH = re.compile(r"/([A-Za-z]{1,12})/([A-Za-z0-9-]{1,50})")
_LANGUAGE_QUERY = re.compile(rb"lang=([A-Za-z0-9-]{2,35})")
_TEST_QUERY = re.compile(rb"(?:^|&)test=")  # an owner's test is not counted, and the view handles it


@dataclass(frozen=True)
class Route:
    """The public addresses of one kind, with a redirect or with pages."""

    kind: str
    redirect: RedirectResolver | None = None

    @cached_property
    def lookup(self) -> AddressLookup:
        """The lookup of public addresses. It returns the publication's id, then the columns needed for the response."""
        if self.redirect is not None:
            rows = self.redirect.model._default_manager.filter(
                Publication.public_filter("publication__", NOW_PLACEHOLDER)
            )
            rows = rows.filter(publication__addresses__kind=self.kind, publication__addresses__slug=SLUG_PLACEHOLDER)
            return AddressLookup(rows.values_list("publication_id", self.redirect.column))
        found = Address.objects.filter(
            Publication.public_filter("publication__", NOW_PLACEHOLDER), kind=self.kind, slug=SLUG_PLACEHOLDER
        )
        account = ("name", "time_zone", "chosen_plans", "brand__version")
        columns = ("publication__version", "slug", *(f"publication__account__{name}" for name in account))
        return AddressLookup(found.values_list("publication_id", *columns))

    def decide_redirect(self, row: Row) -> FollowDecision | None:
        assert self.redirect is not None
        return FollowDecision(row[0], self.redirect.event, row[1]) if row[1] else None


_routes: dict[str, Route] = {}


def register_route(path: str, kind: str, redirect: RedirectResolver | None = None) -> None:
    """Register the addresses of a kind.

    Requests with `test=` in the query are left to Django. Pages are served only if the query is empty or contains only
    a chosen language.
    """
    _routes[path.strip("/").lower()] = Route(kind, redirect)


class Pool(Protocol):
    async def run(self, func: Callable[..., Any], /, *args: Any) -> Any: ...


class FastPath:
    """The callable that handles each request before Django. It returns whether it has answered.

    `address_of` returns the client's address from a scope, as text. Exceptions from a full pool are not handled.
    """

    def __init__(self, pool: Pool, address_of: Callable[[Scope], str] | None = None) -> None:
        self.pool = pool
        self.address_of = address_of or _client_address
        self.reader = SqliteReader() if connection.vendor == "sqlite" else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return False
        match = _PATH.fullmatch(scope["path"])
        route = _routes.get(match[1].lower()) if match else None
        query: bytes = scope.get("query_string", b"")
        if match is None or route is None or (query and not _is_cacheable_query(route, query)):
            return False
        try:
            row = await self._find_row(route, match[2])
        except Exception as error:
            if self.reader is not None:
                self.reader.close()
            # Django's own response reports an unavailable database.
            if find_storage_failure(error) is None:
                logger.exception("The fast path leaves a request to Django")
            return False
        if row is None:
            return False
        if route.redirect is not None:
            return await self._send_redirect(route.decide_redirect(row), scope, send)
        return await self._send_page(row, _parse_language(query), scope, send)

    async def _find_row(self, route: Route, slug: str) -> Row | None:
        if self.reader is not None:
            return route.lookup.find_first(slug, self.reader)
        found: Row | None = await self.pool.run(route.lookup.find_first, slug)
        return found

    async def _send_redirect(self, follow: FollowDecision | None, scope: Scope, send: Send) -> bool:
        if follow is None:
            return False
        if scope["method"] == "GET":
            await _count_visit(follow.publication_id, follow.event, self._build_visitor(scope))
        headers = [
            (name.lower().encode(), value.encode("latin-1")) for name, value in _redirect_headers(follow).items()
        ]
        await _send_response(send, 302, [*headers, (b"content-length", b"0")])
        return True

    async def _send_page(self, row: Row, choice: str, scope: Scope, send: Send) -> bool:
        header_texts = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _USED_HEADERS}
        id, version, slug, name, time_zone, chosen, brand = row
        shown = page_cache.account_key(name, time_zone, chosen, brand) if name is not None else ""
        contents = page_cache.content_languages(id, version, shown)
        variant = negotiate_locale(choice, header_texts.get(b"accept-language", ""), contents).variant
        page = page_cache.find_page(
            id, slug, version, shown, variant, header_texts.get(b"host", ""), scope.get("scheme", "http")
        )
        if page is None or page.headers is None:
            return False
        if scope["method"] == "GET" and page.event:
            await _count_visit(id, page.event, self._build_visitor(scope))
        if tag := find_matching_etag(page.etag, header_texts.get(b"if-none-match")):
            await _send_response(send, 304, [*page.not_modified_headers, (b"etag", tag.encode())])
            return True
        body, headers = page.body, page.headers
        if should_compress("text/html", len(body)) and accepts_gzip(header_texts.get(b"accept-encoding", "")):
            body, tag = page.gzip, to_gzip_etag(page.etag)
            headers = [*headers, (b"content-encoding", b"gzip")]
        else:
            tag = page.etag
        headers = [*headers, (b"etag", tag.encode()), (b"content-length", b"%d" % len(body))]
        await _send_response(send, 200, headers, body if scope["method"] == "GET" else b"")
        return True

    def _build_visitor(self, scope: Scope) -> Visitor:
        return visitor_from_scope(scope["headers"], self.address_of(scope))


def _is_cacheable_query(route: Route, query: bytes) -> bool:
    """Return whether the response depends on nothing in the query except a chosen language."""
    return bool(_LANGUAGE_QUERY.fullmatch(query)) if route.redirect is None else not _TEST_QUERY.search(query)


def _parse_language(query: bytes) -> str:
    found = _LANGUAGE_QUERY.fullmatch(query)
    return found[1].decode() if found else ""


_USED_HEADERS = frozenset([b"host", b"accept-language", b"accept-encoding", b"if-none-match"])


def redirect_response(request: HttpRequest, follow: FollowDecision) -> HttpResponse:
    """Return the same redirect as the view, including its headers. Count the visit unless it is a HEAD request."""
    if request.method != "HEAD":
        try:
            visit_writer.record_visit(
                follow.publication_id, follow.event, visitor_from_request(request), part=follow.part
            )
        except visit_writer.VisitQueueFullError:
            pass
        except Exception:
            logger.exception("A visit of %s is lost; the guest is sent on", follow.publication_id)
    return HttpResponse(status=302, headers=_redirect_headers(follow))


async def _count_visit(publication_id: str, event: str, visitor: Visitor) -> None:
    """Count a visit. A failure must not affect the response."""
    try:
        await visit_writer.record_visit_async(publication_id, event, visitor)
    except visit_writer.VisitQueueFullError:
        pass  # the writer logs how many are lost
    except Exception:
        logger.exception("A visit of %s is lost; the guest is served", publication_id)


async def _send_response(send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _redirect_headers(follow: FollowDecision) -> dict[str, str]:
    # Temporary and not cached: the owner of a printed code can change its destination at any time.
    return {
        "Location": iri_to_uri(follow.location),
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
        "Referrer-Policy": "strict-origin-when-cross-origin",
    }


def _client_address(scope: Scope) -> str:
    """Return the client's address as the server determined it behind its proxies, or the peer's."""
    client = scope.get("client") or ("", 0)
    address: str = scope.get("state", {}).get("workspace.client_address", client[0])
    return address
