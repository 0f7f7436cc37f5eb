"""What a guest meets at `/b/SLUG`: what can be booked, the free times of a month, a few details, and what is booked.
Every step has an address of its own and needs no script."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.products.booking import mailing
from workspace.products.booking.acting import Guest, book
from workspace.products.booking.details import Details, answers_of, details_of
from workspace.products.booking.holding import NotFree
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.offering import Month, last_day, month_of, next_free
from workspace.publishing import guest_page
from workspace.publishing.guest_form import HOUR, WHOLE, Sheet, once_of, read
from workspace.publishing.guest_page import acting
from workspace.publishing.guests import Verdict, allow_with_work, hidden_fields, judge
from workspace.publishing.language import amount, moment, time_of_day, week_hours
from workspace.publishing.models import Address
from workspace.publishing.page_cache import Drawn
from workspace.publishing.share_picture import Face, sharing
from workspace.publishing.speaking import voice
from workspace.storage.pictures import picture_url
from workspace.toolkit import clock

FORM = "booking-book"
HOURLY = 20
_SALT = "booking.booked"
YEARS = range(2000, 2200)


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    found = BookingPage.at(address)
    language = voice().language
    services = [
        {"service": one, "price": _price(one, found), "url": _to("times", found, service=one.pk)}
        for one in found.services.filter(hidden=False)
    ]
    context = {
        **_frame(found),
        "services": services,
        "hours": week_hours(found.hours, language),
        "picture": picture_url(found.picture_id, 768) if found.picture_id else "",
        "share": sharing(address, face_of(found), text=found.description),
    }
    return Drawn(render_to_string("booking/page.html", context))


def face_at(address: Address) -> Face:
    return face_of(BookingPage.at(address))


def face_of(found: BookingPage) -> Face:
    """What is seen of it where its address is sent."""
    look = Brand.of(found.account).look
    return Face.of(found.account, found.name, gettext("Book a time"), look=look, photo=found.picture_id or "")


def times(request: HttpRequest, address: Address) -> HttpResponse:
    """`/b/SLUG/times?service=…`: a month with its free days, and the times of one of them."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    service = _service(address, request)
    if service is None:
        return HttpResponseRedirect(voice().along(f"/b/{address.slug}"))
    zone = _zone(request, service.page)
    today, last = clock.now().astimezone(zone).date(), last_day(service)
    asked = min(max(_date(request.GET.get("date", "")) or today, today), max(last, today))
    month = month_of(service, asked, zone)
    if not month.free and "date" not in request.GET and (found := next_free(service, asked, zone)) is not None:
        asked, month = found, month_of(service, found, zone)
    chosen = asked if asked in month.free else min((day for day in month.free if day >= asked), default=None)
    further = None if month.free else next_free(service, month.next, zone)
    return _kept_nowhere(render(request, "booking/times.html", {
        **_frame(service.page, zone),
        "service": service,
        "price": _price(service, service.page),
        "month": month,
        "weeks": _weeks(month, service, zone, chosen),
        "chosen": chosen,
        "times": [_time(one, service.page, zone) for one in month.free[chosen]] if chosen else [],
        "earlier": _month_link(service, zone, month.previous) if month.first > today.replace(day=1) else "",
        "later": _month_link(service, zone, month.next) if month.next <= last else "",
        "further": further,
        "further_url": _month_link(service, zone, further) if further else "",
    }))  # fmt: skip


def details(request: HttpRequest, address: Address) -> HttpResponse:
    """`/b/SLUG/book?service=…&start=…`: who books, and what is made of it."""
    service = _service(address, request)
    start = _moment(request.POST.get("start") or request.GET.get("start", ""))
    if service is None or start is None:
        return HttpResponseRedirect(voice().along(f"/b/{address.slug}"))
    if request.method in ("GET", "HEAD"):
        sheet = Sheet(
            details_of(service), {name: request.GET.get(name, "")[:254] for name in ("name", "email", "phone")}
        )
        return _asked(request, service, start, sheet)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    return _taken(request, address, service, start)


def _taken(request: HttpRequest, address: Address, service: Service, start: datetime) -> HttpResponse:
    verdict = judge(request, FORM)
    if verdict is Verdict.TRAPPED:
        return HttpResponseRedirect(voice().along(f"/b/{address.slug}"), status=303)
    sheet = read(request, details_of(service))
    if verdict is not Verdict.FINE:
        sheet.problems[WHOLE] = verdict.advice
    if sheet.said is None or sheet.problems:
        return _asked(request, service, start, sheet, status=400)
    if not allow_with_work(request, f"{FORM}:{service.page_id}", FORM, limit=HOURLY, window=HOUR):
        sheet.problems[WHOLE] = gettext("You have sent this several times just now. Please come back in an hour.")
        return _asked(request, service, start, sheet, status=429)
    said, zone = sheet.said, _zone(request, service.page)
    guest = Guest(
        name=said.name,
        email=said.email,
        phone=said.phone,
        answers=answers_of(service, said),
        language=voice().language,
        zone=zone.key,
    )
    try:
        with acting(address.publication_id):
            made = book(service, start, guest, key=once_of(request, type(said)))
            mailing.tell(made, "requested" if made.waiting_for else "booked")
    except NotFree as refusal:
        sheet.problems[WHOLE] = refusal.told
        return _asked(request, service, start, sheet, status=409, nearest=refusal.nearest)
    token = signing.dumps(made.pk, salt=_SALT)
    return HttpResponseRedirect(voice().along(f"/b/{address.slug}/booked?{urlencode({'b': token})}"), status=303)


