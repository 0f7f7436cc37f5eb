"""A chart on paper, from plain data: posters, cards, numbers, the kitchen's report, the list for the door, the plan.

    pdf_of(chart, "poster", paper="a2")

Nothing here reads a row: `printed.py` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from django.utils import translation
from django.utils.translation import gettext

from workspace.documents.typesetter import pictured, typeset
from workspace.lib.errors import InvalidInput
from workspace.products.seat.domain.pdf import kitchen_report, posters
from workspace.products.seat.domain.pdf.types import Chart, Placed, Seated
from workspace.products.seat.rules import geometry, surnames
from workspace.products.seat.rules.meal_icons import sign_of
from workspace.publishing.language import USUAL, folded

Kind = Literal["poster", "poster_first", "poster_tables", "cards", "escort", "numbers", "kitchen", "door", "plan"]
Design = Literal["plain", "frame", "twigs", "band", "night"]
DESIGNED = ("poster", "poster_first", "poster_tables", "cards", "escort", "numbers")  # what guests see
LAYOUTS = Path(__file__).with_name("layouts")
SIZES = {
    "a1": (594.0, 841.0),
    "a2": (420.0, 594.0),
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "24x36": (609.6, 914.4),
}
LARGE, SMALL = ("a3", "a2", "a1", "24x36"), ("a4", "letter")
PAPERS: Mapping[str, Sequence[str]] = {
    "poster": LARGE, "poster_first": LARGE, "poster_tables": LARGE, "cards": SMALL, "escort": SMALL, "numbers": SMALL,
    "kitchen": SMALL, "door": SMALL, "plan": ("a4", "letter", *LARGE),
}  # fmt: skip
_SCALES = (20, 25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 750, 1000)
_ON_A_SHEET = 80  # lines of the door's list
_FOOT = 30.48  # centimetres


def paper_of(kind: str, paper: str | None) -> str:
    """The paper that is asked for, or the usual one. Raises InvalidInput for one that it is not printed on."""
    fits = PAPERS[kind]
    if paper is not None and paper not in fits:
        raise InvalidInput.at("paper", f"This is printed on {', '.join(fits)}")
    return paper or fits[0]


def pdf_of(chart: Chart, kind: Kind, paper: str | None = None, design: Design = "plain") -> bytes:
    """A PDF/A. Raises InvalidInput for letters that no font has, TooMuchToPrint, Busy."""
    at = paper_of(kind, paper)
    with translation.override(folded(chart.language) or USUAL):
        if kind == "kitchen":
            layout, data = kitchen_report.LAYOUT, kitchen_report.data(chart, at)
        else:
            layout, data = LAYOUTS / f"{_LAYOUT_OF.get(kind, kind)}.typ", data_of(chart, kind, SIZES[at], design)
        return typeset(layout, data, title=chart.title, language=chart.language)


def picture_of(chart: Chart, kind: Kind, paper: str | None = None, design: Design = "plain", *, width: int) -> bytes:
    """The first page as a PNG. Raises as `pdf_of`."""
    at = paper_of(kind, paper)
    few = _first_page(chart, kind)
    with translation.override(folded(chart.language) or USUAL):
        if kind == "kitchen":
            layout, data = kitchen_report.LAYOUT, kitchen_report.data(few, at)
            wide = SIZES[at][0]
        else:
            layout, data = LAYOUTS / f"{_LAYOUT_OF.get(kind, kind)}.typ", data_of(few, kind, SIZES[at], design)
            wide = data["size"][0]
        return pictured(layout, data, width=width, points=wide / 25.4 * 72, language=chart.language)


def _first_page(chart: Chart, kind: Kind) -> Chart:
    """Of papers with a page for some, those alone: five hundred cards are not drawn to look at ten."""
    if kind == "numbers":
        return replace(chart, tables=chart.tables[:1])
    if kind == "door":
        by_name = sorted(
            chart.guests, key=lambda one: surnames.order(surnames.listed(one.name, one.sort_name, chart.name_order))
        )
        return replace(chart, guests=by_name[:_ON_A_SHEET], called={})
    if kind in ("cards", "escort"):
        seated = [guest for guest in chart.guests if guest.table]
        return replace(chart, guests=seated[:10], called={})
    return chart


def data_of(chart: Chart, kind: str, size: tuple[float, float], design: Design = "plain") -> dict[str, Any]:
    """What the layout of a kind takes."""
    return {
        "size": list(size),
        "face": chart.face,
        "main": chart.main,
        "title": chart.title,
        "design": design if kind in DESIGNED else "plain",
        **_MADE[kind](chart, size),
    }


def _cards(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    order = {table.id: number for number, table in enumerate(chart.tables)}
    guests = sorted(
        (guest for guest in chart.guests if guest.table in order),
        key=lambda guest: (order[guest.table], guest.seat or 10**6, surnames.order(guest.name)),
    )
    cards = [{"name": one.name, "table": chart.table_of(one), "meals": _meals(one)} for one in guests]
    return {"folded": True, "cards": cards}


def _meals(guest: Seated) -> list[dict[str, str]]:
    return [{"sign": sign_of(word), "word": word} for word in (*guest.meals, *guest.diet[:2]) if word]


def _escort(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    """A card for each party, and for each who came alone."""
    parties: dict[str, list[Seated]] = {}
    for number, guest in enumerate(chart.guests):
        if guest.table:
            parties.setdefault(guest.party or f"\n{number}", []).append(guest)
    cards = []
    for guests in parties.values():
        told = _where(chart, guests)
        names = [guest.name for guest in guests]
        points = 17 if len(names) <= 2 else 14 if len(names) <= 4 else 10.5 if len(names) <= 7 else 8
        first = surnames.listed(guests[0].name, guests[0].sort_name, chart.name_order)
        cards.append((surnames.order(first), {"names": names, "tables": told, "size": points}))
    return {"folded": False, "cards": [card for _, card in sorted(cards, key=lambda one: one[0])]}


def _where(chart: Chart, guests: Sequence[Seated]) -> list[str]:
    """The table of a party; where it sits at several, each with who sits there."""
    tables: dict[str, list[str]] = {}
    for guest in guests:
        tables.setdefault(chart.table_of(guest), []).append(guest.name)
    return list(tables) if len(tables) == 1 else [f"{table}: {', '.join(names)}" for table, names in tables.items()]


def _numbers(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    word = gettext("Table")
    return {"tables": [{"name": one.name, "above": word if one.name.isdigit() else ""} for one in chart.tables]}


def _door(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    def note(guest: Seated) -> str:
        return " · ".join(filter(None, (guest.party, *guest.meals, *guest.diet, guest.chair)))

    return {
        "lead": chart.about,
        "foot": f"{chart.title} · {len(chart.guests)}",
        "groups": posters.by_surname(chart, seated_only=False, note=note),
    }


def _plan(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    if (chart.room[0] > chart.room[1]) != (size[0] > size[1]):
        size = (size[1], size[0])
    space = (size[0] - 24, size[1] - 52)
    scale = next(
        (one for one in _SCALES if all(room * 10 / one <= most for room, most in zip(chart.room, space, strict=True))),
        _SCALES[-1],
    )
    bar = (_FOOT * 10, gettext("10 ft")) if chart.units == "ft" else (500.0, gettext("5 m"))
    return {
        "size": list(size),
        "scale": scale,
        "room": list(chart.room),
        "lead": " · ".join(filter(None, (chart.about, f"1 : {scale}"))),
        "bar": list(bar),
        "tables": [_on_floor(chart, table) for table in chart.tables],
        "objects": [_thing(one) for one in chart.objects],
    }


def _on_floor(chart: Chart, table: Placed) -> dict[str, Any]:
    chairs = geometry.chairs(table.shape, table.seats, table.width, table.depth, ends=table.ends)  # type: ignore[arg-type]
    return {
        **_thing(table),
        "shape": table.shape,
        "count": f"{len(chart.at(table))} / {table.seats}",
        "chairs": [[one.x, one.y, one.facing] for one in chairs],
    }


def _thing(one: Placed) -> dict[str, Any]:
    names = ("name", "kind", "x", "y", "width", "depth", "rotation")
    return {name: getattr(one, name) for name in names}


_LAYOUT_OF = {"poster_first": "poster", "poster_tables": "poster", "escort": "cards"}
_MADE = {
    "poster": posters.poster, "poster_first": posters.poster_first, "poster_tables": posters.poster_tables,
    "cards": _cards, "escort": _escort,
    "numbers": _numbers, "door": _door, "plan": _plan,
}  # fmt: skip
