"""Tools that save tables and guests as lists."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.seat import messages
from workspace.products.seat.api.arguments import EventId, Guests, OverCapacity, Tables, Version
from workspace.products.seat.api.response_types import GuestData, ObjectData, TableData
from workspace.products.seat.api.serializers import guest_data, object_data, serialize_tables
from workspace.products.seat.api.text import format_guest, format_object, format_table, list_under
from workspace.products.seat.api.tools import box, format_added
from workspace.products.seat.domain import change_steps, guest_import, guests, spacing_warnings
from workspace.products.seat.domain import tables as seat_tables
from workspace.products.seat.domain.move_warnings import find_split_warnings
from workspace.products.seat.domain.queries import get_chart, tables_for
from workspace.products.seat.models import Guest
from workspace.products.seat.rules.limits import MAX_ITEMS
from workspace.publishing.list_columns import SkippedCell, list_skipped_cells
from workspace.storage import journal
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.argument_types import Id

RemovedIds = Annotated[list[Id], Field(max_length=MAX_ITEMS, description="IDs to delete. svc_undo restores them.")]


Csv = Annotated[
    str,
    StringConstraints(max_length=1_000_000),
    Field(description="Guest list as CSV with a header line. Columns: name, party, table, meal and more."),
]


Columns = Annotated[
    dict[Annotated[str, StringConstraints(max_length=200)], guest_import.ColumnField],
    Field(
        max_length=100,
        description=(
            'Mapping of csv columns to fields, such as {"Lado": "tags"}. Keys are headings, or numbers from 1. "-" '
            "skips a column."
        ),
    ),
]


class SavedTables(TypedDict):
    added: int
    changed: int
    removed: int
    unseated: Annotated[int, Field(description="Number of guests whose table was removed.")]
    items: list[TableData]
    objects: list[ObjectData]
    warnings: list[str]
    version: int


@box.tool(
    "svc_seat_save_tables",
    title="Create, update and move tables",
    about="Create, update, move and remove tables and other objects of a chart. Entries without id are created "
    '({"count": 10} creates ten identical tables); entries with id are updated. The guests of a removed table '
    "lose their seats. Returns a warning if tables are too close together.",
    short="Create, update, move or remove tables and objects.",
    synonyms="add table, more tables, round table, dance floor, stage, bar, capacity, bigger table, tische "
    "hinzufügen, runder tisch, tanzfläche, bühne, añadir mesas, mesa redonda, pista de baile, escenario",
    idempotent=True,
)
def save_tables(
    caller: Caller,
    event_id: EventId,
    items: Tables | None = None,
    remove: RemovedIds | None = None,
    version: Version | None = None,
) -> Answer[SavedTables]:
    if items is None and remove is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    chart = get_chart(caller.account, event_id)
    change_steps.check_version(
        chart, version, tables=[*(item["id"] for item in items or [] if "id" in item), *(remove or [])]
    )
    done = seat_tables.save_tables(chart, items or [], remove or [])
    if journal.has_changed():
        change_steps.record_step(
            chart,
            caller.actor_key,
            "tables",
            moves=done.unseating_moves,
            tables=[table.pk for table in (*done.created, *done.changed)],
            removed=[table.pk for table in done.deleted],
        )
    named = {table.pk for table in done.affected}
    standing = tables_for(chart)
    data: SavedTables = {
        "added": len(done.created),
        "changed": len(done.changed),
        "removed": len(done.deleted),
        "unseated": len(done.unseating_moves),
        "items": serialize_tables(
            [table for table in standing if table.pk in named], chart.guests.filter(table__in=named)
        ),
        "objects": [object_data(table) for table in done.affected if not table.is_table],
        "warnings": spacing_warnings.find_warnings(chart, standing),
        "version": chart.version,
    }
    removed = [f"{escape_markdown(table.name or table.kind)} `{table.pk}`" for table in done.deleted]

    def format_changes() -> str:
        counts = {"added": data["added"], "changed": data["changed"], "removed": data["removed"]}
        text = ", ".join(f"{count} {action}" for action, count in counts.items() if count)
        head = f"Tables and objects: {text}." if text else "Nothing changed."
        head += f" Chart version: {data['version']}."
        if data["unseated"]:
            head += f" {format_count(data['unseated'], 'guest is', 'guests are')} unseated."
        lines = [*format_bullets(data["items"], format_table), *format_bullets(data["objects"], format_object)]
        lines += list_under("Removed", removed) + list_under("Warnings", map(escape_markdown, data["warnings"]))
        return "\n".join([head, "", *lines])

    return Answer(data, format_changes)


class QuestionData(TypedDict):
    """A question about a line of the list. `accept` is the option that answers it, if there is one."""

    line: int
    text: str
    accept: str


class SavedGuests(TypedDict):
    added: int
    changed: int
    removed: int
    moved: int
    did_not_fit: Annotated[int, Field(description="Number of guests beyond the plan's limit per chart.")]
    items: list[GuestData]
    warnings: list[str]
    questions: Annotated[list[QuestionData], Field(description="Questions about the csv list that you need to answer.")]
    skipped_cells: Annotated[list[SkippedCell], Field(description="Cells of the csv list that are not saved as given.")]
    version: int


@box.tool(
    "svc_seat_save_guests",
    title="Add, update, seat and check in guests",
    about="Add, update, seat, swap, lock, check in or remove guests. Entries without id are added; entries with id "
    "are updated. Guests who RSVP no are unseated. Fails if a table is full, unless allow_over_capacity is "
    "true. csv imports a guest list; with dry_run, it returns open questions first.",
    short="Add, update, seat, swap or check in guests; import a guest list.",
    synonyms="check-in, arrived, rsvp, accepted, declined, plus one, swap seats, import guest list, csv, excel, "
    "vegetarian meal, lock seat, gäste einchecken, zusage, absage, gästeliste importieren, plätze "
    "tauschen, registrar llegada, confirmar asistencia, importar lista de invitados, intercambiar "
    "asientos, rsvp yes, rsvp no, mark arrived, coming, not coming, zusagen, kommt nicht, viene, no "
    "viene",
    idempotent=True,
)
def save_guests(
    caller: Caller,
    event_id: EventId,
    items: Guests | None = None,
    csv: Csv | None = None,
    match: Annotated[
        bool,
        Field(
            description=(
                "Whether csv updates existing guests. Guests are matched by email address, or by name and "
                "party. Defaults to true."
            )
        ),
    ] = True,
    accept: Annotated[
        list[guest_import.AcceptOption],
        Field(max_length=4, description="Answers to the questions that the import asked."),
    ]
    | None = None,
    columns: Columns | None = None,
    remove: RemovedIds | None = None,
    allow_over_capacity: OverCapacity = False,
    version: Version | None = None,
) -> Answer[SavedGuests]:
    if items is None and remove is None and csv is None:
        raise InvalidInputError.at_path("items", messages.NO_GUESTS_TO_SAVE)
    chart = get_chart(caller.account, event_id)
    touched = [*(item["id"] for item in items or [] if "id" in item), *(remove or [])]
    change_steps.check_version(chart, version, guests=touched)
    imported = guest_import.GuestImport()
    if csv is not None:
        imported = guest_import.parse_guest_list(chart, csv, match=match, accept=accept or (), columns=columns)
    tables = seat_tables.save_tables(
        chart, [{"name": name, "capacity": seats} for name, seats in imported.tables.items()], ()
    ).created
    guest_import.assign_table_ids([(table.name, table.pk) for table in tables], imported.items)
    done = guests.save_guests(
        chart, [*(items or []), *imported.items], remove or [], allow_over_capacity=allow_over_capacity
    )
    if journal.has_changed():
        change_steps.record_step(
            chart,
            caller.actor_key,
            "move" if done.moves else "guests",
            moves=done.moves,
            guests=[guest.pk for guest in (*done.created, *done.changed)],
            tables=[table.pk for table in tables],
            removed=[guest.pk for guest in done.deleted],
        )
    moved = {move[0] for move in done.moves}
    rows = [guest_data(guest) for guest in done.affected]
    data: SavedGuests = {
        "added": len(done.created),
        "changed": len({guest.pk for guest in done.changed} | moved - {guest.pk for guest in done.created}),
        "removed": len(done.deleted),
        "moved": len(done.moves),
        "did_not_fit": done.did_not_fit,
        "items": rows,
        "warnings": [
            *imported.warnings,
            *find_split_warnings(chart, [guest for guest in done.affected if guest.pk in moved]),
        ],
        "questions": [
            {"line": question.line, "text": question.text, "accept": question.accept} for question in imported.questions
        ],
        "skipped_cells": list_skipped_cells(imported.skipped),
        "version": chart.version,
    }
    return Answer(
        data, lambda: _format_saved_guests(data, done.deleted, format_added(chart, len(done.created), done.did_not_fit))
    )


def _format_saved_guests(data: SavedGuests, guests: list[Guest], added: str) -> str:
    parts = [added] if data["added"] or data["did_not_fit"] else []
    counts = {"changed": data["changed"], "moved": data["moved"], "removed": data["removed"]}
    text = ", ".join(f"{count} {action}" for action, count in counts.items() if count)
    parts.append(f"Guests: {text}." if text else "" if parts else "Nothing changed.")
    parts.append(f"Chart version: {data['version']}.")
    lines = format_bullets(data["items"], format_guest)
    lines += list_under("Removed", (f"{escape_markdown(guest.name)} `{guest.pk}`" for guest in guests))
    lines += list_under("Warnings", map(escape_markdown, data["warnings"]))
    lines += list_under("Questions", map(_format_question, data["questions"]))
    return "\n".join([" ".join(filter(None, parts)), "", *lines])


def _format_question(question: QuestionData) -> str:
    answer = f" (accept: {question['accept']})" if question["accept"] else ""
    return f"Line {question['line']}: {escape_markdown(question['text'])}{answer}"
