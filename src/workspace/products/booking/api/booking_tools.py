"""Tools for bookings: list them, and create, change, answer or cancel them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Q, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.insights.search import split_terms
from workspace.lib import clock
from workspace.lib.errors import ConflictError, InvalidInputError, OperationNotAllowedError
from workspace.lib.text import format_count
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
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Day, Limit, Offset

BOOKING_IS_FINAL = "What is booked, moved or cancelled is told to people and not taken back"


@box.tool("svc_booking_list", title="List bookings", reads=True, columns="start name service status id")
def list_bookings(
    account: Account,
    page_id: PageId | None = None,
    upcoming: Annotated[bool, Field(description="Only those that start from now on")] = True,
    from_: Annotated[Day, Field(description="On this day or later, in the page's zone")] | None = None,
    to: Annotated[Day, Field(description="On this day or earlier, in the page's zone")] | None = None,
    status: StatusFilter | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[BookingData]]:
    """Bookings in the order of their start: if nothing else is asked for, the confirmed ones to come, of all pages.
    With upcoming=false those of any status, the past ones too."""
    page = get_page(account, page_id) if page_id is not None else None
    bookings = filter_bookings(filter_by_dates(bookings_for(account), page, from_, to), upcoming, status)
    rows = list_booking_data(bookings[offset : offset + limit])
    return listing_answer(rows, total=bookings.count(), offset=offset, noun="bookings", line=format_booking)


def filter_bookings(bookings: QuerySet[Booking], upcoming: bool, status: str | None, q: str = "") -> QuerySet[Booking]:
    """Filter bookings by time, status and search words.

    `q` holds words of name, email, phone, service, note and answers. A booking must match all of them."""
    if upcoming:
        bookings = bookings.filter(starts_at__gte=clock.now())
    if status is not None or upcoming:
        bookings = bookings.filter(_status_filter(status or Status.CONFIRMED))
    for term in split_terms(q):
        bookings = bookings.filter(search__contains=term)
    return bookings.order_by("starts_at", "id")


def filter_by_dates(
    bookings: QuerySet[Booking], page: BookingPage | None, first: Any = None, last: Any = None
) -> QuerySet[Booking]:
    """Filter by page and by local dates, both inclusive."""
    if page is not None:
        bookings = bookings.filter(page=page)
    if first is not None:
        bookings = bookings.filter(local_date__gte=first)
    return bookings if last is None else bookings.filter(local_date__lte=last)


def _status_filter(status: str) -> Q:
    """Build the filter for a status.

    A pending booking whose hold has run out counts as expired, even if its row has not been updated yet."""
    lapsed = Q(status=Status.PENDING, hold_until__lte=clock.now())
    if status == Status.EXPIRED:
        return Q(status=Status.EXPIRED) | lapsed
    return Q(status=status) & ~lapsed if status == Status.PENDING else Q(status=status)


class CancelledBooking(BookingData):
    mailed: int


@box.tool("svc_booking_cancel", title="Cancel a booking", destructive=True, final=BOOKING_IS_FINAL, sends=True)
def cancel(account: Account, page_id: PageId, booking_id: BookingId) -> Answer[CancelledBooking]:
    """Cancel a booking as its owner: its time is free at once, and the client gets a mail. This cannot be undone.
    svc_booking_save_bookings gives a reason with it."""
    booking = get_booking(account, booking_id, get_page(account, page_id))
    journal.set_item(BookingPage.kind, booking.page_id)
    did = booking_actions.cancel_booking(booking)
    back = booking.paid_minor - booking.refunded_minor
    mailed = int(
        did and booking.starts_at > clock.now() and emails.email_guest(booking, "cancelled", refund_minor=back)
    )
    [row] = list_booking_data([booking])
    head = "Cancelled" if did else "It was cancelled before"
    return Answer({**row, "mailed": mailed}, f"{head}, mails: {mailed}. {format_booking(row)}")


class SavedBookings(TypedDict):
    saved: list[BookingData]
    mailed: int


@box.tool("svc_booking_save_bookings", title="Book, move, answer and note", destructive=True, sends=True)
def save_bookings(account: Account, page_id: PageId, items: BookingList) -> Answer[SavedBookings]:
    """Make bookings as the owner, past notice, horizon, cap and interval; with an id move one (`start`), answer its
    request, tell whether they came, note something. All at once or not at all; a time that is taken is refused with
    the three nearest. Clients with an address get a mail, unless notify is false."""
    page = get_page(account, page_id)
    journal.set_item(BookingPage.kind, page.pk)
    saved, mailed = [], 0
    for number, item in enumerate(items):
        at = f"items.{number}"
        try:
            booking, text = _save_booking(page, item, at)
        except (ConflictError, OperationNotAllowedError) as refusal:
            if len(items) > 1:
                refusal.message = f"{at}: {refusal.message}"
            raise
        saved.append(booking)
        mailed += text
    rows = list_booking_data(
        bookings_for(account).in_bulk([booking.pk for booking in saved])[booking.pk] for booking in saved
    )
    head = f"Saved {format_count(len(rows), 'booking')}, mails: {mailed}"
    return Answer({"saved": rows, "mailed": mailed}, "\n".join([head, *format_bullets(rows, format_booking)]))


def _save_booking(page: BookingPage, item: Mapping[str, Any], path: str) -> tuple[Booking, bool]:
    """Save an entry of the call. Return the booking and whether the client was notified."""
    notify, ignore = item.get("notify", True), item.get("ignore_rules", False)
    start = parse_local_time(item["start"], page.zone) if item.get("start") else None
    if (id := item.get("id")) is None:
        return _create_booking(page, item, start, path)
    booking = get_booking(page.account, id, page)
    if "service_id" in item and item["service_id"] != booking.service_id:
        raise InvalidInputError.at_path(
            f"{path}.service_id", "A booking keeps its service: cancel it, and book the other"
        )
    before, what = booking.starts_at, ""
    ending = item.get("request") in ("decline", "cancel")
    if ending and start is not None:
        raise InvalidInputError.at_path(f"{path}.request", f"{item['request'].capitalize()} it, or move it")
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
        raise InvalidInputError.at_path(f"{path}.start", "Say when it begins")
    if "request" in item:
        raise InvalidInputError.at_path(f"{path}.request", "This answers one that there is: name it by its id")
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
        guest_links.renew_link(booking)  # the owner of the former address must no longer have access


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
            known = f"it asks {', '.join(labels)}" if labels else "it asks nothing"
            raise InvalidInputError.at_path(f"{path}.answers.{label}", f"There is no such question: {known}")
    return [{"label": label, "text": fields[label]} for label in labels if fields.get(label)]
