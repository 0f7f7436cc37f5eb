"""The floor plan: three panes on a wide screen, and what is done on it. With script an act answers what has changed,
as data; without it the page is drawn anew."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page, whole_number
from workspace.lib.errors import Conflict, Refusal
from workspace.products.seat.dashboard import full_table_options, plan_actions, plan_data, undo_views
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain import change_steps, floor_plan, spacing, tables
from workspace.products.seat.domain.queries import chart_of, tables_of
from workspace.products.seat.models import Chart
from workspace.storage.files.images import picture_url


@page()
def plan(request: SignedInRequest, id: str) -> HttpResponse:
    chart = chart_of(request.account, id)
    shown = plan_data.board_of(chart)
    guests = shown.guests
    context = {
        "chart": chart,
        "board": shown,
        "room": _room(chart),
        "view": tables.view_of(chart),
        "shapes": list(floor_plan.SHAPES.items()),
        "kinds": list(floor_plan.KINDS.items()),
        "parties": sorted({row["party"] for row in guests if row["party"]}, key=str.casefold),
        "meals": sorted({meal for row in guests for meal in row["meals"] if meal}),
        "tags": sorted({tag for row in guests for tag in row["tags"]}),
        "warnings": spacing.warnings(chart, tables_of(chart)),
        **_backwards(chart, request),
    }
    return FRAME.page(request, id, "seat/plan.html", context)


def _room(chart: Chart) -> dict[str, Any]:
    """What the drawing needs of the room: its sides, and its picture where it has one."""
    found: dict[str, Any] = {"width": chart.width, "depth": chart.depth, "picture": ""}
    if chart.background is not None:
        wide = chart.background_width or chart.width
        ratio = chart.background.height / chart.background.width if chart.background.width else 1
        found |= {"picture": picture_url(chart.background_id or "", 1536), "wide": wide, "high": wide * ratio}
    return found


def _backwards(chart: Chart, request: SignedInRequest) -> dict[str, bool]:
    actor = request.caller.actor
    return {
        "can_undo": change_steps.to_undo(chart, actor) is not None,
        "can_redo": change_steps.to_redo(chart, actor) is not None,
    }


@page()
def since(request: SignedInRequest, id: str) -> HttpResponse:
    """What another planner has done."""
    chart = chart_of(request.account, id)
    version = whole_number(request.GET.get("version"), 0, 0, 2**31 - 1)
    if version == chart.version:
        return HttpResponse(status=204)
    return JsonResponse(pieces(request, chart, version))


@page("POST")
def act(request: SignedInRequest, id: str) -> HttpResponse:
    """One of `acting.ACTS`. What cannot be is answered with what can be done instead."""
    chart = chart_of(request.account, id)
    version = whole_number(request.POST.get("version"), 0, 0, 2**31 - 1)
    if step := undo_views.large_step(request, chart):
        if is_script(request):
            return JsonResponse({"ask": undo_views.dialog(request, chart, step)}, status=409)
        return redirect_whole(request, f"{FRAME.home}/{id}/undo/{step.pk}")
    try:
        told = plan_actions.done(request, chart)
    except Refusal as refusal:
        asked = full_table_options.instead(request, chart, refusal)
        if is_script(request):
            fresh = chart_of(request.account, id)
            data = pieces(request, fresh, version) if isinstance(refusal, Conflict) else {}
            return JsonResponse({**data, "refused": full_table_options.why(refusal), "ask": asked}, status=409)
        messages.error(request, full_table_options.why(refusal))
    else:
        if is_script(request):
            return JsonResponse({**pieces(request, chart_of(request.account, id), version), "said": told})
        messages.success(request, told)
    return redirect_whole(request, plan_actions.back(request, id))


def is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def pieces(request: SignedInRequest, chart: Chart, version: int) -> dict[str, Any]:
    """What has changed since a version, drawn: the page's script puts it in its place."""
    shown = plan_data.board_of(chart, version)
    around = {"live": True, "named": True, "counts": True}
    drawn = {
        one.id: render_to_string("seat/parts/table.html", {"one": one, **around})
        for one in (*shown.objects, *shown.tables)
    }
    url = f"{FRAME.home}/{chart.pk}"
    lines = {row["id"]: render_to_string("seat/parts/guest.html", {"row": row, "url": url}) for row in shown.guests}
    return {
        "version": chart.version,
        "whole": shown.whole,
        "view": tables.view_of(chart),
        "tables": drawn,
        "guests": lines,
        "gone": list(shown.gone),
        "seated": shown.seated,
        "total": shown.total,
        "warnings": spacing.warnings(chart, tables_of(chart)),
        **_backwards(chart, request),
    }
