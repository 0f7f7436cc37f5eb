"""Moving guests, which only this module does. No table gets more guests than seats unless the owner allows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.messages import Message
from workspace.products.seat import messages
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.storage import journal

MoveRequests = Sequence[tuple[Guest, Table | None]]


@dataclass(frozen=True, slots=True)
class MoveProblem:
    """The reason why a guest cannot be moved. `needs_seat` means that the table has too few seats."""

    guest: Guest
    text: Message
    needs_seat: bool = False


class MoveRejectedError(OperationNotAllowedError):
    """The moves are not allowed. `reason` is the first reason, without the advice for API callers."""

    def __init__(self, reason: Message, text: Message) -> None:
        """Create the error with its first reason and its complete text."""
        super().__init__(text)
        self.reason = reason

    @property
    def short_message(self) -> str:
        """The reason."""
        return str(self.reason)


def count_guests_by_table(chart: Chart) -> Counter[str]:
    """Return the number of guests at each table that has guests. Call it inside the write that uses it."""
    return Counter(dict(chart.guests.exclude(table=None).order_by().values_list("table").annotate(n=Count("pk"))))


def find_rejected_moves(
    chart: Chart, requested: MoveRequests, *, allow_over_capacity: bool = False
) -> list[MoveProblem]:
    """Return the moves that are not allowed, with the reasons. All moves happen simultaneously.

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
        move_problems.append(MoveProblem(guest, describe_full_table(table, before[table.pk]), needs_seat=True))


def describe_full_table(table: Table, guest_count: int) -> Message:
    if guest_count >= table.capacity:
        return messages.TABLE_FULL(table=table.label, seats=table.capacity)
    return messages.TABLE_TOO_SMALL(table=table.label, free=table.capacity - guest_count)


def _find_problem(guest: Guest, table: Table | None) -> Message | None:
    if table is None or guest.table_id == table.pk:
        return None
    if not table.is_table:
        return messages.NOT_A_TABLE(name=table.name or table.kind.replace("_", " "))
    if guest.reply == Reply.NO:
        return messages.GUEST_DECLINED(name=guest.name)
    if table.is_closed:
        return messages.TABLE_CLOSED(table=table.label)
    return None


def apply_moves(requested: MoveRequests) -> list[list[str]]:
    """Apply the moves without checks. Return those that had an effect, in the format of a step.

    Guests who move lose their seat number.
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
    """Apply either all of these moves or none.

    Raise MoveRejectedError, which names the first move that is not allowed.
    """
    bad = find_rejected_moves(chart, requested, allow_over_capacity=allow_over_capacity)
    if bad:
        raise build_move_error(bad)
    return apply_moves(requested)


def build_move_error(rejected: Sequence[MoveProblem]) -> MoveRejectedError:
    first = rejected[0]
    text = messages.ADVICE_FOR_FULL_TABLE(problem=first.text) if first.needs_seat else first.text
    if len(rejected) > 1:
        text = messages.MORE_MOVE_PROBLEMS(problem=text, count=len(rejected) - 1)
    return MoveRejectedError(first.text, text)


def tables_by_id(chart: Chart) -> Mapping[str, Table]:
    return {table.pk: table for table in chart.tables.all()}
