"""A chart as files: its guests, and what the kitchen cooks, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInput
from workspace.lib.tabular import csv_table, workbook_writer
from workspace.products.seat.api.arguments import EventId
from workspace.products.seat.api.serializers import guest_row
from workspace.products.seat.api.tools import box
from workspace.products.seat.domain import meal_counts
from workspace.products.seat.domain.pdf import chart_data, renderer
from workspace.products.seat.domain.pdf.types import Chart as Paper
from workspace.products.seat.domain.queries import chart_of, guests_of, in_reading_order
from workspace.products.seat.models import Chart
from workspace.publishing.exports import Export, exported, exported_file
from workspace.publishing.language import USUAL
from workspace.tools.answer import Answer

# headings that an import finds again
GUESTS = (
    "name", "sort name", "party", "table", "seat", "reply", "meal", "meals", "diet", "notes", "chair", "wheelchair",
    "tags", "e-mail", "phone", "placeholder", "arrived",
)  # fmt: skip
# papers by their kind here: the list for the door is a table, too
PAPERS = {
    "poster": "poster", "poster_first": "poster_first", "poster_tables": "poster_tables",
    "cards": "cards", "escort": "escort", "numbers": "numbers",
    "kitchen": "kitchen", "door_list": "door", "plan": "plan",
}  # fmt: skip
DOOR = ("name", "party", "table", "seat", "arrived", "notes")
WIDTHS = {"name": 26, "sort name": 26, "party": 20, "meal": 22, "meals": 28, "notes": 40, "e-mail": 30}
MEALS = ("course", "table", "meal", "guests")
ALL = "All tables and the unseated"


@box.tool("svc_seat_export", title="Export a seating chart", reads=True)
def export(
    account: Account,
    event_id: EventId,
    kind: Annotated[
        Literal[
            "guests",
            "meals",
            "door",
            "poster",
            "poster_first",
            "poster_tables",
            "cards",
            "escort",
            "numbers",
            "kitchen",
            "door_list",
            "plan",
        ],
        Field(description="guests, meals, door are tables; all others are papers, as PDF. poster_first: by first name"),
    ],
    format: Annotated[Literal["csv", "xlsx"], Field(description="Of a table; csv if left out")] | None = None,
    paper: Annotated[
        Literal["a1", "a2", "a3", "a4", "letter", "24x36"], Field(description="Of a paper; posters a3 and larger")
    ]
    | None = None,
    design: Annotated[renderer.Design, Field(description="Of posters, cards and numbers; plain by default")]
    | None = None,
) -> Answer[Export]:
    """A file to save, CSV or XLSX: all guests, which svc_seat_save_guests takes in again; meals per table and course,
    with totals that add up; the list for the door by surname. Or a paper to print: posters, place and
    escort cards, table numbers, kitchen report, door list with boxes, floor plan."""
    chart = chart_of(account, event_id)
    if kind in PAPERS:
        if format is not None:
            raise InvalidInput.at("format", "Only of tables: a paper is a PDF")
        if design is not None and PAPERS[kind] not in renderer.DESIGNED:
            raise InvalidInput.at("design", "Only posters, cards and table numbers come in designs")
        content = renderer.pdf_of(chart_data.paper_of(chart), cast(Any, PAPERS[kind]), paper, design or "plain")
        name = f"{kind.replace('_', '-')}-{chart.slug}.pdf"
        return exported_file("seat", "paper", name, content, kind=kind, event_id=chart.pk, paper=paper, design=design)
    if paper is not None:
        raise InvalidInput.at("paper", "Only of papers: a table has none")
    if design is not None:
        raise InvalidInput.at("design", "Only of papers: a table has none")
    heading, rows = _table(chart, kind)
    noun = "line" if kind == "meals" else "guest"
    if format == "xlsx":
        book = workbook_writer.written(kind.capitalize(), [(one, WIDTHS.get(one, 14)) for one in heading], rows)
        name = f"{kind}-{chart.slug}.xlsx"
        return exported_file("seat", noun, name, book, rows=len(rows), kind=kind, event_id=chart.pk, format=format)
    text = csv_table.write(heading, rows)
    return exported(
        "seat", noun, f"{kind}-{chart.slug}.csv", text, rows=len(rows), kind=kind, event_id=chart.pk, format=format
    )


def _table(chart: Chart, kind: str) -> tuple[Sequence[str], list[Sequence[str | int]]]:
    """Its heading and its rows."""
    if kind == "meals":
        return MEALS, meals(chart_data.paper_of(chart, language=USUAL))
    found = [guest_row(guest) for guest in in_reading_order(guests_of(chart))]
    if kind == "door":
        return DOOR, [
            [row["sort_name"], row["party"], row["table"], row["seat"] or "", row["arrived_at"] or "", row["notes"]]
            for row in found
            if row["reply"] != "no"
        ]
    return GUESTS, [
        [
            row["name"], row["sort_name"], row["party"], row["table"], row["seat"] or "", row["reply"],
            row["meals"][0] if row["meals"] else "", " | ".join(row["meals"]), ", ".join(row["diet"]),
            row["notes"], row["chair"], "yes" if row["wheelchair"] else "", ", ".join(row["tags"]), row["email"],
            row["phone"], "yes" if row["placeholder"] else "", row["arrived_at"] or "",
        ]
        for row in found
    ]  # fmt: skip


def meals(chart: Paper) -> list[Sequence[str | int]]:
    """A line for each meal at each table, then the totals; of each course they add up to all who come."""
    counted = meal_counts.kitchen(chart)
    names = {table.id: table.name for table in chart.tables}
    rows: list[Sequence[str | int]] = []
    for course in counted.courses:
        for id, name in names.items():
            here: Mapping[str, int] = course.by_table.get(id, {})
            rows += [[course.name, name, meal, here[meal]] for meal in course.meals if meal in here]
        rows += [[course.name, ALL, meal, course.totals[meal]] for meal in course.meals]
        rows.append([course.name, ALL, "No meal yet", len(course.without)])
        rows.append([course.name, ALL, "Everybody", course.total])
    rows += [["Diets", "", diet, count] for diet, count in sorted(counted.diets.items())]
    needs = [
        (one, ", ".join(filter(None, (*meal_counts.diets_of(one), one.chair, one.notes)))) for one in counted.needs
    ]
    rows += [["Needs", names.get(one.table, ""), f"{one.name}: {told}", 1] for one, told in needs]
    return rows
