"""The page where a guest enters their details and books a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from workspace.lib import clock
from workspace.lib.errors import ConflictError
from workspace.payments import checkout
from workspace.products.booking import messages
from workspace.products.booking.domain import emails, payments
from workspace.products.booking.domain.booking_actions import Guest, build_booking, save_booking
from workspace.products.booking.domain.cancellation_policy import GRACE_PERIOD, promised_deadline
from workspace.products.booking.domain.locks import SlotUnavailableError
from workspace.products.booking.models import Booking, BookingPage, Service
from workspace.products.booking.public.context import (
    PREFILLED_FIELDS,
    BookingQuery,
    build_path,
    find_offered_service,
    format_due,
    format_price,
    page_context,
    parse_query,
    time_context,
    uncached_guest_view,
)
from workspace.products.booking.public.guest_fields import BookingDetails, build_answers, build_details_model
from workspace.products.booking.public.guest_link_views import redirect_after_booking
from workspace.public_site import guest_checkout
from workspace.public_site.guest_form import WHOLE_FORM, FormState, parse_form, submission_key
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction, is_preview
from workspace.public_site.spam_protection import (
    STAMP_FIELD,
    SpamVerdict,
    check_submission,
    consume_with_work,
    render_hidden_fields,
)
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address

FORM_NAME = "booking-book"


@uncached_guest_view("GET", "HEAD", "POST")
def enter_details(request: HttpRequest, address: Address, page: BookingPage) -> HttpResponse:
    """Show the form at `/b/SLUG/book?service=…&start=…`, and create the booking on POST."""
    query_dict = request.POST if request.method == "POST" else request.GET
    query, service = parse_query(request, page), find_offered_service(page, query_dict.get("service", ""))
    if service is None or query.start is None:
        return HttpResponseRedirect(build_path(page, "", **query.carried_query))
    if request.method == "POST":
        return _handle_submission(request, address, service, query, query.start)
    fields = {name: query.carried_query[name] for name in PREFILLED_FIELDS if name in query.carried_query}
    return _render_form(request, service, query, query.start, FormState(build_details_model(service), fields))


def _handle_submission(
    request: HttpRequest, address: Address, service: Service, query: BookingQuery, start: datetime
) -> HttpResponse:
    verdict = check_submission(request, FORM_NAME)
    if verdict is SpamVerdict.TRAPPED:
        return HttpResponseRedirect(build_path(service.page, ""), status=303)
    sheet = parse_form(request, build_details_model(service))
    if verdict is not SpamVerdict.FINE:
        sheet.problems[WHOLE_FORM] = verdict.advice
    if sheet.data is None or sheet.problems:
        return _render_form(request, service, query, start, sheet, status=400)
    if is_preview(request, address.publication):
        sheet.problems[WHOLE_FORM] = str(messages.PREVIEW_ONLY)
        return _render_form(request, service, query, start, sheet)
    waits = service.approval or service.due_minor
    if not consume_with_work("booking-unconfirmed" if waits else "booking", request, FORM_NAME, item=service.page_id):
        sheet.problems[WHOLE_FORM] = str(messages.TOO_MANY_ATTEMPTS)
        return _render_form(request, service, query, start, sheet, status=429)
    try:
        booking = _create_booking(request, address, service, query, start, sheet)
    except SlotUnavailableError as refusal:
        sheet.problems[WHOLE_FORM] = refusal.guest_message
        return _render_form(request, service, query, start, sheet, status=409, nearest=refusal.nearest_times)
    except ConflictError:
        sheet.problems[WHOLE_FORM] = SpamVerdict.STALE.advice
        return _render_form(request, service, query, start, sheet, status=409)
    except GuestActionDeclinedError as declined:
        sheet.problems[WHOLE_FORM] = declined.message
        return _render_form(request, service, query, start, sheet, status=declined.status)
    return redirect_after_booking(booking)


def _create_booking(
    request: HttpRequest,
    address: Address,
    service: Service,
    query: BookingQuery,
    start: datetime,
    form_state: FormState[BookingDetails],
) -> Booking:
    """Create the booking.

    Raise SlotUnavailableError or ConflictError, or GuestActionDeclinedError if an online payment is required but not
    possible.
    """
    booking_details, due, account = form_state.data, service.due_minor, service.page.account
    assert booking_details is not None
    guest = Guest(
        name=booking_details.name,
        email=booking_details.email,
        phone=booking_details.phone,
        answers=build_answers(service, booking_details),
        language=current_locale().language,
        zone=query.zone.key,
    )
    key = submission_key(request, type(booking_details))
    pays = payments.CHECKOUT_PERIOD if due and not service.approval else None
    new = build_booking(service, start, guest, key=key, pay_within=pays)
    letters = emails.prepare_created(new)
    with guest_transaction(address.publication_id):
        if due and not checkout.can_charge(account, due, service.page.currency):
            raise guest_checkout.offline_error(account)
        booking = save_booking(new)
        if booking is new:
            letters.queue()
    return booking


def _render_form(
    request: HttpRequest,
    service: Service,
    query: BookingQuery,
    start: datetime,
    form_state: FormState[BookingDetails],
    *,
    status: int = 200,
    nearest: list[datetime] | None = None,
) -> HttpResponse:
    page, zone = service.page, query.zone
    questions: list[dict[str, Any]] = [
        {**question, "name": f"question{number}", "value": form_state.values.get(f"question{number}", ""),
         "problem": form_state.problems.get(f"question{number}", "")}
        for number, question in enumerate(service.questions)
    ]  # fmt: skip
    due = service.due_minor
    can_pay = not due or checkout.can_charge(page.account, due, page.currency)
    return render(request, "booking/book.html", {
        **page_context(page, zone),
        "service": service,
        "price": format_price(service, page),
        "due": format_due(service, page),
        "not_now": "" if can_pay else guest_checkout.offline_error(page.account).message,
        "when": time_context(start, page, zone),
        "sheet": form_state,
        "questions": questions,
        "nearest": [time_context(moment, page, zone) for moment in nearest or []],
        "is_taken": nearest is not None,
        "action": build_path(page, "/book"),
        "back": build_path(
            page, "/times", service=service.pk, **query.carried_query, date=start.astimezone(zone).date().isoformat()
        ),
        "hidden_fields": render_hidden_fields(FORM_NAME, since=request.POST.get(STAMP_FIELD, "")),
        **_deadline_context(service, start, zone),
    }, status=status)  # fmt: skip


def _deadline_context(service: Service, start: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """Return the cancellation terms shown before booking.

    A request has no grace period, because its approval takes longer than that.
    """
    last = promised_deadline(service, start, clock.now())
    has_grace = service.cancel_until is not None and not service.approval
    return {
        "cancel_by": time_context(last, service.page, zone)["whole"] if last is not None else "",
        "grace": int(GRACE_PERIOD / timedelta(minutes=1)) if last is None and has_grace else 0,
    }
