"""Converting a chart's rows to the types used by PDFs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext

from workspace.brand.color_contrast import BLACK, readable_color
from workspace.brand.fonts import FONT_PAIRS
from workspace.brand.models import Brand
from workspace.products.seat.domain import floor_plan
from workspace.products.seat.domain.guests import get_name_order
from workspace.products.seat.domain.pdf.print_chart import PrintChart as Paper
from workspace.products.seat.domain.pdf.print_chart import PrintGuest, PrintItem
from workspace.products.seat.domain.queries import tables_for
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.products.seat.rules.diet_terms import find_diets
from workspace.publishing.diets import DIETS
from workspace.publishing.language import DEFAULT_LANGUAGE, format_full_day, match_supported

# names and sort names that are stored for guests without a name
_UNNAMED_PATTERN = re.compile(r"(?P<kind>Guest|Child) of (?P<name>.+?)(?P<number> \(\d+\))?")
_SORT_NAME_PATTERN = re.compile(r"(?P<name>.+) \((?P<kind>guest|child)\)")


def load_chart(chart: Chart, *, language: str = "") -> Paper:
    """Return the chart with all attending guests, and the tables in reading order.

    All text is in one language, by default the account's main language.
    """
    brand = Brand.for_account(chart.account)
    language = language or next(iter(brand.languages or ()), DEFAULT_LANGUAGE)
    with translation.override(match_supported(language) or DEFAULT_LANGUAGE):
        return _build_chart(chart, brand, language)


def _build_chart(chart: Chart, brand: Brand, language: str) -> Paper:
    return Paper(
        title=chart.title,
        tables=[_build_item(table) for table in tables_for(chart)],
        objects=[_build_item(table) for table in chart.tables.all() if not table.is_table],
        guests=[_build_guest(guest) for guest in chart.guests.exclude(reply=Reply.NO)],
        room=(chart.width, chart.depth),
        day=format_full_day(chart.date, language) if chart.date else "",
        venue=chart.venue,
        courses=[course["name"] for course in chart.courses],
        choices=[course["choices"] for course in chart.courses],
        units=chart.units,
        language=language,
        name_order=get_name_order(chart),
        typeface=FONT_PAIRS[brand.fonts].heading_typeface or "Playfair Display",
        main_color=readable_color(brand.style.color, ("#ffffff",), BLACK),
    )


def _build_item(table: Table) -> PrintItem:
    name = table.name or ("" if table.is_table else floor_plan.GUEST_OBJECT_LABELS.get(table.kind, lambda: "")())
    return PrintItem(
        id=table.pk, name=name, shape=table.shape, seats=table.capacity if table.is_table else 0, x=table.x, y=table.y,
        width=table.width, depth=table.depth, rotation=table.rotation, has_end_seats=table.end_seats, kind=table.kind,
        note=table.note,
    )  # fmt: skip


def _build_guest(guest: Guest) -> PrintGuest:
    chairs = {"child": gettext("child’s chair"), "high": gettext("high chair")}
    chair = ", ".join(filter(None, (chairs.get(guest.chair, ""), gettext("wheelchair") if guest.wheelchair else "")))
    name, sort_name = (
        (_translate_name(guest), _translate_sort_name(guest)) if guest.placeholder else (guest.name, guest.sort_name)
    )
    return PrintGuest(
        name=name, table=guest.table_id or "", sort_name=sort_name, party=guest.party, meals=guest.meals,
        diet=_diet_labels(guest.diet), notes=guest.notes, seat=guest.seat, chair=chair,
        diets_in_notes=_diet_labels(find_diets(guest.notes)),
    )  # fmt: skip


def _diet_labels(keys: Sequence[str]) -> list[str]:
    return [DIETS[key].label if key in DIETS else key for key in keys]


def _translate_name(guest: Guest) -> str:
    """Return `Guest of Anna Berg (2)` in the language of the PDF."""
    match = _UNNAMED_PATTERN.fullmatch(guest.name)
    if match is None:
        return guest.name
    words = gettext("Guest of %(name)s") if match["kind"] == "Guest" else gettext("Child of %(name)s")
    return words % {"name": match["name"]} + (match["number"] or "")


def _translate_sort_name(guest: Guest) -> str:
    """Return `Berg, Anna (guest)` in the language of the PDF."""
    match = _SORT_NAME_PATTERN.fullmatch(guest.sort_name)
    if match is None:
        return guest.sort_name
    words = gettext("%(name)s (guest)") if match["kind"] == "guest" else gettext("%(name)s (child)")
    return words % {"name": match["name"]}
