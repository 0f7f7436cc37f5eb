"""The item layout of seating charts."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.dashboard.item_presenters import format_input_time
from workspace.lib.name_order import Order
from workspace.owner_translation import OwnerText, owner_gettext_lazy
from workspace.products.seat.api import tools
from workspace.products.seat.api.serializers import chart_summaries
from workspace.products.seat.models import Chart

UNIT_CHOICES = [("cm", owner_gettext_lazy("Centimeters")), ("ft", owner_gettext_lazy("Feet and inches"))]
NAME_ORDER_CHOICES: list[tuple[Order, OwnerText]] = [
    ("western", owner_gettext_lazy("Anna Berg → Berg, Anna")),
    ("two_surnames", owner_gettext_lazy("Sara Pérez Gil → Pérez Gil, Sara")),
    ("portuguese", owner_gettext_lazy("Ana dos Reis → Reis, Ana dos")),
    ("family_first", owner_gettext_lazy("Nagy Anna → Nagy Anna")),
]


def _initial_values(chart: Chart) -> dict[str, str]:
    """Return the values as inputs show them."""
    return {
        "date": chart.date.isoformat() if chart.date else "",
        "find_from": format_input_time(chart.find_from.isoformat() if chart.find_from else None, chart.account.zone),
    }


LAYOUT = ItemLayout(
    Chart,
    noun="seating chart",
    id="event_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Floor plan")),
        Tab("guests", owner_gettext_lazy("Guests")),
        Tab("arrange", owner_gettext_lazy("Auto-seating")),
        Tab("print", owner_gettext_lazy("Print")),
        Tab("door", owner_gettext_lazy("Check-in")),
    ),
    counts={"views": owner_gettext_lazy("Table searches")},
    settings=("title", "date", "venue", "units", "find_from", "show_names", "name_order", "seat_waiting"),
    settings_form="seat/owner/parts/settings.html",
    extra_initial=_initial_values,
    settings_context={"units": UNIT_CHOICES, "name_orders": NAME_ORDER_CHOICES},
    labels={
        "title": owner_gettext_lazy("Name"),
        "date": owner_gettext_lazy("Date"),
        "venue": owner_gettext_lazy("Venue"),
        "units": owner_gettext_lazy("Units"),
    },
    switch=Switch(
        "find_table",
        is_on=lambda chart: chart.find_table,
        row_is_on=lambda row: row["find_table"],
        messages=(
            owner_gettext_lazy("Guests can look up their table online."),
            owner_gettext_lazy("Guests can’t look up their table. Check-in still works."),
        ),
    ),
    first_action=("guests", owner_gettext_lazy("Add guests")),
    deletion_text=owner_gettext_lazy("Its tables, guests and preferences are deleted too."),
    copy=Duplication(tools.create, source_argument="copy_of", result_key="chart"),
    example="anna-and-ben",
    empty_state=(
        owner_gettext_lazy("No seating charts yet"),
        owner_gettext_lazy("Plan tables, import guests and seat them automatically by your preferences."),
        owner_gettext_lazy("Create seating chart"),
    ),
    load_rows=chart_summaries,
    new_label=owner_gettext_lazy("New seating chart"),
)
