"""What the dashboard's frame needs to know of programs."""

from __future__ import annotations

from typing import Any

from workspace.brand.languages import name_of
from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Switch, Tab
from workspace.products.event.api import stats_tools, tools
from workspace.products.event.api.serializers import rows_of
from workspace.products.event.api.stats_tools import Stats
from workspace.products.event.domain.publication_credit import costs
from workspace.products.event.models import Event
from workspace.publishing.language import LANGUAGES

LABELS = {
    "title": "Title",
    "description": "About it",
    "venue": "Venue",
    "address": "Address",
    "picture": "Picture",
    "picture_id": "Picture",
    "colour": "Colour",
    "language": "Language of the page",
    "time_zone": "Time zone",
    "days": "Days",
    "days.date": "Date",
    "days.label": "Label",
    "rooms": "Rooms",
    "rooms.name": "Room",
    "tracks": "Tracks",
    "tracks.name": "Track",
    "tracks.colour": "Colour",
}


def _asks(event: Any) -> str:
    """Publishing that takes a credit is asked about first."""
    return "publish" if costs(event) else ""


SHOWN = 12  # sessions of Results that stand open


def _liked(stats: Stats) -> dict[str, Any]:
    """Each session with how far its bar goes, in percent of the most starred one."""
    most = max((row["stars"] for row in stats["by_session"]), default=0) or 1
    rows = [{**row, "width": round(100 * row["stars"] / most)} for row in stats["by_session"]]
    return {"liked": rows[:SHOWN], "liked_less": rows[SHOWN:], "has_more": bool(rows)}


FRAME = Frame(
    Event,
    word="program",
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
    results="event/parts/liked.html",
    drawn_of=_liked,
    settings=("time_zone", "language"),
    settings_form="event/parts/settings.html",
    settings_with={"languages": [(code, name_of(code)) for code in LANGUAGES]},
    labels=LABELS,
    switch=Switch(
        "published",
        "Published",
        "Draft",
        told=("Guests see it.", "Guests don’t see the program."),
        asks=_asks,
    ),
    copy=Copy(tools.create),
    share="event/parts/share.html",
    gone="Its sessions and speakers go with it.",
    example="harbour-days",
    empty=(
        "No program yet",
        "Put your program into every guest’s hand: what is on now, where to go next, with changes that everybody sees.",
        "Make your first program",
    ),
    rows_of=rows_of,
    new="New program",
)
