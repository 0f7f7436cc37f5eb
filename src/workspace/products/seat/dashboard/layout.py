"""What the dashboard's frame needs to know of seating charts."""

from __future__ import annotations

from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Switch, Tab
from workspace.dashboard.item_presenters import input_time
from workspace.lib.name_order import Order
from workspace.products.seat.api import tools
from workspace.products.seat.api.serializers import rows_of
from workspace.products.seat.models import Chart

UNITS = [("cm", "Centimetres"), ("ft", "Feet and inches")]
NAME_ORDERS: list[tuple[Order, str]] = [
    ("western", "Anna Berg → Berg, Anna"),
    ("two_surnames", "Sara Pérez Gil → Pérez Gil, Sara"),
    ("portuguese", "Ana dos Reis → Reis, Ana dos"),
    ("family_first", "Nagy Anna → Nagy Anna"),
]


def _moments(chart: Chart) -> dict[str, str]:
    """As inputs write them."""
    return {
        "date": chart.date.isoformat() if chart.date else "",
        "find_from": input_time(chart.find_from.isoformat() if chart.find_from else None, chart.account.zone),
    }


FRAME = Frame(
    Chart,
    word="chart",
    id="event_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Plan"),
        Tab("guests", "Guests"),
        Tab("arrange", "Auto-seat"),
        Tab("print", "Print"),
        Tab("door", "Door"),
    ),
    counts={"views": "Looked for a table"},
    settings=("title", "date", "venue", "units", "find_from", "show_names", "name_order", "seat_waiting"),
    settings_form="seat/parts/settings.html",
    settings_of=_moments,
    settings_with={"units": UNITS, "name_orders": NAME_ORDERS},
    labels={"title": "Name", "date": "Date", "venue": "Place", "units": "Lengths in"},
    switch=Switch(
        "find_table",
        is_on=lambda chart: chart.find_table,
        row_is_on=lambda row: row["find_table"],
        told=("Guests can find their table.", "Guests can’t look for their table. Your door list works as before."),
    ),
    first=("guests", "Add your guests"),
    gone="Its tables, guests and wishes go with it.",
    copy=Copy(tools.create, like="copy_of", part="chart"),
    example="anna-and-ben",
    empty=(
        "No seating chart yet",
        "Put tables on a plan, paste the guests, and let it seat them: parties together, quarrels apart.",
        "Make your first chart",
    ),
    rows_of=rows_of,
    new="New chart",
)
