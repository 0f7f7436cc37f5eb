"""Undo and redo of a planner's own actions on a chart: moves, tables, guests, the room and preferences.

Moves are undone guest by guest, and guests whom someone else has moved since stay where they are. Everything else is
undone as a whole, through the account's changes. Moves proposed by a search are made if they still fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workspace.accounts import change_log
from workspace.accounts.models import Change
from workspace.lib.errors import ConflictError, OperationNotAllowedError
from workspace.products.seat import messages
from workspace.products.seat.domain import change_step_text, change_steps, guest_moves, solver_snapshot
from workspace.products.seat.domain.queries import preferences_for
from workspace.products.seat.models import Chart, Guest, Step, Table


@dataclass(frozen=True, slots=True)
class UndoResult:
    """The result of an undo or redo.

    `moves` are in the format of a step, `rejected` are those that were not made, and `what` describes the undone or
    redone step.
    """

    moves: list[list[str]]
    rejected: list[guest_moves.MoveProblem]
    what: str = ""


def undo_last(chart: Chart, actor: str) -> UndoResult:
    """Undo the actor's last step.

    Raise ToolError if there is no such step, and ConflictError if something has changed since.
    """
    step = change_steps.find_undo_step(chart, actor)
    if step is None:
        raise OperationNotAllowedError(messages.NOTHING_TO_UNDO)
    return _apply_step(chart, actor, step, [[id, after, before] for id, before, after in step.moves], "undo")


def redo_last(chart: Chart, actor: str) -> UndoResult:
    """Redo the step that the actor undid last. Raise ToolError if there is no such step."""
    step = change_steps.find_redo_step(chart, actor)
    if step is None:
        raise OperationNotAllowedError(messages.NOTHING_TO_REDO)
    return _apply_step(chart, actor, step, step.moves, "redo")


def _apply_step(chart: Chart, actor: str, step: Step, moves: Sequence[list[str]], action: str) -> UndoResult:
    what = change_step_text.describe_step(chart, step)
    change = next(iter(change_steps.list_changes(chart, [step])), None)
    if step.act in change_steps.MOVE_ACTS and (change is None or change.undone_by is None):
        done = replace(apply_valid_moves(chart, moves), what=what)
    else:
        _undo_change(chart, step, change, action)
        done = UndoResult([list(move) for move in moves], [], what)
    Step.objects.filter(pk=step.pk).update(is_undone=action == "undo")
    change_steps.record_step(chart, actor, action, moves=done.moves)
    return done


def _undo_change(chart: Chart, step: Step, change: Change | None, action: str) -> None:
    """Undo or redo the step's change in the account's change log."""
    if action == "redo":
        change = change.undone_by if change is not None else None
    if change is None:
        raise OperationNotAllowedError(messages.REDO_TOO_OLD)
    new = [str(entry["id"]) for entry in change.journal if "new" in entry]
    if action == "undo" and (later := change_steps.find_later_step(chart, step, new)):
        raise ConflictError(messages.USED_SINCE(change=change_step_text.describe_step(chart, later)))
    change_log.revert_change(change)
    chart.refresh_from_db(fields=["version"])


def apply_valid_moves(chart: Chart, moves: Sequence[list[str]], *, check_rules: bool = False) -> UndoResult:
    """Apply the moves of guests who are still at the table where the move starts.

    With `check_rules`, also reject moves of locked guests, and moves to a table where someone sits whom the guest must
    not sit with.
    """
    guests = {guest.pk: guest for guest in chart.guests.select_related("table")}
    tables = guest_moves.tables_by_id(chart)
    refused: list[guest_moves.MoveProblem] = []
    requested: list[tuple[Guest, Table | None]] = []
    for id, before, after in moves:
        guest = guests.get(id)
        if guest is None:
            continue  # no guest left to report
        if (guest.table_id or "") != before:
            refused.append(guest_moves.MoveProblem(guest, messages.MOVED_SINCE(name=guest.name)))
        elif after and after not in tables:
            refused.append(guest_moves.MoveProblem(guest, messages.TABLE_OF_GUEST_REMOVED(name=guest.name)))
        elif check_rules and guest.locked and guest.table_id is not None:
            text = messages.GUEST_LOCKED(name=guest.name, table=tables[before].label)
            refused.append(guest_moves.MoveProblem(guest, text))
        else:
            requested.append((guest, tables.get(after)))
    while True:
        rejected = guest_moves.find_rejected_moves(chart, requested)
        if not rejected and check_rules:
            rejected = _find_rule_conflicts(chart, requested, guests)
        if not rejected:
            return UndoResult(guest_moves.apply_moves(requested), refused)
        refused += rejected
        out = {reason.guest.pk for reason in rejected}
        requested = [(guest, table) for guest, table in requested if guest.pk not in out]


def _find_rule_conflicts(
    chart: Chart, requested: Sequence[tuple[Guest, Table | None]], guests: dict[str, Guest]
) -> list[guest_moves.MoveProblem]:
    """Return the first guest who would break a rule.

    This is a guest at a table with someone to sit apart from, or at a barred table.
    """
    after = {id: guest.table_id for id, guest in guests.items()}
    coming = {guest.pk: table for guest, table in requested if table is not None}
    after |= {guest.pk: table.pk if table is not None else None for guest, table in requested}
    for item, other in solver_snapshot.list_separated_pairs(preferences_for.fetch(chart), list(guests.values())):
        mover = other if other.pk in coming else item
        if after[item.pk] is not None and after[item.pk] == after[other.pk] and mover.pk in coming:
            stays = item if mover is other else other
            table = coming[mover.pk].label
            text = messages.MUST_SIT_APART_FROM(name=mover.name, other=stays.name, table=table)
            return [guest_moves.MoveProblem(mover, text)]
    for guest, barred in solver_snapshot.list_barred_tables(chart, list(guests.values())):
        if guest.pk in coming and coming[guest.pk].pk == barred.pk:
            text = messages.MUST_NOT_SIT_AT(name=guest.name, table=barred.label)
            return [guest_moves.MoveProblem(guest, text)]
    return []
