"""Guest pages at `/l/SLUG`: the page, its clicks and its style sheets."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.lib import clock
from workspace.products.links.models import CLICK, Element, ElementKind, Page
from workspace.products.links.public.context import find_live_block, render_page, share_preview
from workspace.products.links.rules.themes import THEMES, css_url, render_css
from workspace.public_site import guest_page
from workspace.public_site.fast_path import redirect_response
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview
from workspace.publishing.fast_routes import FollowDecision
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show `/l/SLUG` and count a view."""
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    page = Page.from_address(address)
    return render_page(page, list(page.elements.all()), address, clock.now())


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Page.from_address(address))


@require_safe
def click(request: HttpRequest, address: Address, part: str) -> HttpResponse:
    """Redirect `/l/SLUG/BUTTON` with a 302 to the button's target, and count a click.

    Only stored targets are used.
    """
    url = find_target(address, part)
    if url is None:
        return _render_unavailable(request, Page.from_address(address), address.slug)
    return redirect_response(request, FollowDecision(address.publication_id, CLICK, url, part=part))


def find_target(address: Address, part: str) -> str | None:
    """Return the current target of a part of the page, or None if it is off, not scheduled now, or missing.

    The part is the id of a button or live block, or the network of a social profile.
    """
    element = Element.objects.filter(pk=part, page__publication=address.publication_id).first()
    if element is None:
        profiles = Page.from_address(address).social_profiles
        return next((profile["url"] for profile in profiles if profile["network"] == part), None)
    if not element.is_visible(clock.now()):
        return None
    if element.kind == ElementKind.LIVE:
        block = find_live_block(element, Page.from_address(address).account)
        return _absolute_url(block.url) if block and block.url else None
    return element.url or None


def _absolute_url(url: str) -> str:
    if url.startswith("/"):
        url = settings.BASE_URL + url
    return current_locale().localize_url(url) if url.startswith(f"{settings.BASE_URL}/") else url


def _render_unavailable(request: HttpRequest, page: Page, slug: str) -> HttpResponse:
    context = {
        "heading": gettext("This link isn’t available right now"),
        "text": gettext("It was removed from the page or is only shown at certain times."),
        "eyebrow": page.title,
        "url": current_locale().localize_url(f"/l/{slug}"),
        "action": gettext("View the whole page"),
    }
    response = render(request, "public/message.html", context, status=404)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def theme_css(request: HttpRequest, name: str, mark: str) -> HttpResponse:
    """Return a theme's style sheet. Its URL changes with its content."""
    if name not in THEMES:
        raise Http404
    response = HttpResponse(render_css(name), content_type="text/css; charset=utf-8")
    is_current = css_url(name).split(".")[1] == mark
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_current else "no-cache"
    return response
