"""Serializers of charts, tables, guests and preferences, which all answers use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.conf import settings

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.seat.api.response_types import (
    ChartDetail,
    ChartSummary,
    GuestData,
    ObjectData,
    PreferenceData,
    TableData,
    TableGuest,
)
from workspace.products.seat.domain.queries import charts_for
from workspace.products.seat.models import KIND, Chart, Guest, SeatingPreference, Table
from workspace.publishing.serializers import item_summary
from workspace.storage.files.images import image_url


def chart_summary(chart: Chart) -> ChartSummary:
    """Return the summary of a chart that was loaded with `charts_for`."""
    return {
        **item_summary(chart),
        "title": chart.title,
        "date": chart.date.isoformat() if chart.date else "",
        "venue": chart.venue,
        "table_count": chart.table_count,  # type: ignore[attr-defined]
        "seats": chart.seats,  # type: ignore[attr-defined]
        "guest_count": chart.guest_count,  # type: ignore[attr-defined]
        "seated": chart.seated,  # type: ignore[attr-defined]
        "arrived": chart.arrived,  # type: ignore[attr-defined]
        "guest_limit": chart.account.limits(KIND).guests,
        "find_table": chart.find_table,
        "find_table_url": chart.public_url,
        "version": chart.version,
    }


def chart_detail(chart: Chart) -> ChartDetail:
    return {
        **chart_summary(chart),
        "width": chart.width,
        "depth": chart.depth,
        "units": chart.units,
        "background_image_id": chart.background_image_id or "",
        "background_image_url": f"{settings.BASE_URL}{image_url(chart.background_image_id, 1536)}"
        if chart.background_image_id
        else "",
        "background_width": chart.background_width,
        "courses": chart.courses,
        "find_from": clock.to_iso(chart.find_from),
        "show_names": chart.show_names,
        "name_order": chart.name_order,
        "seat_waiting": chart.seat_waiting,
    }


def chart_summaries(account: Account, ids: Sequence[str]) -> list[ChartSummary]:
    """Return the charts with these ids, in any order."""
    return [chart_summary(chart) for chart in charts_for.fetch_by_ids(ids, account)]


def format_meals(guest: Guest) -> str:
    return ", ".join(meal for meal in guest.meals if meal)


def serialize_tables(tables: Iterable[Table], guests: Iterable[Guest]) -> list[TableData]:
    """Return tables with their guests. `guests` are all guests of the chart, or at least those at these tables."""
    sitting: dict[str, list[Guest]] = {}
    for guest in guests:
        if guest.table_id is not None:
            sitting.setdefault(guest.table_id, []).append(guest)
    return [table_data(table, sitting.get(table.pk, [])) for table in tables]


def table_data(table: Table, guests: Sequence[Guest]) -> TableData:
    order = sorted(guests, key=lambda guest: (guest.seat or 999, guest.party_key, guest.sort_name, guest.pk))
    return {
        "id": table.pk,
        "name": table.name,
        "shape": table.shape,
        "capacity": table.capacity,
        "guest_count": len(order),
        "guests": [_table_guest(guest) for guest in order],
        "x": table.x,
        "y": table.y,
        "width": table.width,
        "depth": table.depth,
        "rotation": table.rotation,
        "end_seats": table.end_seats,
        "locked": table.locked,
        "closed": table.is_closed,
        "color": table.color,
        "note": table.note,
    }


def _table_guest(guest: Guest) -> TableGuest:
    row: TableGuest = {"id": guest.pk, "name": guest.name, "party": guest.party, "meal": format_meals(guest)}
    if guest.seat is not None:
        row["seat"] = guest.seat
    if guest.checked_in_at is not None:
        row["arrived"] = True
    if guest.locked:
        row["locked"] = True
    return row


def object_data(table: Table) -> ObjectData:
    return {
        "id": table.pk,
        "kind": table.kind,
        "name": table.name,
        "x": table.x,
        "y": table.y,
        "width": table.width,
        "depth": table.depth,
        "rotation": table.rotation,
        "locked": table.locked,
        "color": table.color,
    }


def guest_data(guest: Guest) -> GuestData:
    """Return the data of a guest who was loaded with `guests_for`."""
    return {
        "id": guest.pk,
        "name": guest.name,
        "sort_name": guest.sort_name,
        "party": guest.party,
        "meal": format_meals(guest),
        "meals": guest.meals,
        "diet": guest.diet,
        "notes": guest.notes,
        "reply": guest.reply,
        "chair": guest.chair,
        "wheelchair": guest.wheelchair,
        "tags": guest.tags,
        "email": guest.email,
        "phone": guest.phone,
        "table_id": guest.table_id or "",
        "table": guest.table.name if guest.table is not None else "",
        "seat": guest.seat,
        "locked": guest.locked,
        "placeholder": guest.placeholder,
        "arrived": guest.checked_in_at is not None,
        "arrived_at": clock.to_iso(guest.checked_in_at),
    }


def serialize_preferences(
    preferences: Iterable[SeatingPreference], guests: Iterable[Guest], tables: Iterable[Table]
) -> list[PreferenceData]:
    names = {guest.pk: guest.name for guest in guests}
    called = {table.pk: table.name for table in tables}
    return [
        {
            "id": preference.pk,
            "kind": preference.kind,
            "between": preference.between,
            "names": [names.get(value, value) for value in preference.between],
            "table_id": preference.table_id or "",
            "table": called.get(preference.table_id or "", ""),
            "weight": preference.weight,
        }
        for preference in preferences
    ]
