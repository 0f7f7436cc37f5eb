"""A guest's own link to a booking, `/b/SLUG/visit/TOKEN`: how it stands, paying, moving, cancelling, and the file for a
calendar. GET shows, for programs look at mail as well, and POST acts. It tells no more of the guest than their name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.lib import clock, ics
from workspace.lib.errors import ToolError
from workspace.products.booking.domain import actions, calendar_events, emails, guest_links, payments
from workspace.products.booking.domain.cancellation_policy import cancel_by, move_by, needs_a_yes
from workspace.products.booking.domain.locks import Moved, NotFree, acting_on
from workspace.products.booking.domain.month_availability import Offer
from workspace.products.booking.models import Booking, BookingPage, Status, Waiting
from workspace.products.booking.public.context import frame_of, month_told, price_told, shown, time_told, to, wish_of
from workspace.public_site import guest_checkout, guest_page
from workspace.public_site.active_frame import frame
from workspace.public_site.guest_form import HOUR, Declined
from workspace.public_site.spam_protection import allow, same_origin
from workspace.publishing.language import amount
from workspace.publishing.locale import voice
from workspace.publishing.models import Address, State
from workspace.storage.database.transactions import writing

HOURLY = 20  # acts of one place on one booking
LONGEST_REASON = 300
WAITING = 15  # seconds until a page that waits for a payment looks again

View = Callable[..., HttpResponse]


def onward(booking: Booking) -> HttpResponse:
    """After booking: to the guest's own page, or on to where it is paid. In a frame the page leads there, since no
    provider lets its page be framed."""
    here = to(booking.page, guest_links.path_of(booking), new="1")
    if booking.waiting_for == Waiting.PAYMENT and frame() is None:
        try:
            return _to_pay(booking)
        except Declined:  # the page of the booking says so, and tries again
            pass
    return HttpResponseRedirect(here, status=303)


def _to_pay(booking: Booking) -> HttpResponse:
    """To the owner's provider. Raises Declined where it cannot be paid just now, or any more."""
    with acting_on(booking, clock.now()):
        payment = payments.begin(booking, voice().language, guest_links.back_of(booking))
    response = HttpResponseRedirect(guest_checkout.lead(payment), status=303)
    response.headers["Cache-Control"] = "no-store"
    return response


def of_a_link(view: View) -> View:
    """With the booking whose link it is; a friendly page for a link that is none, or none any more."""

    @wraps(view)
    def answer(request: HttpRequest, address: Address, found: BookingPage, token: str) -> HttpResponse:
        booking = guest_links.found(address, token)
        if booking is None:
            return render(request, "booking/no_link.html", frame_of(found), status=404)
        booking.page = found
        return view(request, address, booking)

    return answer


@shown("GET", "HEAD")
def booked(request: HttpRequest, address: Address, found: BookingPage) -> HttpResponse:
    """`/b/SLUG/booked?b=…`: back from the provider, on to the booking."""
    booking = guest_links.led_back(address, request.GET.get("b", ""))
    return HttpResponseRedirect(to(found, guest_links.path_of(booking), new="1") if booking else to(found, ""))


