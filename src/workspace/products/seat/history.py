"""Taking moves back and doing them again, guest by guest: who was moved by somebody else since stays where they are. So
it is with the moves that a search proposes: they are made as far as they still fit, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workspace.products.seat import placing, state, steps
from workspace.products.seat.models import Chart, Guest, Step, Table
from workspace.toolkit.errors import ToolError


@dataclass(frozen=True, slots=True)
class Done:
    """`moves` as steps hold them, `refused` those that were not made."""

    moves: list[list[str]]
    refused: list[placing.Why]


def undo(chart: Chart, actor: str) -> Done:
    """Take back the last moves of theirs that stand. Raises ToolError where there are none."""
    step = steps.to_undo(chart, actor)
    if step is None:
        raise ToolError("There is nothing of yours to take back: only your own moves of guests are")
    return _turn(chart, actor, step, [[id, after, before] for id, before, after in step.moves], "undo")


def redo(chart: Chart, actor: str) -> Done:
    """Do again what they took back last. Raises ToolError where there is nothing."""
    step = steps.to_redo(chart, actor)
    if step is None:
        raise ToolError("There is nothing to do again: you have taken nothing back since your last move")
    return _turn(chart, actor, step, step.moves, "redo")


def _turn(chart: Chart, actor: str, step: Step, moves: Sequence[list[str]], act: str) -> Done:
    done = make(chart, moves)
    Step.objects.filter(pk=step.pk).update(undone=act == "undo")
    steps.record(chart, actor, act, moves=done.moves)
    return done


def make(chart: Chart, moves: Sequence[list[str]], *, careful: bool = False) -> Done:
    """Make those of the moves that still begin where they did. `careful`: also none of somebody who is locked, or to a
    table with somebody whom they must not sit with, as a search would not."""
    guests = {guest.pk: guest for guest in chart.guests.select_related("table")}
    tables = placing.by_id(chart)
    refused: list[placing.Why] = []
    wanted: list[tuple[Guest, Table | None]] = []
    for id, before, after in moves:
        guest = guests.get(id)
        if guest is None:
            continue  # nobody is there to be told of
        if (guest.table_id or "") != before:
            refused.append(placing.Why(guest, f"{guest.name} was moved by somebody since"))
        elif after and after not in tables:
            refused.append(placing.Why(guest, f"The table of {guest.name} is gone"))
        elif careful and guest.locked and guest.table_id is not None:
            refused.append(placing.Why(guest, f"{guest.name} is locked at table {tables[before].name}"))
        else:
            wanted.append((guest, tables.get(after)))
    while True:
        bad = placing.refused(chart, wanted)
        if not bad and careful:
            bad = _too_near(chart, wanted, guests)
        if not bad:
            return Done(placing.move(wanted), refused)
        refused += bad
        out = {why.guest.pk for why in bad}
        wanted = [(guest, table) for guest, table in wanted if guest.pk not in out]


def _too_near(
    chart: Chart, wanted: Sequence[tuple[Guest, Table | None]], guests: dict[str, Guest]
) -> list[placing.Why]:
    """Of these, who would come to sit with somebody whom they must be apart from, or where they must not."""
    after = {id: guest.table_id for id, guest in guests.items()}
    coming = {guest.pk: table for guest, table in wanted if table is not None}
    after |= {guest.pk: table.pk if table is not None else None for guest, table in wanted}
    for one, other in state.kept_apart(chart, list(guests.values())):
        mover = other if other.pk in coming else one
        if after[one.pk] is not None and after[one.pk] == after[other.pk] and mover.pk in coming:
            stays = one if mover is other else other
            text = f"{mover.name} must be apart from {stays.name}, who sits at table {coming[mover.pk].name}"
            return [placing.Why(mover, text)]
    for guest, table in state.barred(chart, list(guests.values())):
        if guest.pk in coming and coming[guest.pk].pk == table.pk:
            return [placing.Why(guest, f"{guest.name} must not sit at table {table.name}")]
    return []
