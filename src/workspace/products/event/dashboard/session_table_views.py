"""The table of a day's sessions, which is editable in place. Each change calls the tool.

Without scripts, the page works as plain forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError, NotFoundError, ToolError, UnavailableError
from workspace.products.event.api import part_tools, tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.dashboard.list_forms import build_list_forms

CELL_FIELDS = ("start_time", "end_time", "title", "location", "speakers", "track")
FIELD_LABELS = {
    "start_time": gettext_lazy("Start"),
    "end_time": gettext_lazy("End"),
    "title": gettext_lazy("Title"),
    "location": gettext_lazy("Room"),
    "speakers": gettext_lazy("Speakers"),
    "track": gettext_lazy("Track"),
}


@page()
def sessions(request: SignedInRequest, id: str) -> HttpResponse:
    return render_sessions(request, id)


def render_sessions(
    request: SignedInRequest, id: str, extra_context: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page. `extra_context` overrides parts of its context."""
    event = presenters.get_event(request, id)
    context = {
        **_context(request, event, request.GET.get("day", "")),
        **build_list_forms(request, event),
        **(extra_context or {}),
    }
    return LAYOUT.render_item_page(request, id, "event/owner/sessions.html", context, status)


def _context(request: SignedInRequest, event: Any, chosen: str) -> dict[str, Any]:
    url = f"{LAYOUT.home}/{event['id']}"
    days = presenters.present_days(event, chosen, url)
    day = next((day for day in days if day["is_on"]), None)
    rows = presenters.present_sessions(event, day)
    return {
        "program": event,
        "url": url,
        "days": days,
        "day": day,
        "rows": rows,
        "next_start": presenters.last_end(rows),
        "bar": presenters.build_warnings(event),
        "rooms": event["rooms"],
        "tracks": event["tracks"],
    }


@page("POST")
def add_session(request: SignedInRequest, id: str) -> HttpResponse:
    """Add a session from the last row of the table."""
    day = request.POST.get("day", "")
    entry = {name: text for name, text in _parse_cells(request).items() if text not in ("", [])}
    return _save_session(request, id, {**entry, **({"day": day} if day else {})}, day)


@page("POST")
def update_session(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    """Update a session with those cells of its row that differ."""
    event = presenters.get_event(request, id)
    now: Any = next((item for item in event["schedule"] if item["id"] == session), {})
    was = {**now, "speakers": [speaker["name"] for speaker in now.get("speakers", [])]}
    entry = {name: value for name, value in _parse_cells(request).items() if value != was.get(name)}
    if not entry and now:
        return _table_response(request, id, request.POST.get("day", ""), session)
    return _save_session(request, id, {**entry, "id": session}, request.POST.get("day", ""))


def _parse_cells(request: SignedInRequest) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name in CELL_FIELDS:
        if name in request.POST:
            text = " ".join(request.POST[name].split())
            cells[name] = presenters.split_names(text) if name == "speakers" else text
    return cells


def _save_session(request: SignedInRequest, id: str, entry: dict[str, Any], day: str) -> HttpResponse:
    try:
        answer = call_tool(request, part_tools.save_sessions, event_id=id, items=[entry])
    except InvalidInputError as refusal:
        data = {issue.path.removeprefix("items.0.").split(".")[0]: issue.message for issue in refusal.issues}
        return _error_response(request, id, day, data)
    except (NotFoundError, UnavailableError):
        raise
    except ToolError as refusal:
        return _error_response(request, id, day, {"": refusal.message})
    [saved] = answer["items"]
    return _table_response(request, id, day, saved["id"], [note for note in answer["notes"] if "starts at" in note])


def _error_response(request: SignedInRequest, id: str, day: str, data: Mapping[str, str]) -> HttpResponse:
    LAYOUT.get_item(request, id)  # 404 for an item of another account
    if is_partial(request):
        return JsonResponse({"errors": data}, status=422)
    for name, message in data.items():
        label = FIELD_LABELS.get(name, "")
        messages.error(request, f"{label}: {message}" if label else message)
    return redirect_full_page(request, f"{LAYOUT.home}/{id}?day={day}")


def _table_response(
    request: SignedInRequest, id: str, day: str, session: str, notes: list[str] | None = None
) -> HttpResponse:
    """Return the updated table to the script, or else redirect to the page."""
    if not is_partial(request):
        for note in notes or []:
            messages.warning(request, note)
        return redirect_full_page(request, f"{LAYOUT.home}/{id}?day={day}#add")
    event = presenters.get_event(request, id)
    context = _context(request, event, day)
    html = render_to_string("event/owner/parts/rows.html", context, request)
    data = {"id": session, "rows": html, "bar": presenters.render_warnings(event), "next": context["next_start"]}
    return JsonResponse({**data, "said": " ".join(notes or [])})


@page("POST")
def remove_session(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    title = next((item["title"] for item in event["schedule"] if item["id"] == session), "")
    call_tool(request, tools.delete, ids=[session])
    day = request.POST.get("day", "")
    if is_partial(request):
        return _table_response(request, id, day, "")
    messages.success(request, gettext("“%(name)s” deleted. You can restore it for 30 days.") % {"name": title})
    return redirect_full_page(request, f"{LAYOUT.home}/{id}?day={day}")
