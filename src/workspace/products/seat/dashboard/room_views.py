"""The room of a chart, and the history of the chart."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.text import format_count
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart, Step
from workspace.products.seat.rules import lengths

MAX_STEPS = 100
# field names on the page: the text typed there is in the owner's units, so it is not the tool's argument
SIZE_FIELDS = {"width": "wide", "depth": "deep", "background_width": "picture_wide"}


@page("GET", "HEAD", "POST")
def room(request: SignedInRequest, id: str) -> HttpResponse:
    """Edit the size of the room, its picture with a scale, and the courses."""
    chart = get_chart_with_counts(request.account, id)
    problem, status = "", 200
    form = LAYOUT.edit_form(request, id, initial={"background_image_id": chart.background_image_id or ""})
    if request.method == "POST":
        try:
            fields = {**_parse_sizes(request, chart), "courses": _parse_courses(request)}
            form.fixed |= fields
            if form.submit(request.caller):
                return redirect_with_message(request, "Saved.", f"{LAYOUT.home}/{id}/room")
            problem = "" if form.error else next((words[0] for words in form.errors.values()), "")
            status = form.status
        except InvalidInputError as refusal:
            problem = refusal.issues[0].message
        except ToolError as refusal:
            problem = refusal.message
    courses = [{"name": course["name"], "choices": "\n".join(course["choices"])} for course in chart.courses]
    context = {
        "chart": chart,
        "form": form,
        "problem": problem,
        "sizes": {field: request.POST.get(field) or _format_size(chart, name) for name, field in SIZE_FIELDS.items()},
        "courses": [*courses, *({"name": "", "choices": ""} for _ in range(2 if courses else 1))],
    }
    return LAYOUT.render_item_page(request, id, "seat/room.html", context, 422 if problem else status)


def _format_size(chart: Chart, name: str) -> str:
    value = getattr(chart, name)
    return lengths.format_length(value, chart.units) if value else ""


def _parse_sizes(request: SignedInRequest, chart: Chart) -> dict[str, Any]:
    sizes: dict[str, Any] = {}
    for name, field in SIZE_FIELDS.items():
        text = request.POST.get(field, "").strip()[:20]
        if not text and name == "background_width":
            sizes[name] = 0
        elif text and text != _format_size(chart, name):
            sizes[name] = lengths.parse_length(text, chart.units, name)
    return sizes


def _parse_courses(request: SignedInRequest) -> list[dict[str, Any]]:
    names, choices = request.POST.getlist("course"), request.POST.getlist("choices")
    return [
        {"name": name.strip(), "choices": [line.strip() for line in lines.splitlines() if line.strip()]}
        for name, lines in zip(names, choices, strict=False)
        if name.strip()
    ][:8]


@page()
def history(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the last steps in words, newest first."""
    chart = get_chart_with_counts(request.account, id)
    steps = list(chart.steps.order_by("-id")[:MAX_STEPS])
    ids = {guest for step in steps for guest in step.guests}
    names = dict(chart.guests.filter(pk__in=ids).values_list("pk", "name"))
    tables = dict(chart.tables.values_list("pk", "name"))
    rows = [
        {"at": step.created_at, "undone": step.is_undone, "words": _describe_step(step, names, tables)}
        for step in steps
    ]
    return LAYOUT.render_item_page(request, id, "seat/history.html", {"rows": rows})


def _describe_step(step: Step, names: dict[str, str], tables: dict[str, str]) -> str:
    if step.moves:
        lines = [
            f"{names.get(id, 'Somebody')}: {tables.get(before, 'no table')} → {tables.get(after, 'no table')}"
            for id, before, after in step.moves[:6]
        ]
        more = f" and {len(step.moves) - 6} more" if len(step.moves) > 6 else ""
        return f"{_MOVE_TEXTS.get(step.act, 'Moved')} {'; '.join(lines)}{more}"
    if step.act == "tables":
        named = [tables[id] for id in step.tables if tables.get(id)]
        return f"Tables changed: {', '.join(named[:12])}" if named else "Tables changed"
    if step.act == "guests":
        named = [names[id] for id in step.guests if id in names]
        return (
            f"Guests changed: {', '.join(named[:6])}{' and more' if len(named) > 6 else ''}"
            if named
            else "Guests changed"
        )
    if step.act == "gone":
        return f"Removed {format_count(len(step.deleted_ids), 'table or guest', 'tables or guests')}"
    return _ACT_TEXTS.get(step.act, "Changed")


_ACT_TEXTS = {
    "rules": "Seating rules changed", "room": "Room changed", "door": "Checked in at the door", "undo": "Undone",
    "redo": "Redone",
}  # fmt: skip
_MOVE_TEXTS = {"undo": "Taken back:", "redo": "Made again:", "apply": "Auto-seated:", "move": "Moved"}
