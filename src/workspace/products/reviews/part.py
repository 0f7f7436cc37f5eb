"""A public page beside the first one of the same publication: found, let in, kept and counted alike, under a key of its
own, since the page cache knows one page an address."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from workspace.products.reviews.models import KIND, ReviewPage
from workspace.publishing.guest_page import count, refuse, told
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn, kept, seal

Draw = Callable[[ReviewPage], Drawn]


def page_at(address: Address) -> ReviewPage:
    """The page of an address that is open."""
    page = ReviewPage.objects.get(publication_id=address.publication_id)
    page.publication = address.publication  # brings the account along
    if address.publication.account is not None:
        page.account = address.publication.account
    return page


def answer_part(request: HttpRequest, slug: str, part: str, draw: Draw, *, event: str) -> HttpResponse:
    """The part's page, revalidated on every load. `part` names it and its variant: `wall/2`."""
    address = Address.find(KIND, slug)
    if (refusal := refuse(request, KIND, address)) is not None or address is None:
        return refusal or told(request, KIND, "unknown")
    return answer_open(request, address, part, draw, event=event)


def answer_open(request: HttpRequest, address: Address, part: str, draw: Draw, *, event: str) -> HttpResponse:
    """As `answer_part`, of an address that is known to be open to this guest."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    publication = address.publication
    key = Address(kind=KIND, slug=f"{address.slug}/{part}", publication=publication)
    page = seal(draw(page_at(address))) if publication.password else kept(request, key, lambda: draw(page_at(address)))
    if request.method == "GET":
        count(request, publication, event)
    seen = not publication.password and request.headers.get("If-None-Match") == page.etag
    response = HttpResponse(status=304) if seen else HttpResponse(page.body)
    response.headers["Cache-Control"] = "no-store" if publication.password else "no-cache"
    if not publication.password:
        response.headers["ETag"] = page.etag
    return response
