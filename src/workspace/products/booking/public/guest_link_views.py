"""The pages of a guest's secret link to a booking, `/b/SLUG/visit/TOKEN`.

They show the booking, and let the guest pay, reschedule, cancel, and download a calendar file. GET never changes
anything, because programs also open links in emails. The guest's name is the only personal data on the pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from workspace.lib import clock, ics
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.booking import messages
from workspace.products.booking.domain import booking_actions, calendar_events, emails, guest_links, payments
from workspace.products.booking.domain.cancellation_policy import cancel_deadline, move_deadline, needs_approval_to_move
from workspace.products.booking.domain.locks import BookingChangedError, SlotUnavailableError, lock_booking
from workspace.products.booking.domain.month_availability import ServiceOffer
from workspace.products.booking.models import Booking, BookingPage, PendingReason, Status
from workspace.products.booking.public.context import (
    build_path,
    format_price,
    month_context,
    page_context,
    parse_query,
    time_context,
    uncached_guest_view,
)
from workspace.public_site import guest_checkout, guest_page
from workspace.public_site.current_embed import current_frame
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing.language import format_amount
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address, State
from workspace.rate_limits.counter import consume
from workspace.storage.database.transactions import write_transaction

MAX_REASON_LENGTH = 300
RELOAD_SECONDS = 15  # after which a page that waits for a payment reloads

View = Callable[..., HttpResponse]


def redirect_after_booking(booking: Booking) -> HttpResponse:
    """Redirect to the booking's page, or to the payment, after a booking was made.

    In an iframe, the booking's page links to the payment, because no provider allows framing.
    """
    here = build_path(booking.page, guest_links.link_path(booking), new="1")
    if booking.pending_reason == PendingReason.PAYMENT and current_frame() is None:
        try:
            return _redirect_to_payment(booking)
        except GuestActionDeclinedError:  # the booking's page shows the reason and lets the guest try again
            pass
    return HttpResponseRedirect(here, status=303)


def _redirect_to_payment(booking: Booking) -> HttpResponse:
    """Redirect to the owner's provider.

    Raise GuestActionDeclinedError if the booking cannot be paid now or can no longer be paid.
    """
    with lock_booking(booking, clock.now()):
        payment = payments.start_payment(booking, current_locale().language, guest_links.payment_return_path(booking))
    response = HttpResponseRedirect(guest_checkout.payment_url(payment), status=303)
    response.headers["Cache-Control"] = "no-store"
    return response


def with_linked_booking(view: View) -> View:
    """Pass the link's booking to the view. If the link is invalid, show a page that explains this."""

    @wraps(view)
    def respond(request: HttpRequest, address: Address, page: BookingPage, token: str) -> HttpResponse:
        booking = guest_links.find_by_token(address, token)
        if booking is None:
            return render(request, "booking/invalid_link.html", page_context(page), status=404)
        booking.page = page
        return view(request, address, booking)

    return respond


@uncached_guest_view("GET", "HEAD")
def return_from_payment(request: HttpRequest, address: Address, page: BookingPage) -> HttpResponse:
    """Redirect to the booking. The provider returns the payer to this address, `/b/SLUG/booked?b=…`."""
    booking = guest_links.find_by_payment_return_token(address, request.GET.get("b", ""))
    return HttpResponseRedirect(
        build_path(page, guest_links.link_path(booking), new="1") if booking else build_path(page, "")
    )


