"""The table of a day's sessions, editable in place: each change is one call of the tool, and the page works as plain
forms without script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from workspace.dashboard.session import SignedInRequest, is_part, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import InvalidInput, NotFound, Refusal, Unavailable
from workspace.products.event.api import part_tools, tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.layout import FRAME
from workspace.products.event.dashboard.structure_forms import forms as place_forms

CELLS = ("start_time", "end_time", "title", "location", "speakers", "track")
NAMES = {"start_time": "Start", "end_time": "End", "location": "Room"}


@page()
def sessions(request: SignedInRequest, id: str) -> HttpResponse:
    return drawn(request, id)


def drawn(request: SignedInRequest, id: str, more: Mapping[str, Any] | None = None, status: int = 200) -> HttpResponse:
    """The page; `more` replaces some of what it shows."""
    found = presenters.whole(request, id)
    context = {**_context(request, found, request.GET.get("day", "")), **place_forms(request, found), **(more or {})}
    return FRAME.page(request, id, "event/owner/sessions.html", context, status)


def _context(request: SignedInRequest, found: Any, chosen: str) -> dict[str, Any]:
    url = f"{FRAME.home}/{found['id']}"
    days = presenters.days(found, chosen, url)
    day = next((one for one in days if one["is_on"]), None)
    rows = presenters.rows_of(found, day)
    return {
        "program": found,
        "url": url,
        "days": days,
        "day": day,
        "rows": rows,
        "next_start": presenters.last_end(rows),
        "bar": presenters.bar(found),
        "rooms": found["rooms"],
        "tracks": found["tracks"],
    }


@page("POST")
def add(request: SignedInRequest, id: str) -> HttpResponse:
    """The row at the end of the table."""
    day = request.POST.get("day", "")
    entry = {name: text for name, text in _cells(request).items() if text not in ("", [])}
    return _saved(request, id, {**entry, **({"day": day} if day else {})}, day)


@page("POST")
def row(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    """One row: what differs from what is there."""
    found = presenters.whole(request, id)
    now: Any = next((one for one in found["schedule"] if one["id"] == session), {})
    was = {**now, "speakers": [one["name"] for one in now.get("speakers", [])]}
    entry = {name: value for name, value in _cells(request).items() if value != was.get(name)}
    if not entry and now:
        return _answer(request, id, request.POST.get("day", ""), session)
    return _saved(request, id, {**entry, "id": session}, request.POST.get("day", ""))


def _cells(request: SignedInRequest) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in CELLS:
        if name in request.POST:
            text = " ".join(request.POST[name].split())
            found[name] = presenters.split_names(text) if name == "speakers" else text
    return found


def _saved(request: SignedInRequest, id: str, entry: dict[str, Any], day: str) -> HttpResponse:
    try:
        answer = call(request, part_tools.save_sessions, event_id=id, items=[entry])
    except InvalidInput as refusal:
        told = {issue.path.removeprefix("items.0.").split(".")[0]: issue.message for issue in refusal.issues}
        return _refused(request, id, day, told)
    except (NotFound, Unavailable):
        raise
    except Refusal as refusal:
        return _refused(request, id, day, {"": refusal.message})
    [saved] = answer["items"]
    return _answer(request, id, day, saved["id"], [note for note in answer["notes"] if "begins at" in note])


def _refused(request: SignedInRequest, id: str, day: str, told: Mapping[str, str]) -> HttpResponse:
    FRAME.find(request, id)  # of another's nothing is told
    if is_part(request):
        return JsonResponse({"errors": told}, status=422)
    for name, message in told.items():
        words = NAMES.get(name, name.capitalize())
        messages.error(request, f"{words}: {message}" if words else message)
    return redirect_whole(request, f"{FRAME.home}/{id}?day={day}")


def _answer(request: SignedInRequest, id: str, day: str, session: str, notes: list[str] | None = None) -> HttpResponse:
    """The table as it is now, for the script; the whole page anew for others."""
    if not is_part(request):
        for note in notes or []:
            messages.warning(request, note)
        return redirect_whole(request, f"{FRAME.home}/{id}?day={day}#add")
    found = presenters.whole(request, id)
    context = _context(request, found, day)
    html = render_to_string("event/parts/rows.html", context, request)
    data = {"id": session, "rows": html, "bar": presenters.bar_html(found), "next": context["next_start"]}
    return JsonResponse({**data, "said": ". ".join(notes or [])})


@page("POST")
def remove(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    found = presenters.whole(request, id)
    title = next((one["title"] for one in found["schedule"] if one["id"] == session), "")
    call(request, tools.delete, ids=[session])
    day = request.POST.get("day", "")
    if is_part(request):
        return _answer(request, id, day, "")
    messages.success(request, f"“{title}” is off the program. For 30 days it can be brought back.")
    return redirect_whole(request, f"{FRAME.home}/{id}?day={day}")
