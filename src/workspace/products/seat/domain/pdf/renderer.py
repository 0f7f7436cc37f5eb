"""PDFs of a chart: posters, cards, table numbers, kitchen report, check-in list, floor plan.

    render_pdf(chart, "poster", paper="a2")

They are built from plain data. Nothing here reads rows, because `chart_data.py` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from django.utils import translation
from django.utils.translation import gettext

from workspace.documents.typesetter import render_page_image, typeset_document
from workspace.lib.errors import InvalidInputError
from workspace.products.seat import messages
from workspace.products.seat.domain.pdf import kitchen_report, posters
from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest, PrintItem
from workspace.products.seat.rules import alphabetical_names, chair_geometry
from workspace.products.seat.rules.meal_icons import find_icon
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported

PrintKind = Literal["poster", "poster_first", "poster_tables", "cards", "escort", "numbers", "kitchen", "door", "plan"]
Design = Literal["plain", "frame", "twigs", "band", "night"]
DESIGNED_KINDS = ("poster", "poster_first", "poster_tables", "cards", "escort", "numbers")  # PDFs that guests see
LAYOUT_FOLDER = Path(__file__).with_name("layouts")
PAPER_SIZES_MM = {
    "a1": (594.0, 841.0),
    "a2": (420.0, 594.0),
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "24x36": (609.6, 914.4),
}
LARGE_PAPERS, SMALL_PAPERS = ("a3", "a2", "a1", "24x36"), ("a4", "letter")
PAPERS_BY_KIND: Mapping[str, Sequence[str]] = {
    "poster": LARGE_PAPERS, "poster_first": LARGE_PAPERS, "poster_tables": LARGE_PAPERS,
    "cards": SMALL_PAPERS, "escort": SMALL_PAPERS, "numbers": SMALL_PAPERS,
    "kitchen": SMALL_PAPERS, "door": SMALL_PAPERS, "plan": ("a4", "letter", *LARGE_PAPERS),
}  # fmt: skip
_SCALES = (20, 25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 750, 1000)
_LINES_PER_PAGE = 80  # lines of the check-in list
_FOOT_CM = 30.48  # centimeters


def resolve_paper(kind: str, paper: str | None) -> str:
    """Return the requested paper, or the default. Raise InvalidInputError if this PDF cannot use that paper."""
    fits = PAPERS_BY_KIND[kind]
    if paper is not None and paper not in fits:
        raise InvalidInputError.at_path("paper", messages.PAPER_NOT_AVAILABLE(papers=", ".join(fits)))
    return paper or fits[0]


def render_pdf(chart: PrintChart, kind: PrintKind, paper: str | None = None, design: Design = "plain") -> bytes:
    """Return a PDF/A.

    Raise InvalidInputError for characters that no font contains. Also raise DocumentTooComplexError or BusyError.
    """
    at = resolve_paper(kind, paper)
    with translation.override(match_supported(chart.language) or DEFAULT_LANGUAGE):
        if kind == "kitchen":
            layout, data = kitchen_report.LAYOUT, kitchen_report.build_data(chart, at)
        else:
            layout, data = (
                LAYOUT_FOLDER / f"{_LAYOUT_NAMES.get(kind, kind)}.typ",
                build_data(chart, kind, PAPER_SIZES_MM[at], design),
            )
        return typeset_document(layout, data, title=chart.title, language=chart.language)


def render_preview(
    chart: PrintChart, kind: PrintKind, paper: str | None = None, design: Design = "plain", *, width: int
) -> bytes:
    """Return the first page as a PNG. Raise the same errors as `render_pdf`."""
    at = resolve_paper(kind, paper)
    few = _limit_to_first_page(chart, kind)
    with translation.override(match_supported(chart.language) or DEFAULT_LANGUAGE):
        if kind == "kitchen":
            layout, data = kitchen_report.LAYOUT, kitchen_report.build_data(few, at)
            wide = PAPER_SIZES_MM[at][0]
        else:
            layout, data = (
                LAYOUT_FOLDER / f"{_LAYOUT_NAMES.get(kind, kind)}.typ",
                build_data(few, kind, PAPER_SIZES_MM[at], design),
            )
            wide = data["size"][0]
        return render_page_image(layout, data, width=width, points=wide / 25.4 * 72, language=chart.language)


def _limit_to_first_page(chart: PrintChart, kind: PrintKind) -> PrintChart:
    """Return the chart with only the guests or tables of the first page, so that previews do not render all cards."""
    if kind == "numbers":
        return replace(chart, tables=chart.tables[:1])
    if kind == "door":
        by_name = sorted(
            chart.guests,
            key=lambda guest: alphabetical_names.name_sort_key(
                alphabetical_names.format_by_surname(guest.name, guest.sort_name, chart.name_order)
            ),
        )
        return replace(chart, guests=by_name[:_LINES_PER_PAGE], table_labels={})
    if kind in ("cards", "escort"):
        seated = [guest for guest in chart.guests if guest.table]
        return replace(chart, guests=seated[:10], table_labels={})
    return chart


def build_data(chart: PrintChart, kind: str, size: tuple[float, float], design: Design = "plain") -> dict[str, Any]:
    """Build the data for the layout of a kind of PDF."""
    return {
        "size": list(size),
        "face": chart.typeface,
        "main": chart.main_color,
        "title": chart.title,
        "design": design if kind in DESIGNED_KINDS else "plain",
        **_DATA_BUILDERS[kind](chart, size),
    }


def _build_place_cards(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    order = {table.id: number for number, table in enumerate(chart.tables)}
    guests = sorted(
        (guest for guest in chart.guests if guest.table in order),
        key=lambda guest: (order[guest.table], guest.seat or 10**6, alphabetical_names.name_sort_key(guest.name)),
    )
    cards = [
        {"name": guest.name, "table": chart.table_label_for(guest), "meals": _meal_signs(guest)} for guest in guests
    ]
    return {"folded": True, "cards": cards}


def _meal_signs(guest: PrintGuest) -> list[dict[str, str]]:
    return [{"sign": find_icon(word), "word": word} for word in (*guest.meals, *guest.diet[:2]) if word]


def _build_escort_cards(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    """Build a card for each party, and for each guest without a party."""
    parties: dict[str, list[PrintGuest]] = {}
    for number, guest in enumerate(chart.guests):
        if guest.table:
            parties.setdefault(guest.party or f"\n{number}", []).append(guest)
    cards = []
    for guests in parties.values():
        lines = _party_tables(chart, guests)
        names = [guest.name for guest in guests]
        points = 17 if len(names) <= 2 else 14 if len(names) <= 4 else 10.5 if len(names) <= 7 else 8
        first = alphabetical_names.format_by_surname(guests[0].name, guests[0].sort_name, chart.name_order)
        cards.append((alphabetical_names.name_sort_key(first), {"names": names, "tables": lines, "size": points}))
    return {"folded": False, "cards": [card for _, card in sorted(cards, key=lambda card: card[0])]}


def _party_tables(chart: PrintChart, guests: Sequence[PrintGuest]) -> list[str]:
    """Return the table of a party. If the party has several tables, return each with its guests."""
    tables: dict[str, list[str]] = {}
    for guest in guests:
        tables.setdefault(chart.table_label_for(guest), []).append(guest.name)
    return list(tables) if len(tables) == 1 else [f"{table}: {', '.join(names)}" for table, names in tables.items()]


def _build_table_numbers(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    word = gettext("Table")
    return {"tables": [{"name": table.name, "above": word if table.name.isdigit() else ""} for table in chart.tables]}


def _build_checkin_list(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    def format_note(guest: PrintGuest) -> str:
        return " · ".join(filter(None, (guest.party, *guest.meals, *guest.diet, guest.chair)))

    return {
        "lead": chart.day_and_venue,
        "foot": f"{chart.title} · {len(chart.guests)}",
        "groups": posters.group_by_surname(chart, seated_only=False, note=format_note),
    }


def _build_floor_plan(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    if (chart.room[0] > chart.room[1]) != (size[0] > size[1]):
        size = (size[1], size[0])
    space = (size[0] - 24, size[1] - 52)
    scale = next(
        (
            scale
            for scale in _SCALES
            if all(room * 10 / scale <= most for room, most in zip(chart.room, space, strict=True))
        ),
        _SCALES[-1],
    )
    bar = (_FOOT_CM * 10, gettext("10 ft")) if chart.units == "ft" else (500.0, gettext("5 m"))
    return {
        "size": list(size),
        "scale": scale,
        "room": list(chart.room),
        "lead": " · ".join(filter(None, (chart.day_and_venue, f"1 : {scale}"))),
        "bar": list(bar),
        "tables": [_build_plan_table(chart, table) for table in chart.tables],
        "objects": [_build_plan_item(item) for item in chart.objects],
    }


def _build_plan_table(chart: PrintChart, table: PrintItem) -> dict[str, Any]:
    chairs = chair_geometry.place_chairs(table.shape, table.seats, table.width, table.depth, ends=table.has_end_seats)  # type: ignore[arg-type]
    return {
        **_build_plan_item(table),
        "shape": table.shape,
        "count": f"{len(chart.guests_at(table))} / {table.seats}",
        "chairs": [[chair.x, chair.y, chair.facing] for chair in chairs],
    }


def _build_plan_item(item: PrintItem) -> dict[str, Any]:
    names = ("name", "kind", "x", "y", "width", "depth", "rotation")
    return {name: getattr(item, name) for name in names}


_LAYOUT_NAMES = {"poster_first": "poster", "poster_tables": "poster", "escort": "cards", "door": "checkin_list"}
_DATA_BUILDERS = {
    "poster": posters.build_surname_poster,
    "poster_first": posters.build_first_name_poster,
    "poster_tables": posters.build_table_poster,
    "cards": _build_place_cards,
    "escort": _build_escort_cards,
    "numbers": _build_table_numbers,
    "door": _build_checkin_list,
    "plan": _build_floor_plan,
}
