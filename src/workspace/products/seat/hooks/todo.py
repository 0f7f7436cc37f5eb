"""To-dos before an event: guests without a table, overfull tables, and guests without a meal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db.models import Count, F, Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_ngettext
from workspace.products.seat.models import Chart, Reply, Table
from workspace.publishing.manifest import TodoItem
from workspace.storage.database.compiled_function import compile_once

LOOKAHEAD = timedelta(days=14)
MAX_CHARTS = 3  # charts to show


def list_todo_items(account: Account) -> Sequence[TodoItem]:
    today = clock.today(account.time_zone)
    charts = _charts_between.fetch_some(MAX_CHARTS, account, today, today + LOOKAHEAD)
    crowded = set(_charts_with_full_tables.fetch([chart.pk for chart in charts])) if charts else set[str]()
    return [need for chart in charts for need in _chart_todo_items(chart, crowded)]


@compile_once
def _charts_between(account: Account, first: date, last: date) -> QuerySet[Chart]:
    coming = ~Q(guests__reply=Reply.NO)
    near: QuerySet[Chart] = account.seating_charts.filter(binned_at=None, date__gte=first, date__lte=last)
    return near.annotate(
        waiting=Count("guests", filter=coming & Q(guests__table=None)),
        people=Count("guests", filter=coming),
        hungry=Count("guests", filter=coming & Q(guests__meals=[])),
    ).order_by("date", "pk")


@compile_once
def _charts_with_full_tables(chart_ids: list[str]) -> QuerySet[Table, str]:
    tables = Table.objects.filter(chart__in=chart_ids).annotate(n=Count("guests")).filter(n__gt=F("capacity"))
    return tables.values_list("chart", flat=True)


def _chart_todo_items(chart: Chart, overfull_tables: set[str]) -> list[TodoItem]:
    waiting, people, hungry = (getattr(chart, name) for name in ("waiting", "people", "hungry"))
    page = f"/app/seat/{chart.pk}"
    about = {"title": chart.title, "day": f"{chart.date:%-d %B}"}
    items = []
    if not people:
        text = owner_gettext("“%(title)s” on %(day)s has no guests yet") % about
        return [TodoItem(text, f"{page}/guests")]
    if waiting:
        text = owner_ngettext(
            "%(count)s guest of “%(title)s” on %(day)s has no table yet",
            "%(count)s guests of “%(title)s” on %(day)s have no table yet",
            waiting,
        )
        items.append(TodoItem(text % {**about, "count": f"{waiting:,}"}, page))
    if chart.pk in overfull_tables:
        items.append(TodoItem(owner_gettext("A table of “%(title)s” has more guests than seats") % about, page))
    if chart.courses and hungry and hungry < people:
        text = owner_ngettext(
            "%(count)s guest of “%(title)s” on %(day)s has not chosen a meal yet",
            "%(count)s guests of “%(title)s” on %(day)s have not chosen a meal yet",
            hungry,
        )
        items.append(TodoItem(text % {**about, "count": f"{hungry:,}"}, f"{page}/guests"))
    return items
