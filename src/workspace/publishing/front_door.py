"""The way in for guests: an address with a short prefix is answered with a redirect, without Django's handlers.

A product registers what its addresses lead to. Where the answer is more than a redirect (a page, a password, a pause)
it says None and Django answers; there `follow_response` gives the same redirect by the same rule.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse
from django.utils.encoding import iri_to_uri

from workspace.publishing import visits
from workspace.publishing.visitor import Visitor, visitor_of, visitor_of_request
from workspace.storage.trouble import trouble_of

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_PATH = re.compile(r"/([A-Za-z]{1,12})/([A-Za-z0-9-]{1,50})")
_TRIAL = re.compile(rb"(?:^|&)test=")  # an owner's own try, which is not counted: a view knows what to do


@dataclass(frozen=True, slots=True)
class Follow:
    """Count `event` for the publication and send the guest to `location`, an absolute URL."""

    publication_id: str
    event: str
    location: str
    part: str = ""


Answer = Callable[[str], Follow | None]
_answers: dict[str, Answer] = {}


def fast(prefix: str, answer: Answer) -> None:
    """Have `/PREFIX/slug` answered by `answer(slug)`, called in the pool with the slug as it was typed, unless its
    query says `test=`. Registered in the `ready` of the app it is of."""
    _answers[prefix.lower()] = answer


class Pool(Protocol):
    async def run(self, func: Callable[..., Any], /, *args: Any) -> Any: ...


class FrontDoor:
    """Called for each request before Django; whether it has answered.

    `address_of`: the client's address, as text, of a scope. An exception of the pool, when it is full, goes through.
    """

    def __init__(self, pool: Pool, address_of: Callable[[Scope], str] | None = None) -> None:
        self.pool = pool
        self.address_of = address_of or _address_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return False
        asked = _PATH.fullmatch(scope["path"])
        answer = _answers.get(asked[1].lower()) if asked else None
        if asked is None or answer is None or _TRIAL.search(scope.get("query_string", b"")):
            return False
        found = await self.pool.run(self._look, answer, asked[2], scope)
        if found is None:
            return False
        follow, visitor = found
        if scope["method"] == "GET":
            await _count(follow, visitor)
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in _headers(follow).items()]
        headers.append((b"content-length", b"0"))
        await send({"type": "http.response.start", "status": 302, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return True

    def _look(self, answer: Answer, slug: str, scope: Scope) -> tuple[Follow, Visitor] | None:
        try:
            follow = answer(slug)
        except Exception as error:
            # a database that is away is told of by Django's own answer
            if trouble_of(error) is None:
                logger.exception("The front door leaves a request to Django")
            return None
        if follow is None:
            return None
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        visitor = visitor_of(
            address=self.address_of(scope),
            user_agent=headers.get("user-agent", ""),
            referrer=headers.get("referer", ""),
            headers=headers,
        )
        return follow, visitor


def follow_response(request: HttpRequest, follow: Follow) -> HttpResponse:
    """The redirect from a view: counted unless it is a HEAD, with the same headers."""
    if request.method != "HEAD":
        try:
            visits.record(follow.publication_id, follow.event, visitor_of_request(request), part=follow.part)
        except visits.VisitsFull:
            pass
        except Exception:
            logger.exception("A visit of %s is lost; the guest is sent on", follow.publication_id)
    return HttpResponse(status=302, headers=_headers(follow))


async def _count(follow: Follow, visitor: Visitor) -> None:
    """Whatever becomes of the count, the guest is sent on."""
    try:
        await visits.record_async(follow.publication_id, follow.event, visitor, part=follow.part)
    except visits.VisitsFull:
        pass  # the writer tells how many are lost
    except Exception:
        logger.exception("A visit of %s is lost; the guest is sent on", follow.publication_id)


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
    return scope.get("state", {}).get("workspace.client_address", client[0])