@shown("GET", "HEAD")
@of_a_link
def visit(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    return _shown(request, address, booking)


@shown("GET", "HEAD", "POST")
@of_a_link
def move(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Another time for it: the same month, in which it is not in its own way."""
    now = clock.now()
    if not _can_move(address, booking, now):
        return HttpResponseRedirect(to(booking.page, guest_links.path_of(booking)), status=303)
    wish, problem, status = wish_of(request, booking.page), "", 200
    if "zone" not in wish.told:
        wish = replace(wish, zone=_zone(booking))
    if wish.date is None:  # where it stands now
        wish = replace(wish, date=booking.starts_at.astimezone(wish.zone).date())
    if request.method == "POST":
        if wish.start is None:
            problem, status = gettext("Please choose a time"), 400
        else:
            problem, status = _moved(request, address, booking, wish.start)
            if not problem:
                return HttpResponseRedirect(to(booking.page, guest_links.path_of(booking), moved="1"), status=303)
            booking.refresh_from_db()
    service = booking.service
    assert service is not None
    service.page = booking.page
    step = guest_links.path_of(booking, "/move")
    context = {
        **frame_of(booking.page, wish.zone),
        **month_told(Offer(service, booking), wish, step),
        "booking": booking,
        "when": time_told(booking.starts_at, booking.page, wish.zone),
        "action": to(booking.page, step),
        "back": to(booking.page, guest_links.path_of(booking)),
        "problem": problem,
        "sequence": booking.sequence,
    }
    return render(request, "booking/move.html", context, status=status)


def _moved(request: HttpRequest, address: Address, booking: Booking, start: datetime) -> tuple[str, int]:
    """What is wrong, and its status; nothing once it is moved."""
    if why := _refused(request, booking):
        return why
    sequence, before = request.POST.get("sequence", ""), booking.starts_at
    seen = int(sequence) if sequence.isdecimal() and len(sequence) < 6 else None
    try:
        with guest_page.acting(address.publication_id):
            if actions.move(booking, start, sequence=seen):
                emails.tell(booking, "moved", before, by_guest=True)
                emails.tell_owner(booking, "moved", before)
    except NotFree as refusal:
        return refusal.told, 409
    except (Moved, ToolError):
        return gettext("This booking was changed meanwhile. Please look at it once more."), 409
    return "", 200


@shown("GET", "HEAD", "POST")
@of_a_link
def cancel(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Asks once more, and cancels: also while the page is paused."""
    if not _can_cancel(booking, clock.now()):
        return HttpResponseRedirect(to(booking.page, guest_links.path_of(booking)), status=303)
    problem, status, reason = "", 200, _line(request.POST.get("reason", ""))
    if request.method == "POST":
        problem, status = _refused(request, booking) or _too_long(reason) or ("", 200)
        if not problem:
            _cancelled(booking, reason)
            return HttpResponseRedirect(to(booking.page, guest_links.path_of(booking)), status=303)
    context = {
        **_told(booking),
        "problem": problem,
        "action": to(booking.page, guest_links.path_of(booking, "/cancel")),
    }
    context |= {"reason": reason}
    return render(request, "booking/cancel.html", context, status=status)


def _cancelled(booking: Booking, reason: str) -> None:
    with writing():
        booking.refresh_from_db()
        before = booking.status
        try:
            did = actions.cancel(booking, reason, by_guest=True)
        except ToolError:  # it has expired meanwhile
            return
        if did:
            back = booking.paid_minor - booking.refunded_minor
            emails.tell(booking, "cancelled", by_guest=True, back=back)
            if before == Status.CONFIRMED:
                emails.tell_owner(booking, "cancelled")
            elif not booking.due_minor or not booking.paid_minor:
                emails.tell_owner(booking, "withdrawn")


@shown("POST")
@of_a_link
def pay(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """On to where it is paid, at the owner's provider."""
    if not same_origin(request):
        return HttpResponseRedirect(to(booking.page, guest_links.path_of(booking)), status=303)
    try:
        return _to_pay(booking)
    except Declined as declined:
        return _shown(request, address, booking, problem=declined.message, status=declined.status)


@shown("GET", "HEAD")
@of_a_link
def file(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """For a calendar; the same event as the invitation in the mail."""
    content = ics.calendar([calendar_events.guests(booking)])
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="visit.ics"'
    return response


def _shown(
    request: HttpRequest, address: Address, booking: Booking, *, problem: str = "", status: int = 200
) -> HttpResponse:
    now = clock.now()
    state = _state(booking, now)
    pays = payments.standing(booking, now)
    if state == "paying" and pays.state in ("due", "failed") and not pays.is_payable and not problem:
        problem = guest_checkout.not_online(booking.account).message
    context = {
        **_told(booking),
        "state": state,
        "pays": pays,
        "problem": problem,
        "is_new": "new" in request.GET,
        "is_moved": "moved" in request.GET,
        "waits": WAITING if pays.state == "checking" or (pays.state == "due" and frame() is not None) else 0,
        "is_framed": frame() is not None,
        "can_move": _can_move(address, booking, now),
        "can_cancel": _can_cancel(booking, now),
        "move_url": to(booking.page, guest_links.path_of(booking, "/move")),
        "cancel_url": to(booking.page, guest_links.path_of(booking, "/cancel")),
        "pay_url": to(booking.page, guest_links.path_of(booking, "/pay")),
        "file_url": to(booking.page, guest_links.path_of(booking, ".ics")),
        "is_open": address.publication.state is State.LIVE,
    }
    return render(request, "booking/visit.html", context, status=status)


def _told(booking: Booking) -> dict[str, Any]:
    zone, page = _zone(booking), booking.page
    language = voice().language
    left = booking.paid_minor - booking.refunded_minor
    last = cancel_by(booking)
    return {
        **frame_of(page, zone),
        "booking": booking,
        "when": time_told(booking.starts_at, page, zone),
        "until": time_told(booking.hold_until, page, zone)["whole"] if booking.hold_until else "",
        "owed": amount(booking.owed_minor, page.currency, language) if booking.owed_minor else "",
        "paid": amount(left, page.currency, language) if left > 0 else "",
        "was_paid": amount(booking.paid_minor, page.currency, language) if booking.paid_minor else "",
        "cancel_by": time_told(last, page, zone)["whole"] if last is not None else "",
        "here": to(page, guest_links.path_of(booking)),
        "price": price_told(booking, page),
    }


def _zone(booking: Booking) -> ZoneInfo:
    return ZoneInfo(booking.guest_zone or booking.page.time_zone)


def _state(booking: Booking, now: datetime) -> str:
    """confirmed, running, past, requested, paying, cancelled or expired."""
    state = booking.state(now)
    if state == Status.PENDING:
        return "requested" if booking.waiting_for == Waiting.APPROVAL else "paying"
    if state == Status.CONFIRMED and booking.starts_at <= now:
        return "past" if booking.ends_at <= now else "running"
    return state.value


def _can_move(address: Address, booking: Booking, now: datetime) -> bool:
    service = booking.service
    if service is None or service.binned_at is not None or not booking.is_live(now) or needs_a_yes(booking):
        return False
    is_open = address.publication.state is State.LIVE
    last = move_by(booking)
    return is_open and last is not None and now <= last and now < booking.starts_at


def _can_cancel(booking: Booking, now: datetime) -> bool:
    """A request, and what is not paid yet, at any time."""
    if not booking.is_live(now) or booking.starts_at <= now:
        return False
    if booking.status == Status.PENDING or booking.service is None:
        return True
    last = cancel_by(booking)
    return last is not None and now <= last


def _refused(request: HttpRequest, booking: Booking) -> tuple[str, int] | None:
    if not same_origin(request):
        return gettext("Please send this from this page."), 403
    if not allow(request, f"booking-visit:{booking.pk}", limit=HOURLY, window=HOUR):
        return gettext("You have sent this several times just now. Please come back in an hour."), 429
    return None


def _too_long(reason: str) -> tuple[str, int] | None:
    if len(reason) <= LONGEST_REASON:
        return None
    figures = {"length": len(reason), "most": LONGEST_REASON}
    return gettext("Your message has %(length)s characters. Shorten it to %(most)s.") % figures, 422


def _line(text: str) -> str:
    return "".join(char for char in text if char.isprintable()).strip()
