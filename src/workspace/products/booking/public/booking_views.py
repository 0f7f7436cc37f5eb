"""Who books: the details of one time, and what is made of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.lib import clock
from workspace.lib.errors import Conflict
from workspace.payments import checkout
from workspace.products.booking.domain import emails, payments
from workspace.products.booking.domain.actions import Guest, book
from workspace.products.booking.domain.cancellation_policy import GRACE, promised
from workspace.products.booking.domain.locks import NotFree
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.public.context import (
    PREFILLED,
    Wish,
    due_told,
    frame_of,
    price_told,
    service_of,
    shown,
    time_told,
    to,
    wish_of,
)
from workspace.products.booking.public.guest_fields import Details, answers_of, details_of
from workspace.products.booking.public.guest_link_views import onward
from workspace.public_site import guest_checkout
from workspace.public_site.guest_form import HOUR, WHOLE, Declined, Sheet, once_of, read
from workspace.public_site.guest_page import acting, is_preview
from workspace.public_site.spam_protection import STAMP, Verdict, allow_with_work, hidden_fields, judge
from workspace.publishing.locale import voice
from workspace.publishing.models import Address

FORM = "booking-book"
HOURLY = 20  # of one place on one page
WAITING_HOURLY = 6  # of what keeps a time before anybody has paid or said yes: nobody shall fill an owner's week so


@shown("GET", "HEAD", "POST")
def details(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """`/b/SLUG/book?service=…&start=…`: who books, and what is made of it."""
    asked = request.POST if request.method == "POST" else request.GET
    wish, service = wish_of(request, found), service_of(found, asked.get("service", ""))
    if service is None or wish.start is None:
        return HttpResponseRedirect(to(found, "", **wish.told))
    if request.method == "POST":
        return _taken(request, address, service, wish, wish.start)
    given = {name: wish.told[name] for name in PREFILLED if name in wish.told}
    return _asked(request, service, wish, wish.start, Sheet(details_of(service), given))


def _taken(request: HttpRequest, address: Address, service: Service, wish: Wish, start: datetime) -> HttpResponse:
    verdict = judge(request, FORM)
    if verdict is Verdict.TRAPPED:
        return HttpResponseRedirect(to(service.page, ""), status=303)
    sheet = read(request, details_of(service))
    if verdict is not Verdict.FINE:
        sheet.problems[WHOLE] = verdict.advice
    if sheet.said is None or sheet.problems:
        return _asked(request, service, wish, start, sheet, status=400)
    if is_preview(request, address.publication):
        sheet.problems[WHOLE] = gettext("This is a preview: nothing is booked")
        return _asked(request, service, wish, start, sheet)
    waits = service.approval or service.due_minor
    counted, limit = ("waiting", WAITING_HOURLY) if waits else ("sure", HOURLY)
    if not allow_with_work(request, f"{FORM}:{counted}:{service.page_id}", FORM, limit=limit, window=HOUR):
        sheet.problems[WHOLE] = gettext("You have sent this several times just now. Please come back in an hour.")
        return _asked(request, service, wish, start, sheet, status=429)
    try:
        made = _made(request, address, service, wish, start, sheet)
    except NotFree as refusal:
        sheet.problems[WHOLE] = refusal.told
        return _asked(request, service, wish, start, sheet, status=409, nearest=refusal.nearest)
    except Conflict:
        sheet.problems[WHOLE] = Verdict.STALE.advice
        return _asked(request, service, wish, start, sheet, status=409)
    except Declined as declined:
        sheet.problems[WHOLE] = declined.message
        return _asked(request, service, wish, start, sheet, status=declined.status)
    return onward(made)


def _made(
    request: HttpRequest, address: Address, service: Service, wish: Wish, start: datetime, sheet: Sheet[Details]
) -> Booking:
    """Raises NotFree, Conflict, and Declined where it is to be paid online and cannot be."""
    said, due, account = sheet.said, service.due_minor, service.page.account
    assert said is not None
    guest = Guest(
        name=said.name,
        email=said.email,
        phone=said.phone,
        answers=answers_of(service, said),
        language=voice().language,
        zone=wish.zone.key,
    )
    key = once_of(request, type(said))
    with acting(address.publication_id):
        if due and not checkout.takes(account, due, service.page.currency):
            raise guest_checkout.not_online(account)
        pays = payments.HELD if due and not service.approval else None
        is_new = not Booking.objects.filter(page=service.page, key=key).exists()
        made = book(service, start, guest, key=key, pay_within=pays)
        if is_new:
            emails.tell_made(made)
    return made


def _asked(
    request: HttpRequest,
    service: Service,
    wish: Wish,
    start: datetime,
    sheet: Sheet[Details],
    *,
    status: int = 200,
    nearest: list[datetime] | None = None,
) -> HttpResponse:
    found, zone = service.page, wish.zone
    questions: list[dict[str, Any]] = [
        {**one, "name": f"question{number}", "value": sheet.typed.get(f"question{number}", ""),
         "problem": sheet.problems.get(f"question{number}", "")}
        for number, one in enumerate(service.questions)
    ]  # fmt: skip
    due = service.due_minor
    can_pay = not due or checkout.takes(found.account, due, found.currency)
    return render(request, "booking/book.html", {
        **frame_of(found, zone),
        "service": service,
        "price": price_told(service, found),
        "due": due_told(service, found),
        "not_now": "" if can_pay else guest_checkout.not_online(found.account).message,
        "when": time_told(start, found, zone),
        "sheet": sheet,
        "questions": questions,
        "nearest": [time_told(one, found, zone) for one in nearest or []],
        "is_taken": nearest is not None,
        "action": to(found, "/book"),
        "back": to(found, "/times", service=service.pk, **wish.told, date=start.astimezone(zone).date().isoformat()),
        "hidden_fields": hidden_fields(FORM, since=request.POST.get(STAMP, "")),
        **_deadline(service, start, zone),
    }, status=status)  # fmt: skip


def _deadline(service: Service, start: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """What is said of cancelling before anything is booked. A request is answered later than any grace lasts."""
    last = promised(service, start, clock.now())
    has_grace = service.cancel_until is not None and not service.approval
    return {
        "cancel_by": time_told(last, service.page, zone)["whole"] if last is not None else "",
        "grace": int(GRACE / timedelta(minutes=1)) if last is None and has_grace else 0,
    }
