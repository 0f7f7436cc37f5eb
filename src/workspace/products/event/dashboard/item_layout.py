"""The item layout of programs."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.event.api import stats_tools, tools
from workspace.products.event.api.serializers import event_summaries_for
from workspace.products.event.api.stats_tools import EventStats
from workspace.products.event.domain.program_publication import publishing_cost
from workspace.products.event.models import Event

LABELS = {
    "title": owner_gettext_lazy("Title"),
    "description": owner_gettext_lazy("Description"),
    "venue": owner_gettext_lazy("Venue"),
    "address": owner_gettext_lazy("Address"),
    "image": owner_gettext_lazy("Cover image"),
    "image_id": owner_gettext_lazy("Cover image"),
    "color": owner_gettext_lazy("Color"),
    "language": owner_gettext_lazy("Page language"),
    "time_zone": owner_gettext_lazy("Time zone"),
    "days": owner_gettext_lazy("Days"),
    "days.date": owner_gettext_lazy("Date"),
    "days.label": owner_gettext_lazy("Label"),
    "rooms": owner_gettext_lazy("Rooms"),
    "rooms.name": owner_gettext_lazy("Room"),
    "tracks": owner_gettext_lazy("Tracks"),
    "tracks.name": owner_gettext_lazy("Track"),
    "tracks.color": owner_gettext_lazy("Color"),
}


def _confirmation_path(event: Any) -> str:
    """Return the page that asks for confirmation before publishing costs a credit, or an empty string."""
    return "publish" if publishing_cost(event) else ""


MAX_OPEN_SESSIONS = 12  # sessions listed before the rest is collapsed


def _results_context(stats: EventStats) -> dict[str, Any]:
    """Return the sessions with the widths of their bars, as a percentage of the most starred session's."""
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
        Tab("", owner_gettext_lazy("Sessions")),
        Tab("grid", owner_gettext_lazy("Grid")),
        Tab("speakers", owner_gettext_lazy("Speakers")),
        Tab("more", owner_gettext_lazy("Sponsors and info")),
        Tab("import", owner_gettext_lazy("Import")),
        Tab("look", owner_gettext_lazy("Design")),
    ),
    stats=stats_tools.stats,
    results="event/owner/parts/starred.html",
    results_context=_results_context,
    settings=("time_zone", "language"),
    settings_form="event/owner/parts/settings.html",
    settings_context={"languages": [(code, language_name(code)) for code in GUEST_LANGUAGES]},
    labels=LABELS,
    switch=Switch(
        "published",
        owner_gettext_lazy("Published"),
        owner_gettext_lazy("Draft"),
        messages=(
            owner_gettext_lazy("Guests can see the program."),
            owner_gettext_lazy("Guests can’t see the program."),
        ),
        confirmation_path=_confirmation_path,
    ),
    copy=Duplication(tools.create),
    share="event/owner/parts/share.html",
    deletion_text=owner_gettext_lazy("Its sessions and speakers are deleted too."),
    example="harbour-days",
    empty_state=(
        owner_gettext_lazy("No programs yet"),
        owner_gettext_lazy("Show guests on their phones what’s on now, what’s next and what has changed."),
        owner_gettext_lazy("Create program"),
    ),
    load_rows=event_summaries_for,
    new_label=owner_gettext_lazy("New program"),
)
