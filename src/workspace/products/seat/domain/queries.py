"""Queries for an account's seating charts with their tables and guests."""

from __future__ import annotations

from enum import Enum
from typing import Any

from django.db.models import Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce, Lower

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.models import TABLE, Chart, Guest, Reply, SeatingPreference, Table
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def charts_for(account: Account) -> QuerySet[Chart]:
    """Return the charts of the account with the numbers of tables, seats and guests."""
    tables = Table.objects.filter(chart=OuterRef("pk"), kind=TABLE).order_by().values("chart")
    guests = Guest.objects.filter(chart=OuterRef("pk")).order_by().values("chart")

    def count_rows(result: QuerySet[Any, Any], value: Count | Sum) -> Coalesce:
        return Coalesce(Subquery(result.annotate(n=value).values("n"), output_field=IntegerField()), 0)

    charts: QuerySet[Chart] = with_public_state(account.seating_charts.all())
    return charts.annotate(
        table_count=count_rows(tables, Count("pk")),
        seats=count_rows(tables, Sum("capacity")),
        guest_count=count_rows(guests, Count("pk")),
        seated=count_rows(guests, Count("pk", filter=Q(table__isnull=False))),
        arrived=count_rows(guests, Count("pk", filter=Q(checked_in_at__isnull=False))),
    )


def get_chart_with_counts(account: Account, id: str) -> Chart:
    """Return the chart with its counts. Raise NotFoundError if it does not exist."""
    return charts_for.get(id, messages.CHART_NOT_FOUND, account)


def get_chart(account: Account, id: str) -> Chart:
    """Return the chart without counts, for writes. Raise NotFoundError if it does not exist."""
    return _plain_charts_for.get(id, messages.CHART_NOT_FOUND, account)


@compile_once
def _plain_charts_for(account: Account) -> QuerySet[Chart]:
    return with_public_state(account.seating_charts.all())


@compile_once
def all_guests_for(chart: Chart) -> QuerySet[Guest]:
    """Return all guests of the chart, without loading their tables."""
    return chart.guests.all()


def get_table(chart: Chart, id: str) -> Table:
    """Return a table or object of the chart. Raise NotFoundError if the chart has no such table or object."""
    return _tables_and_objects_for.get(id, messages.TABLE_NOT_FOUND, chart)


@compile_once
def _tables_and_objects_for(chart: Chart) -> QuerySet[Table]:
    return chart.tables.all()


@compile_once
def objects_for(chart: Chart) -> QuerySet[Table]:
    """Return the objects in the room, without the tables."""
    return chart.tables.exclude(kind=TABLE)


@compile_once
def preferences_for(chart: Chart) -> QuerySet[SeatingPreference]:
    """Return all preferences of the chart."""
    return chart.preferences.all()


@compile_once
def guests_for(chart: Chart) -> QuerySet[Guest]:
    """Return the guests of the chart with their tables."""
    return chart.guests.select_related("table")


class GuestFilter(Enum):
    """The part of a guest list to return."""

    ALL = "all"
    COMING = "coming"
    WAITING = "waiting"
    DECLINED = "declined"
    UNSEATED = "unseated"
    NEEDS = "needs"


_FILTERS = {
    GuestFilter.ALL: Q(),
    GuestFilter.COMING: Q(reply=Reply.YES),
    GuestFilter.WAITING: Q(reply=Reply.WAITING),
    GuestFilter.DECLINED: Q(reply=Reply.NO),
    GuestFilter.UNSEATED: Q(table=None) & ~Q(reply=Reply.NO),
    GuestFilter.NEEDS: ~Q(diet=[]) | ~Q(notes=""),
}


@compile_once
def matching_guests_for(
    chart: Chart, unseated_only: bool, part: GuestFilter, by_party: bool, *words: str
) -> QuerySet[Guest]:
    """Return the guests whose name or party contains all words.

    They are ordered by name or, with `by_party`, by party. Guests without a party then come last.
    """
    guests = guests_for(chart).filter(_FILTERS[part])
    for word in words:
        guests = guests.filter(search__contains=word)
    if unseated_only:
        guests = guests.filter(table=None)
    if by_party:
        last = Case(When(party="", then=1), default=0)
        return guests.order_by(last, Lower("party"), "placeholder", "sort_key", "id")
    return sort_by_name(guests)


@compile_once
def guests_at(chart: Chart, table_ids: list[str]) -> QuerySet[Guest]:
    """Return the guests at these tables."""
    return guests_for(chart).filter(table__in=table_ids)


def sort_by_name(guests: QuerySet[Guest]) -> QuerySet[Guest]:
    """Order guests by sort name, then by id, so that no guest is on two pages of a list."""
    return guests.order_by("sort_key", "id")


def natural_sort_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts 2 before 10, and numbers before names."""
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for char in f"{name}\0":
        if char.isdecimal():
            digits += char
            continue
        if digits:
            parts.append((0, int(digits), ""))
            digits = ""
        parts.append((1, 0, char.casefold()))
    return tuple(parts)


@compile_once
def _tables_for(chart: Chart) -> QuerySet[Table]:
    return chart.tables.filter(kind=TABLE)


def tables_for(chart: Chart) -> list[Table]:
    """Return the tables in natural order, without objects."""
    return sorted(_tables_for.fetch(chart), key=lambda table: (natural_sort_key(table.name), table.pk))


def get_table_by_name(chart: Chart, typed: str, path: str) -> Table:
    """Return the table with a typed name or label. Raise InvalidInputError at `path` if the chart has no such table."""
    tables, key = tables_for(chart), search_key(typed)
    for table in tables:
        if key in (search_key(table.name), search_key(table.label), search_key(f"table {table.name}")):
            return table
    if not tables:
        raise InvalidInputError.at_path(path, messages.NO_TABLES_TO_MOVE_TO(name=typed[:60]))
    known = ", ".join(table.name for table in tables[:40])
    raise InvalidInputError.at_path(path, messages.TABLE_NAME_NOT_FOUND(name=typed[:60], tables=known))
