"""Charts, tables, guests and wishes as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.conf import settings

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.seat.api.response_types import (
    ChartRow,
    ChartWhole,
    GuestRow,
    ObjectRow,
    Sitting,
    TableRow,
    WishRow,
)
from workspace.products.seat.domain.queries import charts_of
from workspace.products.seat.models import KIND, Chart, Guest, Table, Wish
from workspace.publishing.serializers import published_row
from workspace.storage.files.images import picture_url


def chart_row(chart: Chart) -> ChartRow:
    """Of a chart as `charts_of` finds it."""
    return {
        **published_row(chart),
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


def chart_whole(chart: Chart) -> ChartWhole:
    return {
        **chart_row(chart),
        "width": chart.width,
        "depth": chart.depth,
        "units": chart.units,
        "background_id": chart.background_id or "",
        "background_url": f"{settings.BASE_URL}{picture_url(chart.background_id, 1536)}" if chart.background_id else "",
        "background_width": chart.background_width,
        "courses": chart.courses,
        "find_from": clock.iso(chart.find_from),
        "show_names": chart.show_names,
        "name_order": chart.name_order,
        "seat_waiting": chart.seat_waiting,
    }


def rows_of(account: Account, ids: Sequence[str]) -> list[ChartRow]:
    """Charts by their ids, in whatever order."""
    return [chart_row(chart) for chart in charts_of(account).filter(pk__in=ids)]


def meal_of(guest: Guest) -> str:
    return ", ".join(meal for meal in guest.meals if meal)


def table_rows(tables: Iterable[Table], guests: Iterable[Guest]) -> list[TableRow]:
    """`guests` are all of the chart, or those of these tables."""
    sitting: dict[str, list[Guest]] = {}
    for guest in guests:
        if guest.table_id is not None:
            sitting.setdefault(guest.table_id, []).append(guest)
    return [table_row(table, sitting.get(table.pk, [])) for table in tables]


def table_row(table: Table, guests: Sequence[Guest]) -> TableRow:
    order = sorted(guests, key=lambda guest: (guest.seat or 999, guest.party_key, guest.sort_name, guest.pk))
    return {
        "id": table.pk,
        "name": table.name,
        "shape": table.shape,
        "capacity": table.capacity,
        "guest_count": len(order),
        "guests": [_sitting(guest) for guest in order],
        "x": table.x,
        "y": table.y,
        "width": table.width,
        "depth": table.depth,
        "rotation": table.rotation,
        "end_seats": table.end_seats,
        "locked": table.locked,
        "closed": table.closed,
        "colour": table.colour,
        "note": table.note,
    }


def _sitting(guest: Guest) -> Sitting:
    row: Sitting = {"id": guest.pk, "name": guest.name, "party": guest.party, "meal": meal_of(guest)}
    if guest.seat is not None:
        row["seat"] = guest.seat
    if guest.arrived_at is not None:
        row["arrived"] = True
    if guest.locked:
        row["locked"] = True
    return row


def object_row(table: Table) -> ObjectRow:
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
        "colour": table.colour,
    }


def guest_row(guest: Guest) -> GuestRow:
    """Of a guest as `guests_of` finds them."""
    return {
        "id": guest.pk,
        "name": guest.name,
        "sort_name": guest.sort_name,
        "party": guest.party,
        "meal": meal_of(guest),
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
        "arrived": guest.arrived_at is not None,
        "arrived_at": clock.iso(guest.arrived_at),
    }


def wish_rows(wishes: Iterable[Wish], guests: Iterable[Guest], tables: Iterable[Table]) -> list[WishRow]:
    names = {guest.pk: guest.name for guest in guests}
    called = {table.pk: table.name for table in tables}
    return [
        {
            "id": wish.pk,
            "kind": wish.kind,
            "between": wish.between,
            "names": [names.get(one, one) for one in wish.between],
            "table_id": wish.table_id or "",
            "table": called.get(wish.table_id or "", ""),
            "weight": wish.weight,
        }
        for wish in wishes
    ]
