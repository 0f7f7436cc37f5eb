"""Export and import of charts. Running searches are not exported."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable, exclude_tables
from workspace.products.seat.api.arguments import ChartFields, GuestFields, SavedPreference, TableFields
from workspace.products.seat.models import Chart, CheckIn, Guest, SeatingPreference, Step, Table

IdList = column_types.list_of(column_types.Identifier, 20_000)
Move = column_types.list_of(column_types.any_of(column_types.Identifier, column_types.one_of("")), 3, 3)


def _check_guest_count(preference: SeatingPreference) -> None:
    count = 1 if preference.kind in ("near", "away") else 2
    if len(preference.between) != count:
        raise ValueError(f"between: {preference.kind} needs {count} guests or parties")


exclude_tables("searches for a seating plan are temporary", "seat.solverrun")
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Chart,
        column_types=column_types.from_arguments(
            ChartFields, "venue", "width", "depth", "background_width", "units", "courses", "name_order"
        ),
    ),
    TakeoutTable(
        model=Table,
        column_types={
            **column_types.from_arguments(
                TableFields, "kind", "shape", "capacity", "x", "y", "width", "depth", "rotation"
            ),
            "note": column_types.OneLine,
        },
    ),
    TakeoutTable(
        model=Guest,
        column_types={
            **column_types.from_arguments(
                GuestFields, "sort_name", "party", "meals", "diet", "reply", "chair", "tags", "notes"
            ),
            "seat": column_types.integer_up_to(200, 1),
            "sort_key": column_types.AnyText,
        },
    ),
    TakeoutTable(
        model=Step,
        column_types={
            "act": column_types.Token,
            "change": column_types.any_of(column_types.Identifier, column_types.one_of("")),
            "moves": column_types.list_of(Move, 20_000),
            **dict.fromkeys(("guests", "tables", "deleted_ids"), IdList),
        },
    ),
    TakeoutTable(
        model=SeatingPreference,
        column_types=column_types.from_arguments(SavedPreference, "kind", "between", "weight"),
        check_row=_check_guest_count,
    ),
    TakeoutTable(model=CheckIn, column_types={"key": column_types.AnyText, "device": column_types.AnyText}),
)
