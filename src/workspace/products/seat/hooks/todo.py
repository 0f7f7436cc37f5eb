"""To-dos before an event: guests without a table, tables that are too full, and guests without a meal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Count, F, Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.text import format_count
from workspace.products.seat.models import Chart, Reply, Table
from workspace.publishing.manifest import TodoItem

LOOKAHEAD = timedelta(days=14)
MAX_CHARTS = 3  # charts to show


def list_todo_items(account: Account) -> Sequence[TodoItem]:
    today = clock.today(account.time_zone)
    coming = ~Q(guests__reply=Reply.NO)
    near = account.seating_charts.filter(binned_at=None, date__range=(today, today + LOOKAHEAD)).annotate(
        waiting=Count("guests", filter=coming & Q(guests__table=None)),
        people=Count("guests", filter=coming),
        hungry=Count("guests", filter=coming & Q(guests__meals=[])),
    )
    charts = list(near.order_by("date", "pk")[:MAX_CHARTS])
    full = (
        Table.objects.filter(chart__in=[chart.pk for chart in charts])
        .annotate(n=Count("guests"))
        .filter(n__gt=F("capacity"))
    )
    crowded = set(full.values_list("chart", flat=True)) if charts else set()
    return [need for chart in charts for need in _chart_todo_items(chart, crowded)]


def _chart_todo_items(chart: Chart, overfull_tables: set[str]) -> list[TodoItem]:
    waiting, people, hungry = (getattr(chart, name) for name in ("waiting", "people", "hungry"))
    page, day = f"/app/seat/{chart.pk}", f"{chart.date:%-d %B}"
    items = []
    if not people:
        return [TodoItem(f"“{chart.title}” is on {day}, and nobody is invited yet", f"{page}/guests")]
    if waiting:
        have = "has" if waiting == 1 else "have"
        items.append(
            TodoItem(f"{format_count(waiting, 'guest')} of “{chart.title}” on {day} {have} no table yet", page)
        )
    if chart.pk in overfull_tables:
        items.append(TodoItem(f"A table of “{chart.title}” has more guests than seats", page))
    if chart.courses and hungry and hungry < people:
        have = "has" if hungry == 1 else "have"
        text = f"{format_count(hungry, 'guest')} of “{chart.title}” on {day} {have} chosen no meal"
        items.append(TodoItem(text, f"{page}/guests"))
    return items
