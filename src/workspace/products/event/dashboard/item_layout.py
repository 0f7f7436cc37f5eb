"""The item layout of programs."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.products.event.api import stats_tools, tools
from workspace.products.event.api.serializers import event_summaries_for
from workspace.products.event.api.stats_tools import EventStats
from workspace.products.event.domain.program_publication import publishing_cost
from workspace.products.event.models import Event

LABELS = {
    "title": "Title",
    "description": "About it",
    "venue": "Venue",
    "address": "Address",
    "image": "Picture",
    "image_id": "Picture",
    "color": "Color",
    "language": "Language of the page",
    "time_zone": "Time zone",
    "days": "Days",
    "days.date": "Date",
    "days.label": "Label",
    "rooms": "Rooms",
    "rooms.name": "Room",
    "tracks": "Tracks",
    "tracks.name": "Track",
    "tracks.color": "Color",
}


def _confirmation_path(event: Any) -> str:
    """Return the page that asks before publishing costs a credit, or an empty string."""
    return "publish" if publishing_cost(event) else ""


MAX_OPEN_SESSIONS = 12  # sessions listed before the rest is collapsed


def _results_context(stats: EventStats) -> dict[str, Any]:
    """Return the sessions with the widths of their bars, in percent of the most starred session."""
    most = max((row["stars"] for row in stats["by_session"]), default=0) or 1
    rows = [{**row, "width": round(100 * row["stars"] / most)} for row in stats["by_session"]]
    return {"starred": rows[:MAX_OPEN_SESSIONS], "other_starred": rows[MAX_OPEN_SESSIONS:], "has_more": bool(rows)}


LAYOUT = ItemLayout(
    Event,
    noun="program",
    id="event_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Sessions"),
        Tab("grid", "Grid"),
        Tab("speakers", "Speakers"),
        Tab("more", "Sponsors, info"),
        Tab("import", "Import"),
        Tab("look", "Look"),
    ),
    stats=stats_tools.stats,
    results="event/parts/starred.html",
    results_context=_results_context,
    settings=("time_zone", "language"),
    settings_form="event/parts/settings.html",
    settings_context={"languages": [(code, language_name(code)) for code in GUEST_LANGUAGES]},
    labels=LABELS,
    switch=Switch(
        "published",
        "Published",
        "Draft",
        messages=("Guests see it.", "Guests don’t see the program."),
        confirmation_path=_confirmation_path,
    ),
    copy=Duplication(tools.create),
    share="event/parts/share.html",
    deletion_text="Its sessions and speakers go with it.",
    example="harbour-days",
    empty_state=(
        "No program yet",
        "Put your program into every guest’s hand: what is on now, where to go next, with changes that everybody sees.",
        "Make your first program",
    ),
    load_rows=event_summaries_for,
    new_label="New program",
)
