"""A selected table or guest, next to the plan or on a separate page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError
from workspace.products.seat import messages
from workspace.products.seat.api import bulk_tools
from workspace.products.seat.api.serializers import guest_data, object_data, table_data
from workspace.products.seat.dashboard import plan_data
from workspace.products.seat.dashboard.guest_views import REPLY_CHOICES, list_courses, present_courses
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import floor_plan, tables
from workspace.products.seat.domain.preference_text import describe_preference
from workspace.products.seat.domain.queries import (
    get_chart_with_counts,
    get_table,
    guests_for,
    tables_for,
)
from workspace.products.seat.models import Chart, Table
from workspace.products.seat.rules import lengths
from workspace.publishing.diets import DIETS

NUDGES = (
    ("left", "←", gettext_lazy("Move 10 cm left")),
    ("right", "→", gettext_lazy("Move 10 cm right")),
    ("up", "↑", gettext_lazy("Move 10 cm up")),
    ("down", "↓", gettext_lazy("Move 10 cm down")),
    ("turn", "↻ 15°", gettext_lazy("Rotate by 15 degrees")),
)
CHAIR_CHOICES = [
    ("", gettext_lazy("Standard chair")),
    ("child", gettext_lazy("Child’s chair")),
    ("high", gettext_lazy("High chair")),
]
TABLE_FIELDS = ("name", "shape", "capacity", "rotation", "end_seats", "closed", "locked", "color", "note")
OBJECT_FIELDS = ("name", "rotation", "locked")
GUEST_FIELDS = (
    "name", "party", "reply", "diet", "notes", "chair", "wheelchair", "placeholder", "sort_name", "email", "phone",
)  # fmt: skip


@page("GET", "HEAD", "POST")
def edit_table(request: SignedInRequest, id: str, table_id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    table = get_table(chart, table_id)
    fields = TABLE_FIELDS if table.is_table else OBJECT_FIELDS
    row: dict[str, Any] = dict(table_data(table, []) if table.is_table else object_data(table))
    sizes = {
        "wide": lengths.format_length(table.width, chart.units),
        "deep": lengths.format_length(table.depth, chart.units),
    }
    initial = {name: row[name] for name in fields} | {"rotation": f"{table.rotation:g}"}
    form = _build_form(request, id, bulk_tools.save_tables, table_id, initial)
    if request.method == "POST":
        if _submit_form(request, form, _parse_sizes(request, form, chart, sizes)):
            if not _is_partial(request):
                return redirect_with_message(request, gettext("Table saved."), f"{LAYOUT.home}/{id}/table/{table_id}")
            return render_table(request, id, table_id)
        sizes = {name: request.POST.get(name, sizes[name]) for name in sizes}
    return _render_details(
        request, id, "seat/owner/parts/details_table.html", _table_context(chart, table, form, sizes), form.status
    )


def render_table(request: SignedInRequest, id: str, table_id: str) -> HttpResponse:
    """Render the current state of a table, next to the plan."""
    chart = get_chart_with_counts(request.account, id)
    table = get_table(chart, table_id)
    fields = TABLE_FIELDS if table.is_table else OBJECT_FIELDS
    form = ToolForm(bulk_tools.save_tables, request, entry="items", fixed={"event_id": id})
    form.values = {name: getattr(table, tables.COLUMNS.get(name, name)) for name in fields} | {
        "rotation": f"{table.rotation:g}"
    }
    sizes = {
        "wide": lengths.format_length(table.width, chart.units),
        "deep": lengths.format_length(table.depth, chart.units),
    }
    return _render_details(
        request, id, "seat/owner/parts/details_table.html", _table_context(chart, table, form, sizes), 200
    )


def _build_form(request: SignedInRequest, id: str, tool: Any, part_id: str, initial: dict[str, Any]) -> ToolForm:
    return ToolForm(
        tool, request, entry="items", fixed={"event_id": id}, entry_fixed={"id": part_id}, editing=True, initial=initial
    )


def _submit_form(request: SignedInRequest, form: ToolForm, more: dict[str, Any] | None) -> bool:
    if more is None:
        return False
    form.entry_fixed |= more
    return form.submit(request.caller) is not None


def _parse_sizes(
    request: SignedInRequest, form: ToolForm, chart: Chart, before: dict[str, str]
) -> dict[str, Any] | None:
    """Return the changed width and depth, or None if any of them cannot be read."""
    sizes: dict[str, Any] = {}
    for typed, name in (("wide", "width"), ("deep", "depth")):
        text = request.POST.get(typed, before[typed])
        if text == before[typed]:
            continue
        try:
            sizes[name] = lengths.parse_length(text[:20], chart.units, name)
        except InvalidInputError as refusal:
            form.error = refusal.issues[0].message
            return None
    return sizes


def _table_context(chart: Chart, result: Any, form: ToolForm, sizes: dict[str, str]) -> dict[str, Any]:
    shown = plan_data.build_plan(chart)
    item = next(at for at in (*shown.tables, *shown.objects) if at.id == result.pk)
    return {
        "plan_item": item,
        "form": form,
        "guests": [row for row in shown.guests if row["table_id"] == result.pk],
        "unseated": [row for row in shown.unseated_guests if row["comes"]][:500],
        "shapes": list(floor_plan.SHAPE_LABELS.items()),
        "nudges": NUDGES,
        **sizes,
    }


@page("GET", "HEAD", "POST")
def edit_guest(request: SignedInRequest, id: str, guest_id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    row: dict[str, Any] = dict(guest_data(guests_for.get(guest_id, messages.GUEST_NOT_FOUND, chart)))
    seat = {"seat": row["seat"] or ""} if row["table_id"] else {}
    form = _build_form(
        request, id, bulk_tools.save_guests, guest_id, {**{name: row[name] for name in GUEST_FIELDS}, **seat}
    )
    meals = [text.strip() for text in request.POST.getlist("meal")]
    if request.method == "POST" and _submit_form(request, form, {"meals": meals} if meals != row["meals"] else {}):
        if not _is_partial(request):
            return redirect_with_message(request, gettext("Guest saved."), f"{LAYOUT.home}/{id}/guest/{guest_id}")
        row = dict(guest_data(guests_for.get(guest_id, messages.GUEST_NOT_FOUND, chart)))
    return _render_details(
        request, id, "seat/owner/parts/details_guest.html", _guest_context(chart, row, form, meals), form.status
    )


def _guest_context(chart: Chart, row: dict[str, Any], form: ToolForm, typed: list[str]) -> dict[str, Any]:
    standing = tables_for(chart)
    people = list(chart.guests.all())
    counts: dict[str, int] = {}
    for sitting in people:
        counts[sitting.table_id or ""] = counts.get(sitting.table_id or "", 0) + 1
    mine = {row["id"], row["party"]} - {""}
    guest_names = {guest.pk: guest.name for guest in people}
    table_names = {table.pk: table.name for table in standing}
    preferences = [preference for preference in chart.preferences.all() if mine & set(preference.between)]
    return {
        "row": row,
        "form": form,
        "tables": [(table.pk, _label_with_free_seats(table, counts.get(table.pk, 0))) for table in standing],
        "courses": present_courses(list_courses(chart), typed or row["meals"]),
        "preferences": [
            {"words": describe_preference(preference, guest_names, table_names)} for preference in preferences
        ],
        "replies": REPLY_CHOICES,
        "chairs": CHAIR_CHOICES,
        "diets": [(key, diet.label) for key, diet in DIETS.items()],
    }


def _label_with_free_seats(table: Table, taken: int) -> str:
    free = max(0, table.capacity - taken)
    return gettext("%(table)s (%(count)s free)") % {"table": table.label, "count": free}


@page("POST")
def remove_guest(request: SignedInRequest, id: str, guest_id: str) -> HttpResponse:
    call_tool(request, bulk_tools.save_guests, event_id=id, remove=[guest_id])
    return redirect_with_message(request, gettext("Guest removed."), f"{LAYOUT.home}/{id}/guests")


def _is_partial(request: SignedInRequest) -> bool:
    return "X-Part" in request.headers


def _render_details(
    request: SignedInRequest, id: str, template_name: str, context: dict[str, Any], status: int
) -> HttpResponse:
    if not _is_partial(request):
        return LAYOUT.render_item_page(
            request, id, "seat/owner/details.html", {**context, "part": template_name}, status
        )
    return render(request, template_name, {**context, "thing": {"url": f"{LAYOUT.home}/{id}"}}, status=status)
