"""The kitchen report: meals by table and course with totals, diets by name, and guests who have not chosen.

All numbers come from `meal_counts.py` and add up to the number of attending guests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from workspace.documents import document_blocks
from workspace.documents.document_blocks import Block, DocumentTable, Heading, Paragraphs
from workspace.products.seat.domain import meal_counts
from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest

LAYOUT = document_blocks.LAYOUT
_MAX_COLUMNS = 7  # columns of meals side by side


def build_data(chart: PrintChart, paper_size: str) -> dict[str, Any]:
    """Return the data for the document layout."""
    footer = " · ".join(filter(None, (chart.title, chart.day)))
    return document_blocks.build_document_data(
        list(_build_blocks(chart)), paper="us-letter" if paper_size == "letter" else "a4", footer=footer
    )


def _build_blocks(chart: PrintChart) -> Iterator[Block]:
    counted = meal_counts.count_meals(chart, gettext("Meals"))
    yield Heading(gettext("Kitchen: %(title)s") % {"title": chart.title})
    if chart.day_and_venue:
        yield Paragraphs(chart.day_and_venue)
    text = gettext("%(guests)s guests at %(tables)s tables") % {
        "guests": len(chart.guests) - counted.without_table,
        "tables": len(chart.tables),
    }
    if counted.without_table:
        text += f" · {gettext('No table yet')}: {counted.without_table}"
    yield Paragraphs(text)
    for course in counted.courses:
        yield Heading(course.name, 2)
        yield from _course_blocks(chart, course)
    yield from _diet_blocks(chart, counted)
    yield from _missing_meal_blocks(chart, counted)
    notes = [table for table in chart.tables if table.note]
    if notes:
        yield Heading(gettext("Notes"), 2)
        rows = [[table.name, table.note] for table in notes]
        yield DocumentTable([gettext("Table"), gettext("Note")], rows, ["start", "start"], [1, 3])


def _course_blocks(chart: PrintChart, course: meal_counts.CourseCounts) -> Iterator[Block]:
    nothing, total = gettext("No meal yet"), gettext("Total")
    lines = [(table.id, table.name) for table in chart.tables] + [("", gettext("No table yet"))]
    lines = [(id, name) for id, name in lines if course.count_at(id)]
    words = [meal for meal in course.meals if course.totals[meal]]
    for begin in range(0, max(1, len(words)), _MAX_COLUMNS):
        some = words[begin : begin + _MAX_COLUMNS]
        is_last = begin + _MAX_COLUMNS >= len(words)
        lacks = bool(course.without_choice) and is_last
        head = [gettext("Table"), *some, *([nothing] if lacks else []), *([total] if is_last else [])]
        rows = []
        for id, name in lines:
            here: Mapping[str, int] = course.by_table.get(id, {})
            numbers = [here.get(word, 0) for word in some]
            numbers += [course.count_missing_at(id)] if lacks else []
            numbers += [course.count_at(id)] if is_last else []
            rows.append([name, *(str(number or "–") for number in numbers)])
        last = [course.totals[word] for word in some] + ([len(course.without_choice)] if lacks else [])
        rows.append([total, *map(str, last), *([str(course.total)] if is_last else [])])
        alignment: list[Any] = ["start", *["end"] * (len(head) - 1)]
        yield DocumentTable(head, rows, alignment, [2, *[1] * (len(head) - 1)], totals=1)


def _diet_blocks(chart: PrintChart, counted: meal_counts.MealCounts) -> Iterator[Block]:
    """Yield the total for each diet, which the kitchen cooks, then the guests by name."""
    if not counted.needs:
        return
    yield Heading(gettext("Allergies and diets"), 2)
    if counted.diets:
        yield Paragraphs(" · ".join(f"{count} × {diet}" for diet, count in counted.diets.most_common()))
    rows = [
        [
            _table_name(chart, need.table),
            str(need.seat or ""),
            need.name,
            ", ".join(filter(None, (*meal_counts.list_diets(need), need.chair))),
            need.notes,
        ]
        for need in counted.needs
    ]
    head = [gettext("Table"), gettext("Seat"), gettext("Guest"), gettext("Diet"), gettext("Note")]
    yield DocumentTable(head, rows, ["start"] * 5, [3, 2, 5, 5, 5])


def _missing_meal_blocks(chart: PrintChart, counted: meal_counts.MealCounts) -> Iterator[Block]:
    missing: dict[int, tuple[PrintGuest, list[str]]] = {}
    for course in counted.courses:
        for guest in course.without_choice:
            missing.setdefault(id(guest), (guest, []))[1].append(course.name)
    if missing:
        yield Heading(gettext("No meal yet"), 2)
        rows = [[_table_name(chart, guest.table), guest.name, ", ".join(names)] for guest, names in missing.values()]
        yield DocumentTable([gettext("Table"), gettext("Guest"), gettext("Course")], rows, ["start"] * 3, [1, 3, 3])


def _table_name(chart: PrintChart, id: str) -> str:
    return next((table.name for table in chart.tables if table.id == id), "")
