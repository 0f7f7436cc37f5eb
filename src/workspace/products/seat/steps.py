"""Each write to a chart leaves a step: which moves it made, and whom it touched. By them moves are taken back and done
again, a planner is told what another has done, and a write that began from an older chart is let through where it
touches others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workspace.products.seat.models import Chart, Step
from workspace.toolkit.errors import Conflict

KEPT = 1000  # steps of a chart
DEPTH = 100  # of one person's, that can be taken back
MOVES = ("move", "apply")  # acts that undo takes back


def record(
    chart: Chart,
    actor: str,
    act: str,
    *,
    moves: Sequence[list[str]] = (),
    guests: Iterable[str] = (),
    tables: Iterable[str] = (),
    gone: Iterable[str] = (),
) -> Step:
    """Called once a write, after all else."""
    chart.touched()
    made = Step.objects.create(
        chart=chart,
        version=chart.version,
        actor=actor[:80],
        act=act,
        moves=list(moves),
        guests=list(dict.fromkeys([*(move[0] for move in moves), *guests])),
        tables=list(dict.fromkeys(tables)),
        gone=list(gone),
    )
    if chart.version % 100 == 0:
        chart.steps.filter(version__lte=chart.version - KEPT).delete()
    return made


@dataclass(frozen=True, slots=True)
class Since:
    """What was touched after a version; `whole`: more than is known, so that all is to be read anew."""

    guests: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    whole: bool = False


def since(chart: Chart, version: int) -> Since:
    if version >= chart.version:
        return Since(whole=version > chart.version)
    steps = list(chart.steps.filter(version__gt=version).values_list("guests", "tables", "gone"))
    if len(steps) != chart.version - version:  # some were no steps: settings, or what undo took back
        return Since(whole=True)
    guests, tables, gone = (frozenset(id for step in steps for id in step[place]) for place in range(3))
    return Since(guests - gone, tables - gone, gone)


def check_version(chart: Chart, version: int | None, guests: Iterable[str] = (), tables: Iterable[str] = ()) -> None:
    """Raises Conflict where one of these was touched since the version that the caller knows."""
    if version is None or version == chart.version:
        return
    found = since(chart, version)
    touched = found.guests | found.tables | found.gone
    if found.whole or touched & {*guests, *tables}:
        raise Conflict(
            f"Somebody else has changed this meanwhile: the chart is at version {chart.version} by now, you know "
            f"{version}. Look at it anew (svc_seat_tables), then do it again"
        )


def to_undo(chart: Chart, actor: str) -> Step | None:
    """The last step of moves of theirs that stands."""
    mine = chart.steps.filter(actor=actor, act__in=MOVES).order_by("-id")[:DEPTH]
    return next((step for step in mine if not step.undone), None)


def to_redo(chart: Chart, actor: str) -> Step | None:
    """The first that they took back, after the last that stands."""
    found = None
    for step in chart.steps.filter(actor=actor, act__in=MOVES).order_by("-id")[:DEPTH]:
        if not step.undone:
            break
        found = step
    return found
