"""The grid of a day, with rooms as columns and times as rows. Sessions can be moved in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import NotFoundError, ToolError, UnavailableError
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.rules.session_times import minutes_between, to_minutes

SNAP_MINUTES = (60, 30, 15, 5)  # minutes to snap to
DEFAULT_MINUTES = 30  # the height of a session without an end, in minutes


@page()
def grid(request: SignedInRequest, id: str) -> HttpResponse:
    context = _context(request, id, request.GET.get("day", ""))
    return LAYOUT.render_item_page(request, id, "event/owner/grid.html", context)


def _context(request: SignedInRequest, id: str, chosen: str) -> dict[str, Any]:
    event = presenters.get_event(request, id)
    url = f"{LAYOUT.home}/{id}/grid"
    days = presenters.present_days(event, chosen, url)
    day = next((day for day in days if day["is_on"]), None)
    rows = presenters.present_sessions(event, day)
    colors = {track["name"]: track["color"] for track in event["tracks"]}
    timed = [{**_with_minutes(row), "color": colors.get(row["track"], "")} for row in rows if row["start_time"]]
    names = [room["name"] for room in event["rooms"]]
    columns = [{"name": name, "sessions": [row for row in timed if row["location"] == name]} for name in names]
    roomless = [row for row in timed if not row["location"]]
    if roomless or not columns:
        columns.append({"name": "", "sessions": roomless})
    first = min((row["at"] for row in timed), default=9 * 60) // 60 * 60
    last = max((row["at"] + row["long"] for row in timed), default=17 * 60)
    return {
        "program": event,
        "url": url,
        "days": days,
        "day": day,
        "columns": columns,
        "untimed": [row for row in rows if not row["start_time"]],
        "first": max(0, first - 60),
        "last": -(-last // 60) * 60 + 60,
        "steps": SNAP_MINUTES,
        "bar": presenters.build_warnings(event),
        "rooms": names,
        "kinds": presenters.KIND_CHOICES,
    }


def _with_minutes(row: dict[str, Any]) -> dict[str, Any]:
    """Add the start as minutes from midnight and the duration."""
    long = minutes_between(row["start_time"], row["end_time"]) if row["end_time"] else DEFAULT_MINUTES
    return {**row, "at": to_minutes(row["start_time"]), "long": long}


@page("POST")
def move(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    """Move a session to another time, room or day. Fields that are not sent do not change."""
    named = ("start_time", "end_time", "location", "day")
    entry = {name: request.POST[name].strip() for name in named if name in request.POST}
    chosen = request.POST.get("_day", "")
    to = f"{LAYOUT.home}/{id}/grid?day={chosen}"
    try:
        answer = call_tool(request, part_tools.save_sessions, event_id=id, items=[{**entry, "id": session}])
    except (NotFoundError, UnavailableError):
        raise
    except ToolError as refusal:
        LAYOUT.get_item(request, id)  # 404 for an item of another account
        text = refusal.short_message
        if is_partial(request):
            return JsonResponse({"error": text}, status=422)
        messages.error(request, text)
        return redirect_full_page(request, to)
    if not is_partial(request):
        return redirect_full_page(request, to)
    context = _context(request, id, chosen)
    html = render_to_string("event/owner/parts/grid.html", context, request)
    bar = render_to_string("event/owner/parts/bar.html", context)
    return JsonResponse({"grid": html, "bar": bar, "said": _describe_place(answer["items"][0])})


def _describe_place(row: Mapping[str, Any]) -> str:
    """Describe where a session is in the grid, for screen readers: its time and room."""
    values = {
        "title": row["title"],
        "times": "–".join(filter(None, [row["start_time"], row["end_time"]])),
        "room": row["location"],
    }
    if not values["times"]:
        return gettext("“%(title)s” saved without a time.") % values
    if not values["room"]:
        return gettext("“%(title)s” saved: %(times)s.") % values
    return gettext("“%(title)s” saved: %(times)s in %(room)s.") % values
