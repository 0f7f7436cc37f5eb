"""A chart as files: tables of its guests, and of the meals for the kitchen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table, workbook_writer
from workspace.owner_translation import owner_gettext_noop
from workspace.products.seat import messages
from workspace.products.seat.api.arguments import EventId
from workspace.products.seat.api.serializers import guest_data
from workspace.products.seat.api.tools import box
from workspace.products.seat.domain import meal_counts
from workspace.products.seat.domain.pdf import chart_data, renderer
from workspace.products.seat.domain.pdf.print_chart import PrintChart as Paper
from workspace.products.seat.domain.queries import get_chart_with_counts, guests_for, sort_by_name
from workspace.products.seat.models import Chart
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.publishing.language import DEFAULT_LANGUAGE
from workspace.tools.answer import Answer

# headings that an import recognizes
GUEST_COLUMNS = (
    "name", "sort name", "party", "table", "seat", "reply", "meal", "meals", "diet", "notes", "chair", "wheelchair",
    "tags", "email", "phone", "placeholder", "arrived",
)  # fmt: skip
# PDFs by their kind in this tool; the PDF is "door_list", because "door" is a table
PRINT_KINDS = {
    "poster": "poster", "poster_first": "poster_first", "poster_tables": "poster_tables",
    "cards": "cards", "escort": "escort", "numbers": "numbers",
    "kitchen": "kitchen", "door_list": "door", "plan": "plan",
}  # fmt: skip
CHECKIN_COLUMNS = ("name", "party", "table", "seat", "arrived", "notes")
COLUMN_WIDTHS = {"name": 26, "sort name": 26, "party": 20, "meal": 22, "meals": 28, "notes": 40, "email": 30}
MEAL_COLUMNS = ("course", "table", "meal", "guests")
ALL_GUESTS_LABEL = owner_gettext_noop("All tables and unseated guests")


@box.tool(
    "svc_seat_export",
    title="Export or print a seating chart",
    about="Export guests (for svc_seat_save_guests), meals by table and course with totals, or the check-in list by "
    "surname as CSV or XLSX. Can also print PDFs: posters, place and escort cards, table numbers, a kitchen report, "
    "a check-in list or a floor plan.",
    short="Export guests and meals, or print cards, lists and plans.",
    synonyms="place cards, name cards, escort cards, table numbers, kitchen list, meal counts, door list, "
    "download guest list, tischkarten, platzkarten, küchenliste, gästeliste drucken, tarjetas de mesa, "
    "imprimir, lista de cocina, números de mesa, print floor plan, print table plan, seating poster, "
    "print guest list",
    reads=True,
)
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
        Field(
            description=(
                "Data to export. guests, meals and door are tables; the others are PDFs. poster_first sorts by "
                "first name."
            )
        ),
    ],
    format: Annotated[Literal["csv", "xlsx"], Field(description="File format of a table. Defaults to csv.")]
    | None = None,
    paper: Annotated[
        Literal["a1", "a2", "a3", "a4", "letter", "24x36"],
        Field(description="Paper size of a PDF. Posters need a3 or larger."),
    ]
    | None = None,
    design: Annotated[renderer.Design, Field(description="Design of posters, cards and numbers. Defaults to plain.")]
    | None = None,
) -> Answer[Export]:
    chart = get_chart_with_counts(account, event_id)
    if kind in PRINT_KINDS:
        if format is not None:
            raise InvalidInputError.at_path("format", messages.FORMAT_ONLY_FOR_TABLES)
        if design is not None and PRINT_KINDS[kind] not in renderer.DESIGNED_KINDS:
            raise InvalidInputError.at_path("design", messages.DESIGN_NOT_AVAILABLE)
        content = renderer.render_pdf(
            chart_data.load_chart(chart), cast(Any, PRINT_KINDS[kind]), paper, design or "plain"
        )
        name = f"{kind.replace('_', '-')}-{chart.slug}.pdf"
        return export_file("seat", "paper", name, content, kind=kind, event_id=chart.pk, paper=paper, design=design)
    if paper is not None:
        raise InvalidInputError.at_path("paper", messages.PAPER_ONLY_FOR_PDFS)
    if design is not None:
        raise InvalidInputError.at_path("design", messages.DESIGN_NOT_AVAILABLE)
    heading, rows = _build_table(chart, kind)
    noun = "line" if kind == "meals" else "guest"
    if format == "xlsx":
        book = workbook_writer.build_workbook(
            kind.capitalize(), [(value, COLUMN_WIDTHS.get(value, 14)) for value in heading], rows
        )
        name = f"{kind}-{chart.slug}.xlsx"
        return export_file("seat", noun, name, book, rows=len(rows), kind=kind, event_id=chart.pk, format=format)
    text = csv_table.write(heading, rows)
    return export_text(
        "seat", noun, f"{kind}-{chart.slug}.csv", text, rows=len(rows), kind=kind, event_id=chart.pk, format=format
    )


def _build_table(chart: Chart, kind: str) -> tuple[Sequence[str], list[Sequence[str | int]]]:
    """Return the heading and the rows of a table."""
    if kind == "meals":
        return MEAL_COLUMNS, meal_rows(chart_data.load_chart(chart, language=DEFAULT_LANGUAGE))
    guests = [guest_data(guest) for guest in sort_by_name(guests_for(chart))]
    if kind == "door":
        return CHECKIN_COLUMNS, [
            [row["sort_name"], row["party"], row["table"], row["seat"] or "", row["arrived_at"] or "", row["notes"]]
            for row in guests
            if row["reply"] != "no"
        ]
    return GUEST_COLUMNS, [
        [
            row["name"], row["sort_name"], row["party"], row["table"], row["seat"] or "", row["reply"],
            row["meals"][0] if row["meals"] else "", " | ".join(row["meals"]), ", ".join(row["diet"]),
            row["notes"], row["chair"], "yes" if row["wheelchair"] else "", ", ".join(row["tags"]), row["email"],
            row["phone"], "yes" if row["placeholder"] else "", row["arrived_at"] or "",
        ]
        for row in guests
    ]  # fmt: skip


def meal_rows(chart: Paper) -> list[Sequence[str | int]]:
    """Return a row for each meal at each table, followed by the totals.

    The totals of each course add up to the number of attending guests.
    """
    counted = meal_counts.count_meals(chart)
    names = {table.id: table.name for table in chart.tables}
    rows: list[Sequence[str | int]] = []
    for course in counted.courses:
        for id, name in names.items():
            here: Mapping[str, int] = course.by_table.get(id, {})
            rows += [[course.name, name, meal, here[meal]] for meal in course.meals if meal in here]
        rows += [[course.name, ALL_GUESTS_LABEL, meal, course.totals[meal]] for meal in course.meals]
        rows.append([course.name, ALL_GUESTS_LABEL, "No meal yet", len(course.without_choice)])
        rows.append([course.name, ALL_GUESTS_LABEL, "All guests", course.total])
    rows += [["Diets", "", diet, count] for diet, count in sorted(counted.diets.items())]
    needs = [
        (need, ", ".join(filter(None, (*meal_counts.list_diets(need), need.chair, need.notes))))
        for need in counted.needs
    ]
    rows += [["Needs", names.get(guest.table, ""), f"{guest.name}: {text}", 1] for guest, text in needs]
    return rows
