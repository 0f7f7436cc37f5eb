"""What a guest meets at `/l/SLUG`: the page, its clicks, its look, and its QR code."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from workspace.accounts.models import Account
from workspace.products.links.models import CLICK, KIND, VIEW, Element, Kind, Page
from workspace.products.links.shown import draw, live_block
from workspace.products.links.themes import THEMES, sheet, sheet_url
from workspace.publishing import guest_page
from workspace.publishing.front_door import Follow, follow_response
from workspace.publishing.models import Address, State
from workspace.publishing.own_code import picture as own_code
from workspace.publishing.page_cache import Drawn
from workspace.toolkit import clock


# guests get no cookie, so there is no token to compare; only a password is ever posted here, and judged by its origin
@csrf_exempt
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """`/l/SLUG`: the page, counted as a view."""
    return guest_page.answer(request, KIND, slug, _draw, event=VIEW)


def _draw(address: Address) -> Drawn:
    found = page_at(address)
    return draw(found, list(found.elements.all()), address.slug, account_of(address), clock.now())


@require_safe
def click(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """`/l/SLUG/BUTTON`: 302 to where the button leads, counted as a click on it. Only what is stored is followed."""
    address = Address.find(KIND, slug)
    refusal = guest_page.refuse(request, KIND, address)
    if refusal is not None or address is None:
        return refusal or guest_page.told(request, KIND, "unknown")
    url = target_of(address, part)
    if url is None:
        return _not_here(request, address)
    return follow_response(request, Follow(address.publication_id, CLICK, url, part=part))


def target_of(address: Address, part: str) -> str | None:
    """Where a part of the page leads now: a button or live block by its id, a social profile by its network. None for
    what is off, out of its time, or not there."""
    element = Element.objects.filter(pk=part, page__publication=address.publication_id).first()
    if element is None:
        profiles = page_at(address).social_profiles
        return next((profile["url"] for profile in profiles if profile["network"] == part), None)
    if not element.shows(clock.now()):
        return None
    if element.kind == Kind.LIVE:
        block = live_block(element.live, account_of(address))
        return _absolute(block.url) if block and block.url else None
    return element.url or None


def _absolute(url: str) -> str:
    return settings.BASE_URL + url if url.startswith("/") else url


def _not_here(request: HttpRequest, address: Address) -> HttpResponse:
    context = {
        "heading": "This link is not here at the moment",
        "text": "It was taken off the page, or shows at other times only.",
        "eyebrow": page_at(address).title,
        "url": f"/l/{address.slug}",
        "action": "See the whole page",
    }
    response = render(request, "public/message.html", context, status=404)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def theme(request: HttpRequest, name: str, mark: str) -> HttpResponse:
    """A theme's style sheet. Its address changes with its content."""
    if name not in THEMES:
        raise Http404
    response = HttpResponse(sheet(name), content_type="text/css; charset=utf-8")
    is_current = sheet_url(name).split(".")[1] == mark
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_current else "no-cache"
    return response


@require_safe
def code(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """`/l/SLUG.svg` and `/l/SLUG.png?size=`: the QR code of the page's address. What is paused keeps its code."""
    address = Address.find(KIND, slug)
    if address is None or address.publication.state in (State.BANNED, State.DELETED):
        return guest_page.told(request, KIND, "unknown")
    publication = address.publication
    return own_code(
        request,
        f"{settings.BASE_URL}/l/{publication.slug}".upper(),
        form,
        etag=f"{publication.pk}-{publication.version}",
        file_name=publication.slug,
        title=f"{settings.BASE_URL}/l/{publication.slug}",
    )


def page_at(address: Address) -> Page:
    return get_object_or_404(Page, publication=address.publication_id)


def account_of(address: Address) -> Account:
    account = address.publication.account
    if account is None:  # closed, and then its addresses are deleted too
        raise Http404
    return account