def booked(request: HttpRequest, address: Address) -> HttpResponse:
    """`/b/SLUG/booked?b=…`: what was booked, to who has just booked it. It shows no more of them than their name."""
    found = None
    try:
        id = signing.loads(request.GET.get("b", ""), salt=_SALT, max_age=24 * HOUR)
        bookings = Booking.objects.filter(pk=id, page__publication=address.publication_id)
        found = bookings.select_related("page__account", "service").first()
    except signing.BadSignature:
        pass
    if found is None:
        return HttpResponseRedirect(voice().along(f"/b/{address.slug}"))
    zone = ZoneInfo(found.guest_zone or found.page.time_zone)
    context = {
        **_frame(BookingPage.at(address), zone),
        "booking": found,
        "state": found.state(clock.now()).value,
        "when": _time(found.starts_at.astimezone(zone), found.page, zone),
    }
    return _kept_nowhere(render(request, "booking/booked.html", context))


def _asked(
    request: HttpRequest,
    service: Service,
    start: datetime,
    sheet: Sheet[Details],
    *,
    status: int = 200,
    nearest: list[datetime] | None = None,
) -> HttpResponse:
    zone = _zone(request, service.page)
    questions = [
        {**one, "name": f"question{number}", "value": sheet.typed.get(f"question{number}", ""),
         "problem": sheet.problems.get(f"question{number}", "")}
        for number, one in enumerate(service.questions)
    ]  # fmt: skip
    return _kept_nowhere(render(request, "booking/book.html", {
        **_frame(service.page, zone),
        "service": service,
        "price": _price(service, service.page),
        "when": _time(start.astimezone(zone), service.page, zone),
        "sheet": sheet,
        "questions": questions,
        "nearest": [_time(one.astimezone(zone), service.page, zone) for one in nearest or []],
        "is_taken": nearest is not None,
        "back": _to("times", service.page, service=service.pk, zone=zone.key, date=_iso(start, zone)),
        "hidden_fields": hidden_fields(FORM),
    }, status=status))  # fmt: skip


def _frame(found: BookingPage, zone: ZoneInfo | None = None) -> dict[str, Any]:
    return {
        "page": found,
        "slug": found.slug,
        "business": found.account.name,
        "zone": (zone or found.zone).key,
        "is_elsewhere": zone is not None and zone.key != found.time_zone,
    }


def _time(there: datetime, found: BookingPage, zone: ZoneInfo) -> dict[str, str]:
    """A moment as a guest reads it, in their zone, and in the page's where that is another."""
    language = voice().language
    return {
        "value": there.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clock": time_of_day(there, zone, language),
        "whole": moment(there, zone, language),
        "there": moment(there, found.zone, language) if zone.key != found.time_zone else "",
    }


def _weeks(month: Month, service: Service, zone: ZoneInfo, chosen: date | None) -> list[list[dict[str, Any]]]:
    return [
        [
            {
                "day": day if day.month == month.first.month else None,
                "url": _month_link(service, zone, day) if day in month.free else "",
                "is_chosen": day == chosen,
            }
            for day in week
        ]
        for week in month.weeks
    ]


def _month_link(service: Service, zone: ZoneInfo, day: date) -> str:
    return _to("times", service.page, service=service.pk, zone=zone.key, date=day.isoformat())


def _to(step: str, found: BookingPage, **query: str) -> str:
    return voice().along(f"/b/{found.slug}/{step}?{urlencode(query)}")


def _iso(start: datetime, zone: ZoneInfo) -> str:
    return start.astimezone(zone).date().isoformat()


def _service(address: Address, request: HttpRequest) -> Service | None:
    """The one that is asked for, which guests are offered."""
    found = BookingPage.at(address)
    id = request.POST.get("service") or request.GET.get("service", "")
    service = found.services.filter(pk=id[:40], hidden=False).first() if id.isprintable() else None
    if service is not None:
        service.page = found
    return service


def _zone(request: HttpRequest, found: BookingPage) -> ZoneInfo:
    name = request.POST.get("zone") or request.GET.get("zone", "")
    return ZoneInfo(name) if name in available_timezones() else found.zone


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return found if found.year in YEARS else None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text[:40])
    except ValueError:
        return None
    return found if found.tzinfo is not None and found.year in YEARS else None


def _price(service: Service, found: BookingPage) -> str:
    return "" if service.price_minor is None else amount(service.price_minor, found.currency, voice().language)


def _kept_nowhere(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
