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
from workspace.products.booking.domain.queries import offered_services
from workspace.products.booking.models import BookingPage, Service
from workspace.products.booking.public.context import (
    BookingQuery,
    build_path,
    find_offered_service,
    format_due,
    format_price,
    month_context,
    page_context,
    parse_query,
    uncached_guest_view,
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
    """Show the services, or the month if there is only one service.

    `?service=` redirects to the month of that service. Prefilled values (`?name=&email=&phone=&date=`) are passed on.
    """
    page = BookingPage.from_address(address)
    with use_guest_locale(request, page.language):
        query = parse_query(request, page)
        if (requested := request.GET.get("service")) and find_offered_service(page, requested) is not None:
            day = {"date": query.date.isoformat()} if query.date else {}
            return HttpResponseRedirect(build_path(page, "/times", service=requested, **query.carried_query, **day))
        services = offered_services.fetch(page)
        is_own = len(services) == 1 or bool(query.carried_query) or query.date is not None
        draw = partial(_render_page, page=page, services=services, query=query)
        return guest_page.render_page(request, address, draw, use_cache=not is_own)


def _render_page(address: Address, *, page: BookingPage, services: list[Service], query: BookingQuery) -> RenderedPage:
    day = {"date": query.date.isoformat()} if query.date else {}
    rows = [
        {
            "service": service,
            **_price_context(service, page),
            "url": build_path(page, "/times", service=service.pk, **query.carried_query, **day),
        }
        for service in services
    ]
    context = {
        **page_context(page, query.zone),
        "services": rows,
        "hours": format_week_hours(page.hours, current_locale().language),
        "picture": image_url(page.image_id, 768) if page.image_id else "",
        "share": build_metadata(address, share_preview(page), text=page.description),
    }
    if len(services) == 1:
        context |= _month_context(page, services[0], query)
    return RenderedPage(render_to_string("booking/page.html", context))


def _price_context(service: Service, page: BookingPage) -> dict[str, str]:
    return {"price": format_price(service, page), "due": format_due(service, page)}


def _month_context(page: BookingPage, service: Service, query: BookingQuery) -> dict[str, Any]:
    service.page = page
    return {
        "service": service,
        **_price_context(service, page),
        **month_context(ServiceOffer(service), query, "/times", service=service.pk),
        "action": build_path(page, "/book"),
    }


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(BookingPage.from_address(address))


def share_preview(page: BookingPage) -> SharePreview:
    """Return the share preview of a booking page."""
    look = Brand.for_account(page.account).style
    return SharePreview.from_brand(
        page.account, page.name, gettext("Book a time"), style=look, photo=page.image_id or ""
    )


@uncached_guest_view("GET", "HEAD")
def times(request: HttpRequest, address: Address, page: BookingPage) -> HttpResponse:
    """Show a month with its available days and the times of a day: `/b/SLUG/times?service=…`."""
    query = parse_query(request, page)
    service = find_offered_service(page, request.GET.get("service", ""))
    if service is None:
        return HttpResponseRedirect(build_path(page, "", **query.carried_query))
    return render(
        request, "booking/times.html", {**page_context(page, query.zone), **_month_context(page, service, query)}
    )


@uncached_guest_view("GET", "HEAD")
def zones(request: HttpRequest, address: Address, page: BookingPage) -> HttpResponse:
    """Let the guest choose the time zone in which times are shown: `/b/SLUG/zones`."""
    query = parse_query(request, page)
    step = request.GET.get("step", "")
    if not step.startswith(RETURN_STEPS) or not step.isprintable() or len(step) > 100:
        step = RETURN_STEPS[0]
    stored = {name: request.GET.get(name, "")[:60] for name in ("service", "date")}
    regions = list_regions(current_locale().language)
    context = {
        **page_context(page, query.zone),
        "regions": regions,
        "is_other": not any(name == query.zone.key for _, places in regions for name, _ in places),
        "action": build_path(page, step),
        "carried_fields": [
            (name, text)
            for name, text in {**stored, **query.carried_query, "lang": current_locale().choice}.items()
            if text and name != "zone"
        ],
    }
    return render(request, "booking/time_zones.html", context)
