"""The forms for the days, rooms and tracks of a program. Each form replaces its whole list."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
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
    """Build a form for each list. `submitted_form` is the form that was submitted."""
    made = {
        name: submitted_form
        if name == submitted_name and submitted_form is not None
        else build_list_form(request, event, name)
        for name in LIST_FIELDS
    }
    return {"places": made, "open_place": submitted_name or ("" if event["day_list"] else "days")}


def build_list_form(
    request: SignedInRequest, event: presenters.EventData, name: str, *, sent: bool = False
) -> ToolForm:
    """Build the form of a list. Unless it was `sent`, it contains the entries of the list."""
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
