"""Entering a booking for somebody who rang: a service, one of its free times or any other, and who comes."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page, words
from workspace.lib import clock
from workspace.products.booking.api import booking_tools
from workspace.products.booking.dashboard.booking_views import LABELS
from workspace.products.booking.dashboard.layout import FRAME
from workspace.products.booking.dashboard.presenters import day_asked, local_input, shown
from workspace.products.booking.dashboard.slot_picker import free_days
from workspace.products.booking.domain.queries import page_of


@page("GET", "HEAD", "POST")
def book(request: SignedInRequest, id: str) -> HttpResponse:
    found = page_of(request.account, id)
    services = list(found.services.all())
    wanted = words(request.POST.get("service_id") or request.GET.get("service_id"), 60)
    chosen = next((one for one in services if one.pk == wanted), services[0] if services else None)
    initial = {"start": words(request.GET.get("start"), 40), "notify": True, "service_id": chosen.pk if chosen else ""}
    form = ToolForm(
        booking_tools.save_bookings,
        request,
        fixed={"page_id": id},
        entry="items",
        initial=initial,
        labels=LABELS,
    )
    if form.bound:
        _with_answers(request, form)
    if answer := form.submit(request.caller):
        [made] = answer.data["saved"]
        row = shown(made, found.zone)
        mailed = " They get a mail." if answer.data["mailed"] else ""
        day = row["at"].date().isoformat()
        return done(request, f"Booked for {row['name']} at {row['at']:%H:%M}.{mailed}", f"{FRAME.home}/{id}?day={day}")
    start = local_input(str(form.values.get("start") or ""), found.zone)
    today = clock.today(found.time_zone)
    day = day_asked(request, start.date() if start else today)
    context: dict[str, Any] = {
        "form": form,
        "services": services,
        "chosen": chosen,
        "start": start,
        "day": day,
        "zone": found.time_zone,
        "questions": _questions(request, chosen),
    }
    if chosen is not None:
        context |= free_days(request, id, chosen.pk, day, today)
    return FRAME.drawn(request, found, "booking/owner/book.html", context, form.status)


def _questions(request: SignedInRequest, chosen: Any) -> list[dict[str, str]]:
    asked = chosen.questions if chosen is not None else []
    return [
        {"label": one["label"], "name": f"_answer{number}", "text": request.POST.get(f"_answer{number}", "")[:2000]}
        for number, one in enumerate(asked)
    ]


def _with_answers(request: SignedInRequest, form: ToolForm) -> None:
    """Answers go by the labels of the questions, which no name of a field could hold."""
    labels = request.POST.getlist("_label")
    told = ((label, request.POST.get(f"_answer{number}", "").strip()) for number, label in enumerate(labels))
    if answers := {label: text for label, text in told if text}:
        form.values["answers"] = answers
