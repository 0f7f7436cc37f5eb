"""What the kitchen cooks for whom: meals by table and course with totals, what to leave out by name, and who has not
chosen. All numbers add up to the guests who have a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from workspace.documents import paper
from workspace.documents.paper import Block, Heading, Table, Words
from workspace.products.seat.paper_shapes import Chart, Seated

LAYOUT = paper.LAYOUT
_WIDEST = 7  # columns of meals beside one another


def data(chart: Chart, at: str) -> dict[str, Any]:
    """What the layout for papers takes."""
    footer = " · ".join(filter(None, (chart.title, chart.day)))
    return paper.data(list(_blocks(chart)), paper="us-letter" if at == "letter" else "a4", footer=footer)


def _blocks(chart: Chart) -> Iterator[Block]:
    seated = [guest for guest in chart.guests if chart.table_of(guest)]
    yield Heading(gettext("Kitchen: %(title)s") % {"title": chart.title})
    if chart.about:
        yield Words(chart.about)
    yield Words(
        gettext("%(guests)s guests at %(tables)s tables") % {"guests": len(seated), "tables": len(chart.tables)}
    )
    courses = list(chart.courses) or [gettext("Meals")]
    for number, course in enumerate(courses):
        yield Heading(course, 2)
        yield from _course(chart, seated, number)
    yield from _diets(chart, seated)
    yield from _without(chart, seated, courses)
    notes = [table for table in chart.tables if table.note]
    if notes:
        yield Heading(gettext("Notes"), 2)
        rows = [[_called(chart, table.id), table.note] for table in notes]
        yield Table([gettext("Table"), gettext("Note")], rows, ["start", "start"], [1, 3])


def _called(chart: Chart, id: str) -> str:
    return next((table.name for table in chart.tables if table.id == id), "")


def _meal(guest: Seated, number: int) -> str:
    return guest.meals[number] if number < len(guest.meals) else ""


def _course(chart: Chart, seated: list[Seated], number: int) -> Iterator[Block]:
    found = Counter(_meal(guest, number) for guest in seated)
    without = found.pop("", 0)
    words = sorted(found, key=lambda word: (-found[word], word))
    nothing, total = gettext("No meal yet"), gettext("Total")
    for begin in range(0, max(1, len(words)), _WIDEST):
        some = words[begin : begin + _WIDEST]
        is_last = begin + _WIDEST >= len(words)
        ends = ([nothing] if without and is_last else []) + ([total] if is_last else [])
        rows = []
        for table in chart.tables:
            here = Counter(_meal(guest, number) for guest in seated if guest.table == table.id)
            if here:
                last = ([here[""]] if without and is_last else []) + ([sum(here.values())] if is_last else [])
                rows.append([table.name, *(str(one or "–") for one in (*(here[word] for word in some), *last))])
        all_of = [found[word] for word in some] + ([without] if without and is_last else [])
        rows.append([total, *map(str, all_of), *([str(len(seated))] if is_last else [])])
        head = [gettext("Table"), *some, *ends]
        yield Table(head, rows, ["start", *(["end"] * (len(head) - 1))], [2, *([1] * (len(head) - 1))], totals=1)  # type: ignore[list-item]


def _diets(chart: Chart, seated: list[Seated]) -> Iterator[Block]:
    rows = [
        [_called(chart, one.table), str(one.seat or ""), one.name, ", ".join(one.diet), one.notes]
        for one in _in_order(chart, seated)
        if one.diet
    ]
    if not rows:
        return
    yield Heading(gettext("Allergies and diets"), 2)
    head = [gettext("Table"), gettext("Seat"), gettext("Guest"), gettext("Diet"), gettext("Note")]
    yield Table(head, rows, ["start"] * 5, [2, 1, 4, 4, 4])


def _without(chart: Chart, seated: list[Seated], courses: list[str]) -> Iterator[Block]:
    rows = []
    for one in _in_order(chart, seated):
        missing = [course for number, course in enumerate(courses) if not _meal(one, number)]
        if missing:
            rows.append([_called(chart, one.table), one.name, ", ".join(missing)])
    if rows:
        yield Heading(gettext("No meal yet"), 2)
        yield Table([gettext("Table"), gettext("Guest"), gettext("Course")], rows, ["start"] * 3, [1, 3, 3])


def _in_order(chart: Chart, seated: list[Seated]) -> list[Seated]:
    order = {table.id: number for number, table in enumerate(chart.tables)}
    return sorted(seated, key=lambda one: (order[one.table], one.seat or 10**6, one.name))
