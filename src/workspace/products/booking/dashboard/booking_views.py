"""The pages of a booking: details, approval, rescheduling, cancellation and attendance."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.payments import tools as payment_tools
from workspace.products.booking.api import booking_tools, tools
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.dashboard.presenters import parse_local_time, parse_requested_day, present_booking
from workspace.products.booking.dashboard.slot_picker import find_free_days
from workspace.products.booking.domain.queries import get_booking, get_page

LABELS = {
    "name": owner_gettext_lazy("Client name"),
    "email": owner_gettext_lazy("Client email"),
    "phone": owner_gettext_lazy("Client phone"),
    "note": owner_gettext_lazy("Private note"),
    "reason": owner_gettext_lazy("Reason"),
    "start": owner_gettext_lazy("Date and time"),
    "notify": owner_gettext_lazy("Email the client"),
    "ignore_rules": owner_gettext_lazy("Ignore hours, blocked times and calendars"),
}
DONE_MESSAGES = {
    "approve": owner_gettext_lazy("Booking approved."),
    "decline": owner_gettext_lazy("Request declined."),
    "attended": owner_gettext_lazy("Marked as attended."),
    "no_show": owner_gettext_lazy("Marked as no-show."),
}
CLEARED_MESSAGE = owner_gettext_lazy("Attendance cleared.")


@page("GET", "HEAD", "POST")
def booking(request: SignedInRequest, id: str, booking: str) -> HttpResponse:
    """Show a booking. A POST saves the client's details and the note."""
    row = _load_booking(request, id, booking)
    initial = {name: row[name] for name in ("name", "email", "phone", "note")}
    form = _booking_form(request, id, booking, initial, editing=True)
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Booking saved."), row["url"])
    paid = (
        call_tool(request, payment_tools.list_payments, subject=booking)["items"] if row["paid"] or row["price"] else []
    )
    context = {
        "row": row,
        "form": form,
        "payments": paid,
        "zone": row["time_zone"],
        "currency": get_page(request.account, id).currency,
        "history": _build_history(request, booking),
    }
    return LAYOUT.render_item_page(request, id, "booking/owner/booking.html", context, form.status)


@page("POST")
def handle_action(request: SignedInRequest, id: str, booking: str) -> HttpResponse:
    """Approve or decline a request, or record attendance.

    An empty `outcome` clears the recorded attendance."""
    row = _load_booking(request, id, booking)
    item: dict[str, Any] = {"id": booking}
    if (outcome := request.POST.get("request")) in ("approve", "decline"):
        item["request"] = outcome
        if reason := clean_text(request.POST.get("reason"), 10_000):  # the tool rejects text that is too long
            item["reason"] = reason
    else:
        outcome = request.POST.get("outcome", "")
        item["outcome"] = outcome if outcome in ("attended", "no_show") else ""
    saved = call_tool(request, booking_tools.save_bookings, page_id=id, items=[item])
    back = request.POST.get("back", "")
    home = f"{LAYOUT.home}/{id}"
    to = back if back == home or back.startswith((f"{home}?", f"{home}/")) else row["url"]
    text = DONE_MESSAGES.get(outcome or "", CLEARED_MESSAGE)
    return redirect_with_message(request, _with_notice(text, saved["mailed"]), to)


@page("GET", "HEAD", "POST")
def move(request: SignedInRequest, id: str, booking: str) -> HttpResponse:
    """Reschedule a booking.

    The page first lists available times. After a choice (`?start=`), it asks for confirmation and shows who will be
    notified.
    """
    page, row = get_page(request.account, id), _load_booking(request, id, booking)
    form = _booking_form(request, id, booking, {"start": clean_text(request.GET.get("start"), 40), "notify": True})
    if answer := form.submit(request.caller):
        [moved] = answer.data["saved"]
        at = present_booking(moved, page.zone)["at"]
        text = gettext("Booking rescheduled to %(time)s.") % {"time": f"{at:%d %b, %H:%M}"}
        return redirect_with_message(request, _with_notice(text, answer.data["mailed"]), row["url"])
    start = parse_local_time(str(form.values.get("start") or ""), page.zone)
    today = clock.today(page.time_zone)
    day = parse_requested_day(request, start.date() if start else max(row["at"].date(), today))
    context: dict[str, Any] = {
        "row": row,
        "form": form,
        "zone": page.time_zone,
        "start": start,
        "until": start + (row["until"] - row["at"]) if start else None,
        "day": day,
    }
    if row["service_id"]:
        context |= find_free_days(request, id, row["service_id"], day, today)
    return LAYOUT.render_page(request, page, "booking/owner/reschedule.html", context, form.status)


@page("GET", "HEAD", "POST")
def cancel(request: SignedInRequest, id: str, booking: str) -> HttpResponse:
    row = _load_booking(request, id, booking)
    form = _booking_form(request, id, booking, {}, extra_arguments={"request": "cancel"})
    if answer := form.submit(request.caller):
        text = gettext("Booking canceled.")
        return redirect_with_message(request, _with_notice(text, answer.data["mailed"]), row["url"])
    return LAYOUT.render_item_page(
        request, id, "booking/owner/cancel.html", {"row": row, "form": form, "zone": row["time_zone"]}, form.status
    )


def _with_notice(text: str, mailed: object) -> str:
    """Return the text, with a sentence added if the client was emailed."""
    return f"{text} {gettext('Client notified.')}" if mailed else str(text)


def _booking_form(
    request: SignedInRequest,
    id: str,
    booking: str,
    initial: dict[str, Any],
    *,
    editing: bool = False,
    extra_arguments: Mapping[str, str] = MappingProxyType({}),
) -> ToolForm:
    return ToolForm(
        booking_tools.save_bookings,
        request,
        fixed={"page_id": id},
        entry="items",
        entry_fixed={"id": booking, **extra_arguments},
        initial=initial,
        editing=editing,
        labels=LABELS,
    )


def _load_booking(request: SignedInRequest, id: str, booking: str) -> dict[str, Any]:
    page_and_bookings = call_tool(request, tools.get, page_id=id, booking_id=booking)
    [row] = page_and_bookings["bookings"]
    return present_booking(row, get_page(request.account, id).zone)


def _build_history(request: SignedInRequest, id: str) -> list[dict[str, Any]]:
    """Return the history of a booking, newest first."""
    booking = get_booking(request.account, id)
    entries = [
        {
            "said": gettext("Created by you") if booking.by_owner else gettext("Booked on your page"),
            "at": booking.created_at,
            "reason": "",
        }
    ]
    if booking.cancelled_at:
        text = gettext("Canceled by the client") if booking.cancelled_by_guest else gettext("Canceled by you")
        entries.append({"said": text, "at": booking.cancelled_at, "reason": booking.reason})
    elif booking.sequence:
        text = ngettext("Rescheduled", "Rescheduled %(count)s times", booking.sequence) % {"count": booking.sequence}
        entries.append({"said": text, "at": booking.updated_at, "reason": booking.reason})
    return entries[::-1]
