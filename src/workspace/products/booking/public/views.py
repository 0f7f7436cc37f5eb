"""What a guest meets at `/b/SLUG`: what can be booked, and the free times of a month. Every step has an address of its
own and needs no script."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.products.booking.domain.month_availability import Offer
from workspace.products.booking.models import BookingPage, Service
from workspace.products.booking.public.context import (
    Wish,
    due_told,
    frame_of,
    month_told,
    price_told,
    service_of,
    shown,
    to,
    wish_of,
)
from workspace.products.booking.public.time_zones import by_region
from workspace.public_site import guest_page
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.publishing.language import week_hours
from workspace.publishing.locale import speaking, voice
from workspace.publishing.models import Address
from workspace.storage.files.images import picture_url

STEPS = ("/times", "/visit")  # that a choice of another zone leads back to


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """What can be booked; where that is one thing, its month at once. `?service=` leads there, and what an address
    fills in (`?name=&email=&phone=&date=`) goes along."""
    found = BookingPage.at(address)
    with speaking(request, found.language):
        wish = wish_of(request, found)
        if (wanted := request.GET.get("service")) and service_of(found, wanted) is not None:
            day = {"date": wish.date.isoformat()} if wish.date else {}
            return HttpResponseRedirect(to(found, "/times", service=wanted, **wish.told, **day))
        services = list(found.services.filter(hidden=False))
        is_own = len(services) == 1 or bool(wish.told) or wish.date is not None
        draw = partial(_draw, found=found, services=services, wish=wish)
        return guest_page.show(request, address, draw, keep=not is_own)


def _draw(address: Address, *, found: BookingPage, services: list[Service], wish: Wish) -> Drawn:
    day = {"date": wish.date.isoformat()} if wish.date else {}
    rows = [
        {"service": one, **_costs(one, found), "url": to(found, "/times", service=one.pk, **wish.told, **day)}
        for one in services
    ]
    context = {
        **frame_of(found, wish.zone),
        "services": rows,
        "hours": week_hours(found.hours, voice().language),
        "picture": picture_url(found.picture_id, 768) if found.picture_id else "",
        "share": sharing(address, face_of(found), text=found.description),
    }
    if len(services) == 1:
        context |= _month(found, services[0], wish)
    return Drawn(render_to_string("booking/page.html", context))


def _costs(service: Service, found: BookingPage) -> dict[str, str]:
    return {"price": price_told(service, found), "due": due_told(service, found)}


def _month(found: BookingPage, service: Service, wish: Wish) -> dict[str, Any]:
    service.page = found
    return {
        "service": service,
        **_costs(service, found),
        **month_told(Offer(service), wish, "/times", service=service.pk),
        "action": to(found, "/book"),
    }


def face_at(address: Address) -> Face:
    return face_of(BookingPage.at(address))


def face_of(found: BookingPage) -> Face:
    """What is seen of it where its address is sent."""
    look = Brand.of(found.account).look
    return Face.of(found.account, found.name, gettext("Book a time"), look=look, photo=found.picture_id or "")


@shown("GET", "HEAD")
def times(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """`/b/SLUG/times?service=…`: a month with its free days, and the times of one of them."""
    wish = wish_of(request, found)
    service = service_of(found, request.GET.get("service", ""))
    if service is None:
        return HttpResponseRedirect(to(found, "", **wish.told))
    return render(request, "booking/times.html", {**frame_of(found, wish.zone), **_month(found, service, wish)})


@shown("GET", "HEAD")
def zones(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """`/b/SLUG/zones`: on whose clocks the times are shown."""
    wish = wish_of(request, found)
    step = request.GET.get("step", "")
    if not step.startswith(STEPS) or not step.isprintable() or len(step) > 100:
        step = STEPS[0]
    kept = {name: request.GET.get(name, "")[:60] for name in ("service", "date")}
    regions = by_region(voice().language)
    context = {
        **frame_of(found, wish.zone),
        "regions": regions,
        "is_other": not any(name == wish.zone.key for _, places in regions for name, _ in places),
        "action": to(found, step),
        "kept": [
            (name, text)
            for name, text in {**kept, **wish.told, "lang": voice().choice}.items()
            if text and name != "zone"
        ],
    }
    return render(request, "booking/zones.html", context)
