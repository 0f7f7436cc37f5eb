"""The item layout of seating charts."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.dashboard.item_presenters import format_input_time
from workspace.lib.name_order import Order
from workspace.products.seat.api import tools
from workspace.products.seat.api.serializers import chart_summaries
from workspace.products.seat.models import Chart

UNIT_CHOICES = [("cm", "Centimetres"), ("ft", "Feet and inches")]
NAME_ORDER_CHOICES: list[tuple[Order, str]] = [
    ("western", "Anna Berg → Berg, Anna"),
    ("two_surnames", "Sara Pérez Gil → Pérez Gil, Sara"),
    ("portuguese", "Ana dos Reis → Reis, Ana dos"),
    ("family_first", "Nagy Anna → Nagy Anna"),
]


def _initial_values(chart: Chart) -> dict[str, str]:
    """Return the values as inputs show them."""
    return {
        "date": chart.date.isoformat() if chart.date else "",
        "find_from": format_input_time(chart.find_from.isoformat() if chart.find_from else None, chart.account.zone),
    }


LAYOUT = ItemLayout(
    Chart,
    noun="chart",
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
    extra_initial=_initial_values,
    settings_context={"units": UNIT_CHOICES, "name_orders": NAME_ORDER_CHOICES},
    labels={"title": "Name", "date": "Date", "venue": "Place", "units": "Lengths in"},
    switch=Switch(
        "find_table",
        is_on=lambda chart: chart.find_table,
        row_is_on=lambda row: row["find_table"],
        messages=("Guests can find their table.", "Guests can’t look for their table. Your door list works as before."),
    ),
    first_action=("guests", "Add your guests"),
    deletion_text="Its tables, guests and preferences go with it.",
    copy=Duplication(tools.create, source_argument="copy_of", result_key="chart"),
    example="anna-and-ben",
    empty_state=(
        "No seating chart yet",
        "Put tables on a plan, paste the guests, and let it seat them: parties together, quarrels apart.",
        "Make your first chart",
    ),
    load_rows=chart_summaries,
    new_label="New chart",
)
