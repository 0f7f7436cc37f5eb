"""What can be done instead of a move that there are no seats for: a chair more, another table, who of them goes, a
swap."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string

from workspace.dashboard.session import SignedInRequest
from workspace.lib.errors import Refusal
from workspace.products.seat.dashboard import plan_actions
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain.placement import counts_of
from workspace.products.seat.domain.queries import tables_of
from workspace.products.seat.models import Chart

MOST = 6  # other tables that are offered


def why(refusal: Refusal) -> str:
    """Without what it tells a program to send: the page has buttons for that."""
    return refusal.message.partition(". Choose another table")[0]


def instead(request: SignedInRequest, chart: Chart, refusal: Refusal) -> str:
    """A dialog's content, empty where there is nothing to choose."""
    if request.POST.get("act") != "move":
        return ""
    try:
        guests, table = plan_actions.chosen(request, chart), plan_actions.wanted(request, chart)
    except Refusal:
        return ""
    if table is None:
        return ""
    counts = counts_of(chart)
    coming = [guest for guest in guests if guest.table_id != table.pk]
    free = max(0, table.capacity - counts[table.pk])
    others = sorted(
        (
            (one.capacity - counts[one.pk], one)
            for one in tables_of(chart)
            if one.pk != table.pk and not one.closed and one.capacity - counts[one.pk] >= len(coming)
        ),
        key=lambda pair: (pair[1].x - table.x) ** 2 + (pair[1].y - table.y) ** 2,
    )[:MOST]
    context: dict[str, Any] = {
        "url": f"{FRAME.home}/{chart.pk}/act",
        "why": why(refusal),
        "table": table,
        "called": plan_actions.called(table),
        "coming": coming,
        "free": free,
        "is_full": not table.closed and len(coming) > free,
        "others": [(count, one, plan_actions.called(one)) for count, one in others],
        "sitting": list(chart.guests.filter(table=table).order_by("name")) if len(coming) == 1 else [],
    }
    return render_to_string("seat/parts/instead.html", context, request=request)
