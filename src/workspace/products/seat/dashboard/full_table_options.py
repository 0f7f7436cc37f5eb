"""Alternatives if a table has too few seats: add a chair, use another table, move only some guests, or swap."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string

from workspace.dashboard.session import SignedInRequest
from workspace.lib.errors import ToolError
from workspace.products.seat.dashboard import plan_actions
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.guest_moves import count_guests_by_table
from workspace.products.seat.domain.queries import tables_for
from workspace.products.seat.models import Chart

MAX_TABLES = 6  # other tables to offer


def render_options(request: SignedInRequest, chart: Chart, refusal: ToolError) -> str:
    """Return the content of the dialog, or an empty string if there are no alternatives."""
    if request.POST.get("act") != "move":
        return ""
    try:
        guests, table = plan_actions.selected_guests(request, chart), plan_actions.selected_table(request, chart)
    except ToolError:
        return ""
    if table is None:
        return ""
    counts = count_guests_by_table(chart)
    coming = [guest for guest in guests if guest.table_id != table.pk]
    free = max(0, table.capacity - counts[table.pk])
    others = sorted(
        (
            (item.capacity - counts[item.pk], item)
            for item in tables_for(chart)
            if item.pk != table.pk and not item.is_closed and item.capacity - counts[item.pk] >= len(coming)
        ),
        key=lambda pair: (pair[1].x - table.x) ** 2 + (pair[1].y - table.y) ** 2,
    )[:MAX_TABLES]
    context: dict[str, Any] = {
        "url": f"{LAYOUT.home}/{chart.pk}/act",
        "problem": refusal.short_message,
        "table": table,
        "called": plan_actions.label_item(table),
        "guests": coming,
        "free": free,
        "is_full": not table.is_closed and len(coming) > free,
        "others": [(count, table, plan_actions.label_item(table)) for count, table in others],
        "sitting": list(chart.guests.filter(table=table).order_by("name")) if len(coming) == 1 else [],
    }
    return render_to_string("seat/owner/parts/full_table_options.html", context, request=request)