@uncached_guest_view("GET", "HEAD")
@with_linked_booking
def booking_page(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    return _render_booking(request, address, booking)


@uncached_guest_view("GET", "HEAD", "POST")
@with_linked_booking
def move(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Let the guest reschedule. When the month's availability is computed, this booking is ignored."""
    now = clock.now()
    if not _can_move(address, booking, now):
        return HttpResponseRedirect(build_path(booking.page, guest_links.link_path(booking)), status=303)
    query, problem, status = parse_query(request, booking.page), "", 200
    if "zone" not in query.carried_query:
        query = replace(query, zone=_guest_zone(booking))
    if query.date is None:  # the current date of the booking
        query = replace(query, date=booking.starts_at.astimezone(query.zone).date())
    if request.method == "POST":
        if query.start is None:
            problem, status = str(messages.TIME_NEEDED), 400
        else:
            problem, status = _handle_move(request, address, booking, query.start)
            if not problem:
                return HttpResponseRedirect(
                    build_path(booking.page, guest_links.link_path(booking), moved="1"), status=303
                )
            booking.refresh_from_db()
    service = booking.service
    assert service is not None
    service.page = booking.page
    step = guest_links.link_path(booking, "/move")
    context = {
        **page_context(booking.page, query.zone),
        **month_context(ServiceOffer(service, booking), query, step),
        "booking": booking,
        "when": time_context(booking.starts_at, booking.page, query.zone),
        "action": build_path(booking.page, step),
        "back": build_path(booking.page, guest_links.link_path(booking)),
        "problem": problem,
        "sequence": booking.sequence,
    }
    return render(request, "booking/reschedule.html", context, status=status)


def _handle_move(request: HttpRequest, address: Address, booking: Booking, start: datetime) -> tuple[str, int]:
    """Reschedule the booking. Return the problem and its HTTP status, or an empty string if it succeeded."""
    if reason := _check_request(request, booking):
        return reason
    sequence, before = request.POST.get("sequence", ""), booking.starts_at
    seen = int(sequence) if sequence.isdecimal() and len(sequence) < 6 else None
    try:
        with guest_page.guest_transaction(address.publication_id):
            if booking_actions.move_booking(booking, start, sequence=seen):
                emails.email_guest(booking, "moved", before, by_guest=True)
                emails.notify_owner(booking, "moved", before)
    except SlotUnavailableError as refusal:
        return refusal.guest_message, 409
    except (BookingChangedError, OperationNotAllowedError):
        return str(messages.BOOKING_CHANGED), 409
    return "", 200


@uncached_guest_view("GET", "HEAD", "POST")
@with_linked_booking
def cancel(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Ask for confirmation, then cancel the booking. This also works while the page is paused."""
    if not _can_cancel(booking, clock.now()):
        return HttpResponseRedirect(build_path(booking.page, guest_links.link_path(booking)), status=303)
    problem, status, reason = "", 200, _clean_line(request.POST.get("reason", ""))
    if request.method == "POST":
        problem, status = _check_request(request, booking) or _check_reason(reason) or ("", 200)
        if not problem:
            _handle_cancellation(booking, reason)
            return HttpResponseRedirect(build_path(booking.page, guest_links.link_path(booking)), status=303)
    context = {
        **_booking_context(booking),
        "problem": problem,
        "action": build_path(booking.page, guest_links.link_path(booking, "/cancel")),
    }
    context |= {"reason": reason}
    return render(request, "booking/cancel.html", context, status=status)


def _handle_cancellation(booking: Booking, reason: str) -> None:
    with write_transaction():
        booking.refresh_from_db()
        before = booking.status
        try:
            did = booking_actions.cancel_booking(booking, reason, by_guest=True)
        except OperationNotAllowedError:  # it has expired since the page was loaded
            return
        if did:
            back = booking.paid_minor - booking.refunded_minor
            emails.email_guest(booking, "cancelled", by_guest=True, refund_minor=back)
            if before == Status.CONFIRMED:
                emails.notify_owner(booking, "cancelled")
            elif not booking.due_minor or not booking.paid_minor:
                emails.notify_owner(booking, "withdrawn")


@uncached_guest_view("POST")
@with_linked_booking
def pay_booking(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Redirect to the payment page of the owner's provider."""
    if not is_same_origin(request):
        return HttpResponseRedirect(build_path(booking.page, guest_links.link_path(booking)), status=303)
    try:
        return _redirect_to_payment(booking)
    except GuestActionDeclinedError as declined:
        return _render_booking(request, address, booking, problem=declined.message, status=declined.status)


@uncached_guest_view("GET", "HEAD")
@with_linked_booking
def calendar_file(request: HttpRequest, address: Address, booking: Booking) -> HttpResponse:
    """Return a calendar file with the event of the emailed invitation."""
    content = ics.build_calendar([calendar_events.guest_event(booking)])
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="visit.ics"'
    return response


def _render_booking(
    request: HttpRequest, address: Address, booking: Booking, *, problem: str = "", status: int = 200
) -> HttpResponse:
    now = clock.now()
    state = _display_state(booking, now)
    pays = payments.get_payment_state(booking, now)
    if state == "paying" and pays.state in ("due", "failed") and not pays.is_payable and not problem:
        problem = guest_checkout.offline_error(booking.account).message
    context = {
        **_booking_context(booking),
        "state": state,
        "pays": pays,
        "problem": problem,
        "is_new": "new" in request.GET,
        "is_moved": "moved" in request.GET,
        "reload_seconds": RELOAD_SECONDS
        if pays.state == "checking" or (pays.state == "due" and current_frame() is not None)
        else 0,
        "is_framed": current_frame() is not None,
        "can_move": _can_move(address, booking, now),
        "can_cancel": _can_cancel(booking, now),
        "move_url": build_path(booking.page, guest_links.link_path(booking, "/move")),
        "cancel_url": build_path(booking.page, guest_links.link_path(booking, "/cancel")),
        "pay_url": build_path(booking.page, guest_links.link_path(booking, "/pay")),
        "file_url": build_path(booking.page, guest_links.link_path(booking, ".ics")),
        "is_open": address.publication.state is State.LIVE,
    }
    return render(request, "booking/booking.html", context, status=status)


def _booking_context(booking: Booking) -> dict[str, Any]:
    zone, page = _guest_zone(booking), booking.page
    language = current_locale().language
    left = booking.paid_minor - booking.refunded_minor
    last = cancel_deadline(booking)
    return {
        **page_context(page, zone),
        "booking": booking,
        "when": time_context(booking.starts_at, page, zone),
        "until": time_context(booking.hold_until, page, zone)["whole"] if booking.hold_until else "",
        "owed": format_amount(booking.unpaid_minor, page.currency, language) if booking.unpaid_minor else "",
        "paid": format_amount(left, page.currency, language) if left > 0 else "",
        "was_paid": format_amount(booking.paid_minor, page.currency, language) if booking.paid_minor else "",
        "cancel_by": time_context(last, page, zone)["whole"] if last is not None else "",
        "current_url": build_path(page, guest_links.link_path(booking)),
        "price": format_price(booking, page),
    }


def _guest_zone(booking: Booking) -> ZoneInfo:
    return ZoneInfo(booking.guest_zone or booking.page.time_zone)


def _display_state(booking: Booking, now: datetime) -> str:
    """Return the state to show: confirmed, running, past, requested, paying, cancelled or expired."""
    state = booking.current_status(now)
    if state == Status.PENDING:
        return "requested" if booking.pending_reason == PendingReason.APPROVAL else "paying"
    if state == Status.CONFIRMED and booking.starts_at <= now:
        return "past" if booking.ends_at <= now else "running"
    return state.value


def _can_move(address: Address, booking: Booking, now: datetime) -> bool:
    service = booking.service
    if service is None or service.binned_at is not None or not booking.is_live(now) or needs_approval_to_move(booking):
        return False
    is_open = address.publication.state is State.LIVE
    last = move_deadline(booking)
    return is_open and last is not None and now <= last and now < booking.starts_at


def _can_cancel(booking: Booking, now: datetime) -> bool:
    """Return whether the guest can cancel now. Requests and unpaid bookings can be cancelled until they start."""
    if not booking.is_live(now) or booking.starts_at <= now:
        return False
    if booking.status == Status.PENDING or booking.service is None:
        return True
    last = cancel_deadline(booking)
    return last is not None and now <= last


def _check_request(request: HttpRequest, booking: Booking) -> tuple[str, int] | None:
    if not is_same_origin(request):
        return str(messages.WRONG_PAGE), 403
    if not consume("booking-change", request, item=booking.pk):
        return str(messages.TOO_MANY_ATTEMPTS), 429
    return None


def _check_reason(reason: str) -> tuple[str, int] | None:
    if len(reason) <= MAX_REASON_LENGTH:
        return None
    return str(messages.REASON_TOO_LONG(length=len(reason), most=MAX_REASON_LENGTH)), 422


def _clean_line(text: str) -> str:
    return "".join(char for char in text if char.isprintable()).strip()
