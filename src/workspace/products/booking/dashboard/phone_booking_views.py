"""The page where an owner enters a booking for a client who called.

It takes a service, an available or any other time, and the client.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import clean_text, page
from workspace.lib import clock
from workspace.products.booking.api import booking_tools
from workspace.products.booking.dashboard.booking_views import LABELS
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.dashboard.presenters import parse_local_time, parse_requested_day, present_booking
from workspace.products.booking.dashboard.slot_picker import find_free_days
from workspace.products.booking.domain.queries import get_page


@page("GET", "HEAD", "POST")
def book_by_phone(request: SignedInRequest, id: str) -> HttpResponse:
    page = get_page(request.account, id)
    services = list(page.services.all())
    requested = clean_text(request.POST.get("service_id") or request.GET.get("service_id"), 60)
    service = next((service for service in services if service.pk == requested), services[0] if services else None)
    initial = {
        "start": clean_text(request.GET.get("start"), 40),
        "notify": True,
        "service_id": service.pk if service else "",
    }
    form = ToolForm(
        booking_tools.save_bookings,
        request,
        fixed={"page_id": id},
        entry="items",
        initial=initial,
        labels=LABELS,
    )
    if form.is_bound:
        _add_answers(request, form)
    if answer := form.submit(request.caller):
        [made] = answer.data["saved"]
        row = present_booking(made, page.zone)
        text = gettext("Booking for %(name)s at %(time)s created.")
        text %= {"name": row["name"], "time": f"{row['at']:%H:%M}"}
        if answer.data["mailed"]:
            text = f"{text} {gettext('Client notified.')}"
        day = row["at"].date().isoformat()
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}?day={day}")
    start = parse_local_time(str(form.values.get("start") or ""), page.zone)
    today = clock.today(page.time_zone)
    day = parse_requested_day(request, start.date() if start else today)
    context: dict[str, Any] = {
        "form": form,
        "services": services,
        "chosen": service,
        "start": start,
        "day": day,
        "zone": page.time_zone,
        "questions": _question_fields(request, service),
    }
    if service is not None:
        context |= find_free_days(request, id, service.pk, day, today)
    return LAYOUT.render_page(request, page, "booking/owner/book.html", context, form.status)


def _question_fields(request: SignedInRequest, chosen: Any) -> list[dict[str, str]]:
    questions = chosen.questions if chosen is not None else []
    return [
        {"label": item["label"], "name": f"_answer{number}", "text": request.POST.get(f"_answer{number}", "")[:2000]}
        for number, item in enumerate(questions)
    ]


def _add_answers(request: SignedInRequest, form: ToolForm) -> None:
    """Add the answers to the form's values.

    The keys of answers are the labels of questions, which cannot be field names.
    """
    labels = request.POST.getlist("_label")
    typed_answers = ((label, request.POST.get(f"_answer{number}", "").strip()) for number, label in enumerate(labels))
    if answers := {label: text for label, text in typed_answers if text}:
        form.values["answers"] = answers
