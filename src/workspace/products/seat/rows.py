"""Charts, tables, guests and wishes as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from workspace.accounts.models import Account
from workspace.products.seat.models import KIND, TABLE, Chart, Guest, Table, Wish
from workspace.products.seat.shapes import ChartRow, ChartWhole, GuestRow, ObjectRow, Sitting, TableRow, WishRow
from workspace.publishing.rows import one, published_row, shown
from workspace.storage.pictures import picture_url
from workspace.toolkit import clock

NO_CHART = "There is no such seating chart: svc_seat_charts shows yours with their ids"
NO_GUEST = "There is no such guest on this chart: svc_seat_guests shows them with their ids"
NO_TABLE = "There is no such table on this chart: svc_seat_tables shows them with their ids"
NO_WISH = "There is no such wish on this chart: svc_seat_tables shows them with their ids"


def charts_of(account: Account) -> QuerySet[Chart]:
    tables = Table.objects.filter(chart=OuterRef("pk"), kind=TABLE).order_by().values("chart")
    guests = Guest.objects.filter(chart=OuterRef("pk")).order_by().values("chart")

    def number(found: QuerySet[Any, Any], value: Count | Sum) -> Coalesce:
        return Coalesce(Subquery(found.annotate(n=value).values("n"), output_field=IntegerField()), 0)

    found: QuerySet[Chart] = shown(account.seating_charts.all()).select_related("account")
    return found.annotate(
        table_count=number(tables, Count("pk")),
        seats=number(tables, Sum("capacity")),
        guest_count=number(guests, Count("pk")),
        seated=number(guests, Count("pk", filter=Q(table__isnull=False))),
        arrived=number(guests, Count("pk", filter=Q(arrived_at__isnull=False))),
    )


def chart_of(account: Account, id: str) -> Chart:
    """Raises NotFound."""
    found = one(charts_of(account), id, NO_CHART)
    found.account = account
    return found


def chart_named(account: Account, id: str) -> Chart:
    """The same without its figures, for what writes to it. Raises NotFound."""
    found: Chart = one(shown(account.seating_charts.all()), id, NO_CHART)
    found.account = account
    return found


def guests_of(chart: Chart) -> QuerySet[Guest]:
    return chart.guests.select_related("table")


def in_reading_order(guests: QuerySet[Guest]) -> QuerySet[Guest]:
    """By surname as far as that is known, and by id, so that pages do not overlap."""
    return guests.order_by("sort_key", "id")


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts 2 before 10, and both before the couple's table."""
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


def tables_of(chart: Chart) -> list[Table]:
    """Tables in natural order, without what is no table."""
    return sorted(chart.tables.filter(kind=TABLE), key=lambda table: (natural(table.name), table.pk))


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
