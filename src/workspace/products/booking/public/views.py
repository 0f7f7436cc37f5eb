"""The guest pages at `/b/SLUG`: services, and the available times of a month.

Every step has its own URL and works without scripts."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.products.booking.domain.month_availability import ServiceOffer
from workspace.products.booking.models import BookingPage, Service
from workspace.products.booking.public.context import (
    BookingQuery,
    build_path,
    find_offered_service,
    format_due,
    format_price,
    guest_view,
    month_context,
    page_context,
    parse_query,
)
from workspace.products.booking.public.time_zones import list_regions
from workspace.public_site import guest_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.language import format_week_hours
from workspace.publishing.locale import current_locale, use_guest_locale
from workspace.publishing.models import Address
from workspace.storage.files.images import image_url

RETURN_STEPS = ("/times", "/visit")  # pages to which a change of the time zone can return


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the services, or the month if there is only one.

    `?service=` redirects to its month. Prefilled values (`?name=&email=&phone=&date=`) are passed on."""
    found = BookingPage.from_address(address)
    with use_guest_locale(request, found.language):
        wish = parse_query(request, found)
        if (wanted := request.GET.get("service")) and find_offered_service(found, wanted) is not None:
            day = {"date": wish.date.isoformat()} if wish.date else {}
            return HttpResponseRedirect(build_path(found, "/times", service=wanted, **wish.carried_query, **day))
        services = list(found.services.filter(hidden=False))
        is_own = len(services) == 1 or bool(wish.carried_query) or wish.date is not None
        draw = partial(_render_page, found=found, services=services, wish=wish)
        return guest_page.render_page(request, address, draw, keep=not is_own)


def _render_page(address: Address, *, found: BookingPage, services: list[Service], wish: BookingQuery) -> RenderedPage:
    day = {"date": wish.date.isoformat()} if wish.date else {}
    rows = [
        {
            "service": one,
            **_price_context(one, found),
            "url": build_path(found, "/times", service=one.pk, **wish.carried_query, **day),
        }
        for one in services
    ]
    context = {
        **page_context(found, wish.zone),
        "services": rows,
        "hours": format_week_hours(found.hours, current_locale().language),
        "picture": image_url(found.image_id, 768) if found.image_id else "",
        "share": build_metadata(address, share_preview(found), text=found.description),
    }
    if len(services) == 1:
        context |= _month_context(found, services[0], wish)
    return RenderedPage(render_to_string("booking/page.html", context))


def _price_context(service: Service, found: BookingPage) -> dict[str, str]:
    return {"price": format_price(service, found), "due": format_due(service, found)}


def _month_context(found: BookingPage, service: Service, wish: BookingQuery) -> dict[str, Any]:
    service.page = found
    return {
        "service": service,
        **_price_context(service, found),
        **month_context(ServiceOffer(service), wish, "/times", service=service.pk),
        "action": build_path(found, "/book"),
    }


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(BookingPage.from_address(address))


def share_preview(found: BookingPage) -> SharePreview:
    """Return the share preview of a booking page."""
    look = Brand.for_account(found.account).style
    return SharePreview.from_brand(
        found.account, found.name, gettext("Book a time"), style=look, photo=found.image_id or ""
    )


@guest_view("GET", "HEAD")
def times(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """Show a month with its available days and the times of a day: `/b/SLUG/times?service=…`."""
    wish = parse_query(request, found)
    service = find_offered_service(found, request.GET.get("service", ""))
    if service is None:
        return HttpResponseRedirect(build_path(found, "", **wish.carried_query))
    return render(
        request, "booking/times.html", {**page_context(found, wish.zone), **_month_context(found, service, wish)}
    )


@guest_view("GET", "HEAD")
def zones(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """Let the guest choose the time zone of the times: `/b/SLUG/zones`."""
    wish = parse_query(request, found)
    step = request.GET.get("step", "")
    if not step.startswith(RETURN_STEPS) or not step.isprintable() or len(step) > 100:
        step = RETURN_STEPS[0]
    kept = {name: request.GET.get(name, "")[:60] for name in ("service", "date")}
    regions = list_regions(current_locale().language)
    context = {
        **page_context(found, wish.zone),
        "regions": regions,
        "is_other": not any(name == wish.zone.key for _, places in regions for name, _ in places),
        "action": build_path(found, step),
        "kept": [
            (name, text)
            for name, text in {**kept, **wish.carried_query, "lang": current_locale().choice}.items()
            if text and name != "zone"
        ],
    }
    return render(request, "booking/zones.html", context)
