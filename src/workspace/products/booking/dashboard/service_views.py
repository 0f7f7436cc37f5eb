"""The pages for the services of a booking page: settings, order and removal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib import money
from workspace.owner_translation import owner_gettext_lazy
from workspace.payments.checkout import find_connection
from workspace.payments.provider_registry import list_titles
from workspace.products.booking.api import tools
from workspace.products.booking.dashboard.item_layout import LAYOUT
from workspace.products.booking.domain.unavailable_reasons import format_minutes

LABELS = {
    "name": owner_gettext_lazy("Service name"),
    "text": owner_gettext_lazy("Description"),
    "duration": owner_gettext_lazy("Duration"),
    "price": owner_gettext_lazy("Price"),
    "payment": owner_gettext_lazy("Online payment"),
    "deposit": owner_gettext_lazy("Deposit"),
    "buffer_before": owner_gettext_lazy("Buffer before"),
    "buffer_after": owner_gettext_lazy("Buffer after"),
    "notice": owner_gettext_lazy("Minimum notice"),
    "horizon": owner_gettext_lazy("Booking window"),
    "interval": owner_gettext_lazy("Start time interval"),
    "daily_cap": owner_gettext_lazy("Maximum per day"),
    "approval": owner_gettext_lazy("Require my approval"),
    "hidden": owner_gettext_lazy("Hide from guests"),
    "cancel_until": owner_gettext_lazy("Guests can cancel"),
    "move_until": owner_gettext_lazy("Guests can reschedule"),
    "questions": owner_gettext_lazy("Questions"),
    "questions.label": owner_gettext_lazy("Question"),
    "questions.type": owner_gettext_lazy("Answer type"),
    "questions.options": owner_gettext_lazy("Options"),
    "questions.required": owner_gettext_lazy("Required"),
}
NOTICE_CHOICES = (0, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10080)  # minutes
DEADLINE_CHOICES = (-1, 0, 1, 2, 6, 12, 24, 48, 72, 168)  # hours
QUESTION_KINDS = [
    ("short", owner_gettext_lazy("Short text")),
    ("long", owner_gettext_lazy("Long text")),
    ("choice", owner_gettext_lazy("Single choice")),
    ("tick", owner_gettext_lazy("Checkbox")),
    ("phone", owner_gettext_lazy("Phone number")),
]
PAYMENT_CHOICES = [
    ("none", owner_gettext_lazy("None")),
    ("deposit", owner_gettext_lazy("Deposit")),
    ("full", owner_gettext_lazy("Full price")),
]
_ZERO_WHEN_EMPTY = ("interval", "daily_cap")


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str) -> HttpResponse:
    page = call_tool(request, tools.get, page_id=id)["page"]
    return _render_page(
        request, page, {"duration": 30, "notice": 120, "horizon": 60, "cancel_until": 24, "move_until": 24}
    )


@page("GET", "HEAD", "POST")
def service(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    page = call_tool(request, tools.get, page_id=id)["page"]
    return _render_page(request, page, _get_service(page, service))


@page("POST")
def move_up(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    """Move a service up by one position."""
    ids = [row["id"] for row in call_tool(request, tools.get, page_id=id)["page"]["services"]]
    if service not in ids:
        raise Http404("No service has this ID")
    place = max(0, ids.index(service) - 1)
    rest = [value for value in ids if value != service]
    call_tool(request, tools.save_services, page_id=id, order=[*rest[:place], service, *rest[place:]])
    return redirect_full_page(request, f"{LAYOUT.home}/{id}/edit#services")


@page("GET", "HEAD", "POST")
def remove_service(request: SignedInRequest, id: str, service: str) -> HttpResponse:
    row = _get_service(call_tool(request, tools.get, page_id=id)["page"], service)
    back = f"{LAYOUT.home}/{id}/services/{service}"
    if request.method == "POST":
        call_tool(request, tools.save_services, page_id=id, remove=[service])
        return redirect_with_message(
            request, gettext("“%(name)s” removed.") % {"name": row["name"]}, f"{LAYOUT.home}/{id}/edit#services"
        )
    return render_confirmation(
        request,
        title=gettext("Remove “%(name)s”?") % {"name": row["name"]},
        text=gettext("No one can book it anymore. Existing bookings are kept. You can restore it for 30 days."),
        button=gettext("Remove service"),
        back=back,
    )


def _get_service(page: Mapping[str, Any], service: str) -> dict[str, Any]:
    for row in page["services"]:
        if row["id"] == service:
            return {
                **row,
                **{name: _format_amount_input(row[name], page["currency"]) for name in ("price", "deposit")},
            }
    raise Http404("No service has this ID")


def _format_amount_input(amount: float | None, currency: str) -> str | None:
    """Format an amount as it appears in an input field: 45 or 45.50."""
    if amount is None:
        return None
    written = money.format_decimal(money.to_minor_units(money.parse_wire_amount(amount), currency), currency)
    return written.removesuffix(".00")


def _render_page(request: SignedInRequest, page: Mapping[str, Any], row: Mapping[str, Any]) -> HttpResponse:
    id, service = page["id"], row.get("id", "")
    form = ToolForm(
        tools.save_services,
        request,
        fixed={"page_id": id},
        entry="items",
        entry_fixed={"id": service} if service else {},
        initial=row,
        editing=bool(service),
        labels=LABELS,
        amounts={"price": page["currency"], "deposit": page["currency"]},
    )
    if form.is_bound:
        _clean_values(form)
    if form.submit(request.caller):
        text = gettext("Service saved. Existing bookings are kept.") if service else gettext("Service added.")
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/edit#services")
    for name in _ZERO_WHEN_EMPTY:  # a rejected form shows the values as typed
        if form.values.get(name) == 0:
            form.values[name] = ""
    context = {
        "form": form,
        "page": page,
        "row": row,
        "can_charge": find_connection(request.account) is not None,
        "provider_titles": list_titles(),
        "service_url": f"{page['public_url']}?{urlencode({'service': service})}",
        "kinds": QUESTION_KINDS,
        "payments": PAYMENT_CHOICES,
        "notices": _build_choices(NOTICE_CHOICES, row.get("notice"), _format_notice),
        "until": [
            _build_choices(DEADLINE_CHOICES, row.get(name), _format_deadline) for name in ("cancel_until", "move_until")
        ],
        "has_rules": any(form.errors),
    }
    return LAYOUT.render_item_page(request, id, "booking/owner/service.html", context, form.status)


def _clean_values(form: ToolForm) -> None:
    """Set emptied numbers to 0, drop questions without a label, and split choices into lines."""
    for name in _ZERO_WHEN_EMPTY:
        if form.values.get(name) == "":
            form.values[name] = 0
    rows = form.values.get("questions")
    if isinstance(rows, list):
        stored = [row for row in rows if isinstance(row, dict) and str(row.get("label", "")).strip()]
        for row in stored:
            row["options"] = [
                line.strip() for text in row.get("options", ()) for line in str(text).split("\n") if line.strip()
            ]
            if row.get("type") != "choice" or not row["options"]:
                row.pop("options")
        form.values["questions"] = stored


def _build_choices(usual_values: tuple[int, ...], current_value: Any, format_value: Any) -> list[tuple[str, str]]:
    """Return the usual choices, and the current value if it is not among them."""
    counts = sorted({*usual_values, current_value} if isinstance(current_value, int) else usual_values)
    return [(str(count), format_value(count)) for count in counts]


def _format_deadline(hours: int) -> str:
    if hours < 0:
        return gettext("Never")
    if not hours:
        return gettext("Until the start")
    return gettext("Until %(duration)s before") % {"duration": format_minutes(hours * 60)}


def _format_notice(minutes: int) -> str:
    return gettext("%(duration)s before") % {"duration": format_minutes(minutes)} if minutes else gettext("No minimum")
