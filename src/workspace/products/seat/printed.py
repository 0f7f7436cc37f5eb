"""A chart's rows as papers take them."""

from __future__ import annotations

from workspace.brand.colours import BLACK, readable
from workspace.brand.fonts import SYSTEM
from workspace.brand.models import Brand
from workspace.products.seat import floor
from workspace.products.seat.guests import order_of
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.products.seat.paper_shapes import Chart as Paper
from workspace.products.seat.paper_shapes import Placed, Seated
from workspace.products.seat.rows import tables_of
from workspace.publishing.diets import DIETS
from workspace.publishing.language import USUAL, day_of_week

FACES = {"classic": "Playfair Display", "modern": "Outfit", "warm": "Fraunces"}
CHAIRS = {"child": "child’s chair", "high": "high chair"}


def paper_of(chart: Chart) -> Paper:
    """Everybody who comes, at their tables in the order in which these are read."""
    brand = Brand.of(chart.account)
    language = next(iter(brand.languages or ()), USUAL)
    return Paper(
        title=chart.title,
        tables=[_placed(table) for table in tables_of(chart)],
        objects=[_placed(one) for one in chart.tables.all() if not one.is_table],
        guests=[_seated(guest) for guest in chart.guests.exclude(reply=Reply.NO)],
        room=(chart.width, chart.depth),
        day=day_of_week(chart.date, language) if chart.date else "",
        venue=chart.venue,
        courses=[course["name"] for course in chart.courses],
        choices=[course["choices"] for course in chart.courses],
        units=chart.units,
        language=language,
        name_order=order_of(chart),
        face=FACES.get(brand.fonts if brand.fonts != SYSTEM else "", "Playfair Display"),
        main=readable(brand.look.colour, ("#ffffff",), BLACK),
    )


def _placed(one: Table) -> Placed:
    name = one.name or ("" if one.is_table else floor.KINDS.get(one.kind, ""))
    return Placed(
        id=one.pk, name=name, shape=one.shape, seats=one.capacity if one.is_table else 0, x=one.x, y=one.y,
        width=one.width, depth=one.depth, rotation=one.rotation, ends=one.end_seats, kind=one.kind, note=one.note,
    )  # fmt: skip


def _seated(guest: Guest) -> Seated:
    diets = [DIETS[key].label if key in DIETS else key for key in guest.diet]
    chair = ", ".join(filter(None, (CHAIRS.get(guest.chair, ""), "wheelchair" if guest.wheelchair else "")))
    return Seated(
        name=guest.name, table=guest.table_id or "", sort_name=guest.sort_name, party=guest.party, meals=guest.meals,
        diet=diets, notes=guest.notes, seat=guest.seat, chair=chair,
    )  # fmt: skip
