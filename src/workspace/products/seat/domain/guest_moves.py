"""The only code that moves guests. No table gets more guests than seats unless the owner allows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from workspace.lib.errors import OperationNotAllowedError, ToolError
from workspace.lib.text import format_count
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.storage import journal

MoveRequests = Sequence[tuple[Guest, Table | None]]


@dataclass(frozen=True, slots=True)
class MoveProblem:
    """The reason why a guest cannot be moved."""

    guest: Guest
    text: str


def count_guests_by_table(chart: Chart) -> Counter[str]:
    """Return the number of guests by table id, for tables with guests. Call it inside the write that uses it."""
    return Counter(dict(chart.guests.exclude(table=None).order_by().values_list("table").annotate(n=Count("pk"))))


def find_rejected_moves(
    chart: Chart, requested: MoveRequests, *, allow_over_capacity: bool = False
) -> list[MoveProblem]:
    """Return those of the simultaneous moves that are not allowed, each with its reason.

    If a table has too few seats, the last guests in the list are rejected.
    """
    move_problems = [
        MoveProblem(guest, reason) for guest, table in requested if (reason := _find_problem(guest, table))
    ]
    if allow_over_capacity:
        return move_problems
    out = {reason.guest.pk for reason in move_problems}
    before = count_guests_by_table(chart)
    while True:
        after = before.copy()
        for guest, table in requested:
            if guest.pk in out:
                continue
            if guest.table_id is not None:
                after[guest.table_id] -= 1
            if table is not None:
                after[table.pk] += 1
        full = next(
            (
                (guest, table)
                for guest, table in reversed(requested)
                if table is not None
                and guest.pk not in out
                and guest.table_id != table.pk
                and after[table.pk] > max(table.capacity, before[table.pk])
            ),
            None,
        )
        if full is None:
            return move_problems
        guest, table = full
        out.add(guest.pk)
        move_problems.append(MoveProblem(guest, describe_full_table(table, before[table.pk])))


def describe_full_table(table: Table, guest_count: int) -> str:
    seats = format_count(table.capacity, "seat")
    if guest_count >= table.capacity:
        return f"Table {table.name} is full: {guest_count} sit at its {seats}"
    free = table.capacity - guest_count
    return f"Table {table.name} has {format_count(free, 'free seat')} of {table.capacity}, too few for all of these"


def _find_problem(guest: Guest, table: Table | None) -> str:
    if table is None or guest.table_id == table.pk:
        return ""
    if not table.is_table:
        return f"{table.name or table.kind} is no table: nobody sits there"
    if guest.reply == Reply.NO:
        return f"{guest.name} has said no: change the reply first"
    if table.is_closed:
        return f"Table {table.name} is closed: open it first"
    return ""


def apply_moves(requested: MoveRequests) -> list[list[str]]:
    """Apply the moves without checks, and return those that changed anything, as a step stores them.

    A guest who moves loses their seat number.
    """
    moves = [
        [guest.pk, guest.table_id or "", table.pk if table else ""]
        for guest, table in requested
        if guest.table_id != (table.pk if table else None)
    ]
    journal.update_rows(
        (guest, {"table": table, **({"seat": None} if guest.seat is not None else {})})
        for guest, table in requested
        if guest.table_id != (table.pk if table else None)
    )
    return moves


def move_guests(chart: Chart, requested: MoveRequests, *, allow_over_capacity: bool = False) -> list[list[str]]:
    """Apply all of these moves or none.

    Raise OperationNotAllowedError, which names the first move that is not allowed.
    """
    bad = find_rejected_moves(chart, requested, allow_over_capacity=allow_over_capacity)
    if bad:
        raise build_move_error(bad)
    return apply_moves(requested)


def build_move_error(rejected: Sequence[MoveProblem]) -> ToolError:
    first = rejected[0].text
    hint = (
        ""
        if "full" not in first and "too few" not in first
        else (". Choose another table, or send allow_over_capacity for one more chair")
    )
    more = f" (and {len(rejected) - 1} more)" if len(rejected) > 1 else ""
    return OperationNotAllowedError(f"{first}{hint}{more}")


def tables_by_id(chart: Chart) -> Mapping[str, Table]:
    return {table.pk: table for table in chart.tables.all()}
