"""A chart's rows as papers take them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext

from workspace.brand.color_contrast import BLACK, readable
from workspace.brand.fonts import SYSTEM
from workspace.brand.models import Brand
from workspace.products.seat.domain import floor_plan
from workspace.products.seat.domain.guests import order_of
from workspace.products.seat.domain.pdf.types import Chart as Paper
from workspace.products.seat.domain.pdf.types import Placed, Seated
from workspace.products.seat.domain.queries import tables_of
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.products.seat.rules.diet_terms import diets_in
from workspace.publishing.diets import DIETS
from workspace.publishing.language import USUAL, day_of_week, folded

FACES = {"classic": "Playfair Display", "modern": "Outfit", "warm": "Fraunces"}
# names and sort names that are stored for guests without a name
_NAMELESS = re.compile(r"(?P<kind>Guest|Child) of (?P<name>.+?)(?P<number> \(\d+\))?")
_BESIDE = re.compile(r"(?P<name>.+) \((?P<kind>guest|child)\)")


def paper_of(chart: Chart, *, language: str = "") -> Paper:
    """Everybody who comes, at their tables in the order in which these are read. All words are in one language: the
    account's main one, if none is given."""
    brand = Brand.of(chart.account)
    language = language or next(iter(brand.languages or ()), USUAL)
    with translation.override(folded(language) or USUAL):
        return _paper(chart, brand, language)


def _paper(chart: Chart, brand: Brand, language: str) -> Paper:
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
    name = one.name or ("" if one.is_table else floor_plan.GUEST_KINDS.get(one.kind, lambda: "")())
    return Placed(
        id=one.pk, name=name, shape=one.shape, seats=one.capacity if one.is_table else 0, x=one.x, y=one.y,
        width=one.width, depth=one.depth, rotation=one.rotation, ends=one.end_seats, kind=one.kind, note=one.note,
    )  # fmt: skip


def _seated(guest: Guest) -> Seated:
    chairs = {"child": gettext("child’s chair"), "high": gettext("high chair")}
    chair = ", ".join(filter(None, (chairs.get(guest.chair, ""), gettext("wheelchair") if guest.wheelchair else "")))
    name, sort_name = (_nameless(guest), _beside(guest)) if guest.placeholder else (guest.name, guest.sort_name)
    return Seated(
        name=name, table=guest.table_id or "", sort_name=sort_name, party=guest.party, meals=guest.meals,
        diet=_diets(guest.diet), notes=guest.notes, seat=guest.seat, chair=chair, noted=_diets(diets_in(guest.notes)),
    )  # fmt: skip


def _diets(keys: Sequence[str]) -> list[str]:
    return [DIETS[key].label if key in DIETS else key for key in keys]


def _nameless(guest: Guest) -> str:
    """Return `Guest of Anna Berg (2)` in the language of the paper."""
    found = _NAMELESS.fullmatch(guest.name)
    if found is None:
        return guest.name
    words = gettext("Guest of %(name)s") if found["kind"] == "Guest" else gettext("Child of %(name)s")
    return words % {"name": found["name"]} + (found["number"] or "")


def _beside(guest: Guest) -> str:
    """Return `Berg, Anna (guest)` in the language of the paper."""
    found = _BESIDE.fullmatch(guest.sort_name)
    if found is None:
        return guest.sort_name
    words = gettext("%(name)s (guest)") if found["kind"] == "guest" else gettext("%(name)s (child)")
    return words % {"name": found["name"]}
