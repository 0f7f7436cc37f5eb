"""What a guest meets at `/l/SLUG`: the page, its clicks and its look."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.lib import clock
from workspace.products.links.models import CLICK, Element, Kind, Page
from workspace.products.links.public.context import draw, face_of, live_block
from workspace.products.links.rules.themes import THEMES, sheet, sheet_url
from workspace.public_site import guest_page
from workspace.public_site.fast_path import follow_response
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face
from workspace.publishing.fast_routes import Follow
from workspace.publishing.locale import voice
from workspace.publishing.models import Address


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """`/l/SLUG`: the page, counted as a view."""
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    found = Page.at(address)
    return draw(found, list(found.elements.all()), address, clock.now())


def face_at(address: Address) -> Face:
    return face_of(Page.at(address))


@require_safe
def click(request: HttpRequest, address: Address, part: str) -> HttpResponse:
    """`/l/SLUG/BUTTON`: 302 to where the button leads, counted as a click on it. Only what is stored is followed."""
    url = target_of(address, part)
    if url is None:
        return _not_here(request, Page.at(address), address.slug)
    return follow_response(request, Follow(address.publication_id, CLICK, url, part=part))


def target_of(address: Address, part: str) -> str | None:
    """Where a part of the page leads now: a button or live block by its id, a social profile by its network. None for
    what is off, out of its time, or not there."""
    element = Element.objects.filter(pk=part, page__publication=address.publication_id).first()
    if element is None:
        profiles = Page.at(address).social_profiles
        return next((profile["url"] for profile in profiles if profile["network"] == part), None)
    if not element.shows(clock.now()):
        return None
    if element.kind == Kind.LIVE:
        block = live_block(element, Page.at(address).account)
        return _absolute(block.url) if block and block.url else None
    return element.url or None


def _absolute(url: str) -> str:
    if url.startswith("/"):
        url = settings.BASE_URL + url
    return voice().along(url) if url.startswith(f"{settings.BASE_URL}/") else url


def _not_here(request: HttpRequest, page: Page, slug: str) -> HttpResponse:
    context = {
        "heading": gettext("This link is not here at the moment"),
        "text": gettext("It was taken off the page, or shows at other times only."),
        "eyebrow": page.title,
        "url": voice().along(f"/l/{slug}"),
        "action": gettext("See the whole page"),
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
