"""The forms for the days, rooms and tracks of a program. Each replaces its whole list."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LABELS, LAYOUT

LIST_FIELDS = ("days", "rooms", "tracks")
REQUIRED_FIELDS = {"days": "date", "rooms": "name", "tracks": "name"}


def build_list_forms(
    request: SignedInRequest,
    event: presenters.EventData,
    submitted_name: str = "",
    submitted_form: ToolForm | None = None,
) -> dict[str, Any]:
    """Return a form for each list. `submitted_form` is the submitted one."""
    made = {
        name: submitted_form if name == submitted_name and submitted_form is not None else _form(request, event, name)
        for name in LIST_FIELDS
    }
    return {"places": made, "open_place": submitted_name or ("" if event["day_list"] else "days")}


def _form(request: SignedInRequest, event: presenters.EventData, name: str, *, sent: bool = False) -> ToolForm:
    present = {
        "days": [{key: day[key] for key in ("id", "date", "label")} for day in event["day_list"]],
        "rooms": [{key: room[key] for key in ("id", "name")} for room in event["rooms"]],
        "tracks": [dict(track) for track in event["tracks"]],
    }
    form = ToolForm(
        LAYOUT.edit,
        request,
        fixed={"event_id": event["id"]},
        editing=True,
        labels=LABELS,
        initial={name: present[name]},
        ids=name,
    )
    if not sent:
        form.values, form.is_bound = {name: present[name]}, False
    return form


@page("POST")
def save_list(request: SignedInRequest, id: str, name: str) -> HttpResponse:
    """Save a list. An entry whose name is empty is removed."""
    from workspace.products.event.dashboard.session_table_views import render_sessions  # noqa: PLC0415 - the modules import each other

    if name not in LIST_FIELDS:
        raise Http404
    event = presenters.get_event(request, id)
    form = _form(request, event, name, sent=True)
    rows = form.values.get(name)
    stored = (
        [row for row in rows if isinstance(row, dict) and row.get(REQUIRED_FIELDS[name])]
        if isinstance(rows, list)
        else []
    )
    form.values = {name: stored}
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved. Guests see it on their next load.", f"{LAYOUT.home}/{id}")
    return render_sessions(request, id, build_list_forms(request, event, name, form), form.status)
