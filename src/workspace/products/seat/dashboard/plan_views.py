"""The floor plan, with three panes on a wide screen, and the actions on it.

With scripts, an action returns the changes as data. Without scripts, the page is rendered again.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page, parse_whole_number
from workspace.lib.errors import ConflictError, ToolError
from workspace.products.seat.dashboard import full_table_options, plan_actions, plan_data, undo_views
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import change_steps, floor_plan, spacing_warnings, tables
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart
from workspace.storage.files.images import image_url


@page()
def show_plan(request: SignedInRequest, id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    shown = plan_data.build_plan(chart)
    context = {**build_context(request, chart, shown), "is_list_open": bool(shown.unseated_count) or not shown.people}
    return LAYOUT.render_page(request, chart, "seat/owner/plan.html", context)


def build_context(request: SignedInRequest, chart: Chart, shown: plan_data.PlanData) -> dict[str, Any]:
    """Return the context of the plan's page, which may also show a proposal."""
    guests = shown.guests
    return {
        "chart": chart,
        "board": shown,
        "room": _room_context(chart),
        "view": tables.compute_view_box(chart, shown.standing),
        "shapes": list(floor_plan.SHAPE_LABELS.items()),
        "kinds": list(floor_plan.OBJECT_LABELS.items()),
        "parties": sorted({row["party"] for row in guests if row["party"]}, key=str.casefold),
        "meals": sorted({meal for row in guests for meal in row["meals"] if meal}),
        "tags": sorted({tag for row in guests for tag in row["tags"]}),
        "warnings": spacing_warnings.find_warnings(chart, shown.standing_tables),
        **_undo_context(chart, request),
    }


def _room_context(chart: Chart) -> dict[str, Any]:
    """Return the room's size, and its picture if it has one."""
    result: dict[str, Any] = {"width": chart.width, "depth": chart.depth, "picture": ""}
    if chart.background_image is not None:
        wide = chart.background_width or chart.width
        ratio = chart.background_image.height / chart.background_image.width if chart.background_image.width else 1
        result |= {"picture": image_url(chart.background_image_id or "", 1536), "wide": wide, "high": wide * ratio}
    return result


def _undo_context(chart: Chart, request: SignedInRequest) -> dict[str, bool]:
    undo, redo = change_steps.find_next_steps(chart, request.caller.actor_key)
    return {"can_undo": undo is not None, "can_redo": redo is not None}


@page()
def list_changes(request: SignedInRequest, id: str) -> HttpResponse:
    """Return the changes made by other planners, or status 204 if there are none."""
    chart = get_chart_with_counts(request.account, id)
    version = parse_whole_number(request.GET.get("version"), 0, 0, 2**31 - 1)
    if version == chart.version:
        return HttpResponse(status=204)
    return JsonResponse(render_changes(request, chart, version))


@page("POST")
def handle_action(request: SignedInRequest, id: str) -> HttpResponse:
    """Run one of `plan_actions.ACTIONS`. If it is not possible, offer alternatives."""
    chart = get_chart_with_counts(request.account, id)
    version = parse_whole_number(request.POST.get("version"), 0, 0, 2**31 - 1)
    if step := undo_views.find_step_to_confirm(request, chart):
        if is_script_request(request):
            return JsonResponse({"ask": undo_views.render_dialog(request, chart, step)}, status=409)
        return redirect_full_page(request, f"{LAYOUT.home}/{id}/undo/{step.pk}")
    try:
        text = plan_actions.run_action(request, chart)
    except ToolError as refusal:
        options_html = full_table_options.render_options(request, chart, refusal)
        if is_script_request(request):
            fresh = get_chart_with_counts(request.account, id)
            data = render_changes(request, fresh, version) if isinstance(refusal, ConflictError) else {}
            return JsonResponse({**data, "refused": refusal.short_message, "ask": options_html}, status=409)
        messages.error(request, refusal.short_message)
    else:
        if is_script_request(request):
            return JsonResponse(
                {**render_changes(request, get_chart_with_counts(request.account, id), version), "said": text}
            )
        messages.success(request, text)
    return redirect_full_page(request, plan_actions.return_url(request, id))


def is_script_request(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def draw_items(shown: plan_data.PlanData) -> dict[str, str]:
    """Return the SVG of each object and table, keyed by id."""
    return {
        item.id: render_to_string("seat/owner/parts/table.html", {"plan_item": item})
        for item in (*shown.objects, *shown.tables)
    }


def render_changes(request: SignedInRequest, chart: Chart, version: int) -> dict[str, Any]:
    """Return the changes since a version, as rendered parts that the page's script inserts."""
    shown = plan_data.build_plan(chart, version)
    url = f"{LAYOUT.home}/{chart.pk}"
    lines = {
        row["id"]: render_to_string("seat/owner/parts/guest.html", {"row": row, "url": url}) for row in shown.guests
    }
    return {
        "version": chart.version,
        "whole": shown.is_complete,
        "view": tables.compute_view_box(chart, shown.standing),
        "tables": draw_items(shown),
        "guests": lines,
        "gone": list(shown.removed_ids),
        "seated": shown.seated,
        "total": shown.total,
        "outside": shown.outside,
        "facts": render_to_string("seat/owner/parts/facts.html", {"board": shown}),
        "warnings": spacing_warnings.find_warnings(chart, shown.standing_tables),
        **_undo_context(chart, request),
    }
