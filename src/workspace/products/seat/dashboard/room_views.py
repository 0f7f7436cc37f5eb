"""The room of a chart, and the history of the chart."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.floor_plan import format_item_label
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart, Step
from workspace.products.seat.rules import lengths

MAX_STEPS = 100
# names of the page's fields: the text is in the owner's units, so it is not the tool's argument
SIZE_FIELDS = {"width": "wide", "depth": "deep", "background_width": "picture_wide"}


@page("GET", "HEAD", "POST")
def room(request: SignedInRequest, id: str) -> HttpResponse:
    """Edit the size of the room, its background picture with a scale, and the courses."""
    chart = get_chart_with_counts(request.account, id)
    problem, status = "", 200
    form = LAYOUT.edit_form(request, id, initial={"background_image_id": chart.background_image_id or ""})
    if request.method == "POST":
        try:
            fields = {**_parse_sizes(request, chart), "courses": _parse_courses(request)}
            form.fixed |= fields
            if form.submit(request.caller):
                return redirect_with_message(request, gettext("Room saved."), f"{LAYOUT.home}/{id}/room")
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
    return LAYOUT.render_item_page(request, id, "seat/owner/room.html", context, 422 if problem else status)


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
    """Show descriptions of the latest steps, newest first."""
    chart = get_chart_with_counts(request.account, id)
    steps = list(chart.steps.order_by("-id")[:MAX_STEPS])
    ids = {guest for step in steps for guest in step.guests}
    names = dict(chart.guests.filter(pk__in=ids).values_list("pk", "name"))
    tables = {table.pk: format_item_label(table.name, table.kind) for table in chart.tables.all()}
    rows = [
        {"at": step.created_at, "undone": step.is_undone, "words": _describe_step(step, names, tables)}
        for step in steps
    ]
    return LAYOUT.render_item_page(request, id, "seat/owner/history.html", {"rows": rows})


def _describe_step(step: Step, names: dict[str, str], tables: dict[str, str]) -> str:
    if step.moves:
        return _MOVE_TEXTS.get(step.act, _MOVE_TEXTS["move"]) % {"moves": _list_moves(step, names, tables)}
    if step.act == "tables":
        named = [tables[id] for id in step.tables if id in tables]
        if not named:
            return gettext("Tables changed")
        return gettext("Tables changed: %(names)s") % {"names": _list_names(named, 12)}
    if step.act == "guests":
        named = [names[id] for id in step.guests if id in names]
        if not named:
            return gettext("Guests changed")
        return gettext("Guests changed: %(names)s") % {"names": _list_names(named, 6)}
    if step.act == "gone":
        count = len(step.deleted_ids)
        return ngettext("%(count)s item removed", "%(count)s items removed", count) % {"count": count}
    return str(_ACT_TEXTS.get(step.act, gettext("Chart changed")))


def _list_moves(step: Step, names: dict[str, str], tables: dict[str, str]) -> str:
    none = gettext("no table")
    moves = [
        f"{names.get(id, gettext('Removed guest'))}: {tables.get(before, none)} → {tables.get(after, none)}"
        for id, before, after in step.moves
    ]
    return _list_names(moves, 6, separator="; ")


def _list_names(names: list[str], most: int, separator: str = ", ") -> str:
    """Return the first names, and the number of the others."""
    shown = separator.join(names[:most])
    more = len(names) - most
    if more <= 0:
        return shown
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more) % {
        "names": shown,
        "count": more,
    }


_ACT_TEXTS = {
    "rules": gettext_lazy("Preferences changed"),
    "room": gettext_lazy("Room changed"),
    "door": gettext_lazy("Guests checked in"),
    "undo": gettext_lazy("Change undone"),
    "redo": gettext_lazy("Change redone"),
}
_MOVE_TEXTS = {
    "undo": gettext_lazy("Undone: %(moves)s"),
    "redo": gettext_lazy("Redone: %(moves)s"),
    "apply": gettext_lazy("Auto-seated: %(moves)s"),
    "move": gettext_lazy("Moved: %(moves)s"),
}
