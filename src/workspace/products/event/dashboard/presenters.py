"""Presenters of programs: the selected day, its rows, and the bar of warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy, ngettext

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.products.event.api import tools
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.rules.session_slot import BREAK

EventData = Mapping[str, Any]
KIND_CHOICES = [
    ("talk", gettext_lazy("Talk")),
    ("break", gettext_lazy("Break")),
    ("meal", gettext_lazy("Meal")),
    ("social", gettext_lazy("Social event")),
]


def get_event(request: SignedInRequest, id: str) -> Any:
    return call_tool(request, tools.get, id=id)


def present_days(event: EventData, chosen: str, url: str) -> list[dict[str, Any]]:
    """Prepare the days as tabs. If the URL does not name a day, the first is selected."""
    ids = [day["id"] for day in event["day_list"]]
    at = chosen if chosen in ids else next(iter(ids), "")
    return [
        {
            **day,
            "is_on": day["id"] == at,
            "url": f"{url}?day={day['id']}",
            "short": f"{date.fromisoformat(day['date']):%a %-d %b}",
            "long": f"{date.fromisoformat(day['date']):%A, %-d %B %Y}",
        }
        for day in event["day_list"]
    ]


def present_sessions(event: EventData, day: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Prepare the sessions of a day for a table. `clash` describes the conflicts of a session."""
    if day is None:
        return []
    clashing: dict[str, list[str]] = {}
    for clash in event["clashes"]:
        for id in (clash["first_id"], clash["second_id"]):
            clashing.setdefault(id, []).append(clash["text"])
    return [
        {
            **row,
            "names": "; ".join(speaker["name"] for speaker in row["speakers"]),
            "clash": " ".join(clashing.get(row["id"], [])),
            "url": f"{LAYOUT.home}/{event['id']}/sessions/{row['id']}",
        }
        for row in event["schedule"]
        if row["day"] == day["date"]
    ]


def last_end(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the time when the last session of a day ends. It is the suggested start of the next session."""
    timed = [row for row in rows if row["start_time"]]
    return str(timed[-1]["end_time"] or timed[-1]["start_time"]) if timed else ""


def build_warnings(event: EventData) -> dict[str, Any]:
    """Return the problems to fix before guests see the program."""
    on = {row["id"]: row for row in event["schedule"]}
    day = {item["date"]: item["id"] for item in event["day_list"]}
    url = f"{LAYOUT.home}/{event['id']}"
    clashes = [
        {"text": clash["text"], "url": f"{url}?day={day[on[clash['second_id']]['day']]}#row-{clash['second_id']}"}
        for clash in event["clashes"]
    ]
    bare = [
        {"text": row["title"], "url": f"{url}?day={day[row['day']]}#row-{row['id']}"}
        for row in event["schedule"]
        if event["rooms"] and row["start_time"] and not row["location"] and not row["cancelled"]
        if row["kind"] != BREAK
    ]
    parts = [
        ngettext("%(count)s conflict", "%(count)s conflicts", len(clashes)) % {"count": len(clashes)}
        if clashes
        else "",
        ngettext("%(count)s session without a room", "%(count)s sessions without a room", len(bare))
        % {"count": len(bare)}
        if bare
        else "",
    ]
    return {"said": ", ".join(filter(None, parts)), "clashes": clashes, "bare": bare}


def render_warnings(event: EventData) -> str:
    return render_to_string("event/owner/parts/bar.html", {"bar": build_warnings(event), "program": event})


def split_names(text: str) -> list[str]:
    """Split the names of speakers that were typed into a single field."""
    return [part for value in text.replace(",", ";").split(";") if (part := value.strip())]
