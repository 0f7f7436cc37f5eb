"""The kitchen's report: meals by table and course with totals, what to leave out by name, and who has not chosen. All
numbers are those of `reports.py`, and add up to everybody who comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from workspace.documents import document
from workspace.documents.document import Block, Heading, Table, Words
from workspace.products.seat.domain import meal_counts
from workspace.products.seat.domain.pdf.types import Chart, Seated

LAYOUT = document.LAYOUT
_WIDEST = 7  # columns of meals beside one another


def data(chart: Chart, at: str) -> dict[str, Any]:
    """What the layout for papers takes."""
    footer = " · ".join(filter(None, (chart.title, chart.day)))
    return document.data(list(_blocks(chart)), paper="us-letter" if at == "letter" else "a4", footer=footer)


def _blocks(chart: Chart) -> Iterator[Block]:
    counted = meal_counts.kitchen(chart, gettext("Meals"))
    yield Heading(gettext("Kitchen: %(title)s") % {"title": chart.title})
    if chart.about:
        yield Words(chart.about)
    told = gettext("%(guests)s guests at %(tables)s tables") % {
        "guests": len(chart.guests) - counted.loose,
        "tables": len(chart.tables),
    }
    if counted.loose:
        told += f" · {gettext('No table yet')}: {counted.loose}"
    yield Words(told)
    for course in counted.courses:
        yield Heading(course.name, 2)
        yield from _course(chart, course)
    yield from _needs(chart, counted)
    yield from _without(chart, counted)
    notes = [table for table in chart.tables if table.note]
    if notes:
        yield Heading(gettext("Notes"), 2)
        rows = [[table.name, table.note] for table in notes]
        yield Table([gettext("Table"), gettext("Note")], rows, ["start", "start"], [1, 3])


def _course(chart: Chart, course: meal_counts.Course) -> Iterator[Block]:
    nothing, total = gettext("No meal yet"), gettext("Total")
    lines = [(table.id, table.name) for table in chart.tables] + [("", gettext("No table yet"))]
    lines = [(id, name) for id, name in lines if course.count_at(id)]
    words = [meal for meal in course.meals if course.totals[meal]]
    for begin in range(0, max(1, len(words)), _WIDEST):
        some = words[begin : begin + _WIDEST]
        is_last = begin + _WIDEST >= len(words)
        lacks = bool(course.without) and is_last
        head = [gettext("Table"), *some, *([nothing] if lacks else []), *([total] if is_last else [])]
        rows = []
        for id, name in lines:
            here: Mapping[str, int] = course.by_table.get(id, {})
            numbers = [here.get(word, 0) for word in some]
            numbers += [course.missing_at(id)] if lacks else []
            numbers += [course.count_at(id)] if is_last else []
            rows.append([name, *(str(one or "–") for one in numbers)])
        last = [course.totals[word] for word in some] + ([len(course.without)] if lacks else [])
        rows.append([total, *map(str, last), *([str(course.total)] if is_last else [])])
        yield Table(head, rows, ["start", *(["end"] * (len(head) - 1))], [2, *([1] * (len(head) - 1))], totals=1)  # type: ignore[list-item]


def _needs(chart: Chart, counted: meal_counts.Kitchen) -> Iterator[Block]:
    """By name, and before them how many of each, since that is cooked."""
    if not counted.needs:
        return
    yield Heading(gettext("Allergies and diets"), 2)
    if counted.diets:
        yield Words(" · ".join(f"{count} × {diet}" for diet, count in counted.diets.most_common()))
    rows = [
        [
            _called(chart, one.table),
            str(one.seat or ""),
            one.name,
            ", ".join(filter(None, (*meal_counts.diets_of(one), one.chair))),
            one.notes,
        ]
        for one in counted.needs
    ]
    head = [gettext("Table"), gettext("Seat"), gettext("Guest"), gettext("Diet"), gettext("Note")]
    yield Table(head, rows, ["start"] * 5, [3, 2, 5, 5, 5])


def _without(chart: Chart, counted: meal_counts.Kitchen) -> Iterator[Block]:
    missing: dict[int, tuple[Seated, list[str]]] = {}
    for course in counted.courses:
        for one in course.without:
            missing.setdefault(id(one), (one, []))[1].append(course.name)
    if missing:
        yield Heading(gettext("No meal yet"), 2)
        rows = [[_called(chart, one.table), one.name, ", ".join(names)] for one, names in missing.values()]
        yield Table([gettext("Table"), gettext("Guest"), gettext("Course")], rows, ["start"] * 3, [1, 3, 3])


def _called(chart: Chart, id: str) -> str:
    return next((table.name for table in chart.tables if table.id == id), "")
