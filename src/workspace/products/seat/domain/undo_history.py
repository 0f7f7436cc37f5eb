"""Undo and redo what a planner did on a chart, in the order in which they did it: moves, tables, guests, the room and
rules. Moves are undone guest by guest: guests whom someone else moved since stay where they are. Everything else is
undone as a whole, through the account's changes. Moves that a search proposes are made as far as they still fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workspace.accounts import change_log
from workspace.accounts.models import Change
from workspace.lib.errors import Conflict, ToolError
from workspace.products.seat.domain import change_steps, placement, solver_snapshot, step_text
from workspace.products.seat.models import Chart, Guest, Step, Table


@dataclass(frozen=True, slots=True)
class Done:
    """`moves` as steps hold them, `refused` those that were not made, `what` was undone or redone."""

    moves: list[list[str]]
    refused: list[placement.Why]
    what: str = ""


def undo(chart: Chart, actor: str) -> Done:
    """Undo the actor's last step. Raise ToolError if there is none, Conflict if something has changed since."""
    step = change_steps.to_undo(chart, actor)
    if step is None:
        raise ToolError("There is nothing to undo: you can undo only what you did yourself on this chart")
    return _turn(chart, actor, step, [[id, after, before] for id, before, after in step.moves], "undo")


def redo(chart: Chart, actor: str) -> Done:
    """Redo the step that the actor undid last. Raise ToolError if there is none."""
    step = change_steps.to_redo(chart, actor)
    if step is None:
        raise ToolError("There is nothing to do again: you have undone nothing since your last action")
    return _turn(chart, actor, step, step.moves, "redo")


def _turn(chart: Chart, actor: str, step: Step, moves: Sequence[list[str]], act: str) -> Done:
    what = step_text.action(chart, step)
    change = next(iter(change_steps.changes_of(chart, [step])), None)
    if step.act in change_steps.MOVES and (change is None or change.undone_by is None):
        done = replace(make(chart, moves), what=what)
    else:
        _take_back(chart, step, change, act)
        done = Done([list(move) for move in moves], [], what)
    Step.objects.filter(pk=step.pk).update(undone=act == "undo")
    change_steps.record(chart, actor, act, moves=done.moves)
    return done


def _take_back(chart: Chart, step: Step, change: Change | None, act: str) -> None:
    """Undo the step's change, or undo its undoing."""
    if act == "redo":
        change = change.undone_by if change is not None else None
    if change is None:
        raise ToolError("This can't be done again: it is too long ago")
    new = [str(entry["id"]) for entry in change.entries if "new" in entry]
    if act == "undo" and (later := change_steps.touching(chart, step, new)):
        raise Conflict(
            f"This can't be undone, because it was used since by {step_text.action(chart, later)}. Undo that first"
        )
    change_log.take_back(change)
    chart.refresh_from_db(fields=["version"])


def make(chart: Chart, moves: Sequence[list[str]], *, careful: bool = False) -> Done:
    """Make those of the moves that still begin where they did. `careful`: also none of somebody who is locked, or to a
    table with somebody whom they must not sit with, as a search would not."""
    guests = {guest.pk: guest for guest in chart.guests.select_related("table")}
    tables = placement.by_id(chart)
    refused: list[placement.Why] = []
    wanted: list[tuple[Guest, Table | None]] = []
    for id, before, after in moves:
        guest = guests.get(id)
        if guest is None:
            continue  # nobody is there to be told of
        if (guest.table_id or "") != before:
            refused.append(placement.Why(guest, f"{guest.name} was moved by somebody since"))
        elif after and after not in tables:
            refused.append(placement.Why(guest, f"The table of {guest.name} is gone"))
        elif careful and guest.locked and guest.table_id is not None:
            refused.append(placement.Why(guest, f"{guest.name} is locked at table {tables[before].name}"))
        else:
            wanted.append((guest, tables.get(after)))
    while True:
        bad = placement.refused(chart, wanted)
        if not bad and careful:
            bad = _too_near(chart, wanted, guests)
        if not bad:
            return Done(placement.move(wanted), refused)
        refused += bad
        out = {why.guest.pk for why in bad}
        wanted = [(guest, table) for guest, table in wanted if guest.pk not in out]


def _too_near(
    chart: Chart, wanted: Sequence[tuple[Guest, Table | None]], guests: dict[str, Guest]
) -> list[placement.Why]:
    """Of these, who would come to sit with somebody whom they must be apart from, or where they must not."""
    after = {id: guest.table_id for id, guest in guests.items()}
    coming = {guest.pk: table for guest, table in wanted if table is not None}
    after |= {guest.pk: table.pk if table is not None else None for guest, table in wanted}
    for one, other in solver_snapshot.kept_apart(chart, list(guests.values())):
        mover = other if other.pk in coming else one
        if after[one.pk] is not None and after[one.pk] == after[other.pk] and mover.pk in coming:
            stays = one if mover is other else other
            text = f"{mover.name} must be apart from {stays.name}, who sits at table {coming[mover.pk].name}"
            return [placement.Why(mover, text)]
    for guest, table in solver_snapshot.barred(chart, list(guests.values())):
        if guest.pk in coming and coming[guest.pk].pk == table.pk:
            return [placement.Why(guest, f"{guest.name} must not sit at table {table.name}")]
    return []
