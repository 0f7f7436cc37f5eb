"""Duplicating a chart: its room, tables, preferences and guests, who have no table and have not arrived."""

from __future__ import annotations

from typing import Any

from workspace.lib import clock
from workspace.products.seat.models import Chart, Guest, SeatingPreference, Table
from workspace.publishing.duplication import copy_fields

_EXCLUDED_GUEST_FIELDS = ("id", "chart", "table", "seat", "checked_in_at", "locked")


def copied_chart_fields(chart: Chart) -> dict[str, Any]:
    result = copy_fields(chart)
    result.pop("version")
    if chart.find_from is not None and chart.find_from <= clock.now():
        result["find_from"] = None
    return {name: result[name] for name in result if name != "title"}


def copy_contents(chart: Chart, model: Chart, *, with_tables: bool) -> None:
    """Copy the contents of the chart `model`.

    The journal records only the new chart, because its parts are created together with it.
    """
    tables: dict[str, str] = {}
    if with_tables:
        for table in model.tables.all():
            made = _copy_row(table, Table, chart, ("id", "chart"))
            made.save()
            tables[table.pk] = made.pk
    room = chart.remaining_quota()
    guests = list(model.guests.all()[:room])
    people = {guest.pk: _copy_row(guest, Guest, chart, _EXCLUDED_GUEST_FIELDS) for guest in guests}
    for id, made in zip(sorted(Guest._meta.pk.get_default() for _ in people), people.values(), strict=True):
        made.pk = id
    Guest.objects.bulk_create(people.values(), batch_size=200)
    preferences = []
    for preference in model.preferences.all():
        between = [people[value].pk if value in people else value for value in preference.between]
        if preference.table_id is None or preference.table_id in tables:
            again = _copy_row(preference, SeatingPreference, chart, ("id", "chart", "table"))
            again.between, again.table_id = between, tables.get(preference.table_id or "")
            preferences.append(again)
    SeatingPreference.objects.bulk_create(preferences)


def _copy_row(row: Any, model: Any, chart: Chart, without: tuple[str, ...]) -> Any:
    fields = {
        field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields if field.name not in without
    }
    return model(chart=chart, **fields)
