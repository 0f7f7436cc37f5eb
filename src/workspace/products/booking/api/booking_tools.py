"""Tools for bookings: list them, and create, change, answer or cancel them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any

from django.db.models import Q, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.insights.search import split_terms
from workspace.lib import clock
from workspace.lib.errors import ConflictError, InvalidInputError, OperationNotAllowedError
from workspace.lib.text import format_count
from workspace.products.booking import messages
from workspace.products.booking.api.arguments import BookingId, BookingList, PageId, StatusFilter
from workspace.products.booking.api.serializers import BookingData, list_booking_data
from workspace.products.booking.api.text import format_booking
from workspace.products.booking.api.tools import box
from workspace.products.booking.domain import booking_actions, emails, guest_links
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.domain.queries import bookings_for, get_booking, get_page, get_service
from workspace.products.booking.models import Booking, BookingPage, Status
from workspace.publishing.shared_item_arguments import parse_local_time
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Day, Limit, Offset

BOOKING_IS_FINAL = "Clients were notified, so this can't be undone"


@box.tool(
    "svc_booking_list",
    title="List bookings",
    about="List bookings (appointments) by start time. By default, returns upcoming confirmed bookings of all pages. "
    "upcoming=false also returns past bookings, with any status.",
    short="List bookings. By default, lists upcoming confirmed bookings.",
    synonyms="calendar, agenda, schedule today, who is coming, who booked, my day, reservations, upcoming, "
    "no-shows, termine, wer kommt heute, buchungen, kalender, citas, reservas, quién viene hoy, "
    "próximas citas, bookings of a client, today's bookings, next appointments, coming today, coming "
    "tomorrow, nächste termine, citas de mañana",
    reads=True,
    columns="start name service status id",
)
def list_bookings(
    account: Account,
    page_id: PageId | None = None,
    upcoming: Annotated[
        bool, Field(description="Whether to list only bookings that start now or later. Defaults to true.")
    ] = True,
    from_: Annotated[Day, Field(description="First date to include, in the page's time zone.")] | None = None,
    to: Annotated[Day, Field(description="Last date to include, in the page's time zone.")] | None = None,
    status: StatusFilter | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[BookingData]]:
    page = get_page(account, page_id) if page_id is not None else None
    found, total = search_bookings(account, page, limit, offset, first=from_, last=to, upcoming=upcoming, status=status)
    rows = list_booking_data(found)
    return listing_answer(rows, total=total, offset=offset, noun="bookings", line=format_booking)


def search_bookings(
    account: Account,
    page: BookingPage | None,
    limit: int,
    offset: int,
    *,
    upcoming: bool,
    status: str | None,
    first: date | None = None,
    last: date | None = None,
    q: str = "",
) -> tuple[list[Booking], int]:
    """Return a page of the bookings that match these filters, ordered by time, and the total number.

    `q` contains words of the name, email, phone, service, note or answers. A booking must match all of them.
    """
    now = clock.now()
    wanted = Status(status or Status.CONFIRMED) if status is not None or upcoming else None
    lapsed_by = now if wanted in (Status.PENDING, Status.EXPIRED) else None
    return _matching_bookings.fetch_page(
        limit, offset, account, page, first, last, now if upcoming else None, wanted, lapsed_by, *split_terms(q)
    )


@compile_once
def _matching_bookings(
    account: Account,
    page: BookingPage | None,
    first: date | None,
    last: date | None,
    since: datetime | None,
    status: Status | None,
    lapsed_by: datetime | None,
    *terms: str,
) -> QuerySet[Booking]:
    bookings = filter_by_dates(bookings_for(account), page, first, last)
    if since is not None:
        bookings = bookings.filter(starts_at__gte=since)
    if status is not None:
        bookings = bookings.filter(_status_filter(status, lapsed_by))
    for term in terms:
        bookings = bookings.filter(search__contains=term)
    return bookings.order_by("starts_at", "id")


def filter_by_dates(
    bookings: QuerySet[Booking], page: BookingPage | None, first: Any = None, last: Any = None
) -> QuerySet[Booking]:
    """Filter by booking page and by a range of local dates, both ends inclusive."""
    if page is not None:
        bookings = bookings.filter(page=page)
    if first is not None:
        bookings = bookings.filter(local_date__gte=first)
    return bookings if last is None else bookings.filter(local_date__lte=last)


def _status_filter(status: Status, lapsed_by: datetime | None) -> Q:
    """Build the filter for a status.

    A pending booking whose hold has run out counts as expired, even if its row has not been updated yet."""
    lapsed = Q(status=Status.PENDING, hold_until__lte=lapsed_by)
    if status == Status.EXPIRED:
        return Q(status=Status.EXPIRED) | lapsed
    return Q(status=status) & ~lapsed if status == Status.PENDING else Q(status=status)


class CancelledBooking(BookingData):
    mailed: int


@box.tool(
    "svc_booking_cancel",
    title="Cancel a booking",
    about="Cancel an appointment as the owner. The slot becomes available and the client is emailed. This cannot be "
    "undone. To give a reason, use svc_booking_save_bookings.",
    short="Cancel a booking and email the client.",
    synonyms="call off, drop appointment, delete appointment, client can't come, termin absagen, termin "
    "stornieren, stornieren, absagen, cancelar cita, anular reserva",
    destructive=True,
    final=BOOKING_IS_FINAL,
    sends=True,
)
def cancel(account: Account, page_id: PageId, booking_id: BookingId) -> Answer[CancelledBooking]:
    booking = get_booking(account, booking_id, get_page(account, page_id))
    journal.set_item(BookingPage.kind, booking.page_id)
    did = booking_actions.cancel_booking(booking)
    back = booking.paid_minor - booking.refunded_minor
    mailed = int(
        did and booking.starts_at > clock.now() and emails.email_guest(booking, "cancelled", refund_minor=back)
    )
    [row] = list_booking_data([booking])
    head = "Canceled" if did else "Already canceled"
    return Answer({**row, "mailed": mailed}, f"{head}, emails: {mailed}. {format_booking(row)}")


class SavedBookings(TypedDict):
    saved: list[BookingData]
    mailed: int


@box.tool(
    "svc_booking_save_bookings",
    title="Create, reschedule and update bookings",
    about="Create bookings as the owner, regardless of notice, horizon, daily limit and interval. With id, "
    "reschedule (start), answer a request, record a no-show or add a note. One error rejects all. If a slot is "
    "taken, the error suggests three others. Clients are emailed unless notify is false.",
    short="Create, reschedule or answer bookings, or record no-shows.",
    synonyms="book, appointment for a client, move appointment, postpone, another time, change time, accept "
    "request, approve booking, decline request, no show, didn't show up, attended, phone booking, "
    "termin verschieben, termin eintragen, nicht erschienen, anfrage annehmen, mover cita, cambiar la "
    "hora, reprogramar, reservar para un cliente, no se presentó, aceptar solicitud, client did not "
    "come, did not show, missed appointment, walk-in, kunde kam nicht, kunde nicht erschienen, cliente "
    "no vino",
    destructive=True,
    sends=True,
)
def save_bookings(
    account: Account,
    page_id: PageId,
    items: Annotated[BookingList, Field(description="Bookings to create (without id) or update (with id).")],
) -> Answer[SavedBookings]:
    page = get_page(account, page_id)
    journal.set_item(BookingPage.kind, page.pk)
    saved, mailed = [], 0
    for number, item in enumerate(items):
        at = f"items.{number}"
        try:
            booking, text = _save_booking(page, item, at)
        except (ConflictError, OperationNotAllowedError) as refusal:
            if len(items) > 1:
                refusal.text = f"{at}: {refusal.message}"
            raise
        saved.append(booking)
        mailed += text
    rows = list_booking_data(
        bookings_for(account).in_bulk([booking.pk for booking in saved])[booking.pk] for booking in saved
    )
    head = f"Saved {format_count(len(rows), 'booking')}, emails: {mailed}"
    return Answer({"saved": rows, "mailed": mailed}, "\n".join([head, *format_bullets(rows, format_booking)]))


def _save_booking(page: BookingPage, item: Mapping[str, Any], path: str) -> tuple[Booking, bool]:
    """Save one entry of the call. Return the booking and whether the client was notified."""
    notify, ignore = item.get("notify", True), item.get("ignore_rules", False)
    start = parse_local_time(item["start"], page.zone) if item.get("start") else None
    if (id := item.get("id")) is None:
        return _create_booking(page, item, start, path)
    booking = get_booking(page.account, id, page)
    if "service_id" in item and item["service_id"] != booking.service_id:
        raise InvalidInputError.at_path(f"{path}.service_id", messages.SERVICE_IS_FIXED)
    before, what = booking.starts_at, ""
    ending = item.get("request") in ("decline", "cancel")
    if ending and start is not None:
        raise InvalidInputError.at_path(f"{path}.request", messages.REQUEST_AND_START)
    back = 0
    if item.get("request") == "decline":
        what = "declined" if booking_actions.decline_booking(booking, item.get("reason", "")) else ""
    elif ending and booking_actions.cancel_booking(booking, item.get("reason", "")):
        what, back = "cancelled", booking.paid_minor - booking.refunded_minor
    if start is not None and booking_actions.move_booking(
        booking, start, by_owner=True, ignore_rules=ignore, reason=item.get("reason", "")
    ):
        what = "moved"
    if item.get("request") == "approve" and booking_actions.approve_booking(booking, ignore_rules=ignore):
        what = what or "approved"
    if what:
        journal.mark_irreversible(BOOKING_IS_FINAL)
    if "outcome" in item:
        booking_actions.set_outcome(booking, item["outcome"])
    _save_details(booking, item, path)
    is_notified = bool(what) and notify and booking.starts_at > clock.now()
    former_start = before if what == "moved" else None
    return booking, is_notified and emails.email_guest(booking, what, former_start, refund_minor=back)  # type: ignore[arg-type]


def _create_booking(
    page: BookingPage, item: Mapping[str, Any], start: datetime | None, path: str
) -> tuple[Booking, bool]:
    notify, ignore = item.get("notify", True), item.get("ignore_rules", False)
    if start is None:
        raise InvalidInputError.at_path(f"{path}.start", messages.START_NEEDED)
    if "request" in item:
        raise InvalidInputError.at_path(f"{path}.request", messages.REQUEST_NEEDS_ID)
    booking = _book_as_owner(page, item, start, path, ignore)
    journal.mark_irreversible(BOOKING_IS_FINAL)
    if "outcome" in item:
        booking_actions.set_outcome(booking, item["outcome"])
    return booking, notify and start > clock.now() and emails.email_guest(booking, "confirmed")


def _save_details(booking: Booking, item: Mapping[str, Any], path: str) -> None:
    had = booking.email
    details = {name: item[name] for name in ("name", "email", "phone", "note") if name in item}
    if "note" in details:
        details["owner_note"] = details.pop("note")
    if "answers" in item:
        details["answers"] = _clean_answers(booking.service, item["answers"], path)
    if details:
        booking_actions.update_details(booking, **details)
    if "email" in details and details["email"] != had:
        guest_links.renew_link(booking)  # whoever has the former address must no longer have access


def _book_as_owner(page: BookingPage, item: Mapping[str, Any], start: datetime, path: str, ignore: bool) -> Booking:
    service = get_service(page, item["service_id"])
    guest = Guest(
        name=item["name"],
        email=item.get("email", ""),
        phone=item.get("phone", ""),
        answers=_clean_answers(service, item.get("answers", {}), path),
        note=item.get("note", ""),
    )
    return booking_actions.create_booking(service, start, guest, by_owner=True, ignore_rules=ignore)


def _clean_answers(service: Any, fields: Mapping[str, str], path: str) -> list[dict[str, Any]]:
    labels = [question["label"] for question in service.questions] if service is not None else list(fields)
    for label in fields:
        if label not in labels:
            problem = messages.UNKNOWN_QUESTION(known=", ".join(labels)) if labels else messages.NO_QUESTIONS
            raise InvalidInputError.at_path(f"{path}.answers.{label}", problem)
    return [{"label": label, "text": fields[label]} for label in labels if fields.get(label)]
