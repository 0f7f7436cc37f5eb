"""Steps: one for each write to a chart, with its moves and the guests and tables that it affected.

Steps are the basis of undo and redo, and they show a planner what others changed. A write based on an older version is
accepted if it affects other guests and tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from workspace.accounts.models import Change
from workspace.lib.errors import ConflictError
from workspace.products.seat import messages
from workspace.products.seat.models import Chart, CheckIn, Step
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once

MAX_STEPS = 1000  # steps stored per chart
MAX_UNDO_STEPS = 100  # steps of one person that can be undone
MOVE_ACTS = ("move", "apply")  # actions that only move guests, which are undone for each guest separately
CHECKIN_ACT = "door"
EXCLUDED_ACTS = ("undo", "redo", CHECKIN_ACT)


def record_step(
    chart: Chart,
    actor: str,
    action: str,
    *,
    moves: Sequence[list[str]] = (),
    guests: Iterable[str] = (),
    tables: Iterable[str] = (),
    removed: Iterable[str] = (),
) -> Step:
    """Record a step. Call it once per write, after all other changes."""
    chart.mark_changed()
    guests, tables, removed = list(guests), list(tables), list(removed)
    if journal.has_written_model(CheckIn):
        action = CHECKIN_ACT
    elif action in MOVE_ACTS and (guests or tables or removed):
        action = "guests"
    step = Step.objects.create(
        chart=chart,
        version=chart.version,
        actor=actor[:80],
        act=action,
        moves=list(moves),
        guests=list(dict.fromkeys([*(move[0] for move in moves), *guests])),
        tables=list(dict.fromkeys(tables)),
        deleted_ids=removed,
        change=journal.current_change_id(),
    )
    if chart.version % 100 == 0:
        chart.steps.filter(version__lte=chart.version - MAX_STEPS).delete()
    return step


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """Changes since a version.

    `needs_reload` means that not all changes are known, so everything must be read again.
    """

    guests: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    needs_reload: bool = False


def find_changes_since(chart: Chart, version: int) -> ChangesSince:
    if version >= chart.version:
        return ChangesSince(needs_reload=version > chart.version)
    steps = list(chart.steps.filter(version__gt=version).values_list("guests", "tables", "deleted_ids"))
    if len(steps) != chart.version - version:  # some versions have no step: a change of settings, or an undo
        return ChangesSince(needs_reload=True)
    guests, tables, removed = (frozenset(id for step in steps for id in step[place]) for place in range(3))
    return ChangesSince(guests - removed, tables - removed, removed)


def check_version(chart: Chart, version: int | None, guests: Iterable[str] = (), tables: Iterable[str] = ()) -> None:
    """Raise ConflictError if any of these has changed since the caller's version."""
    if version is None or version == chart.version:
        return
    changes_since = find_changes_since(chart, version)
    touched = changes_since.guests | changes_since.tables | changes_since.gone
    if changes_since.needs_reload or touched & {*guests, *tables}:
        raise ConflictError(messages.CHART_CHANGED(current=chart.version, known=version))


def find_undo_step(chart: Chart, actor: str) -> Step | None:
    """Return the actor's last step that has not been undone."""
    return find_next_steps(chart, actor)[0]


def find_redo_step(chart: Chart, actor: str) -> Step | None:
    """Return the step that the actor undid last, or None if they have done something else since."""
    return find_next_steps(chart, actor)[1]


def find_next_steps(chart: Chart, actor: str) -> tuple[Step | None, Step | None]:
    """Return the results of `find_undo_step` and `find_redo_step`."""
    redo = None
    for step, undone in _list_own_steps(chart, actor):
        if not undone:
            return step, redo
        redo = step
    return None, redo


def _list_own_steps(chart: Chart, actor: str) -> list[tuple[Step, bool]]:
    """Return the actor's steps that can be undone or redone, newest first, and whether each is currently undone.

    The account's change log can undo a step as well, so its state counts.
    """
    mine = _newest_steps.fetch(chart, actor)
    changes = {change.pk: change for change in list_changes(chart, mine)}
    results = []
    for step in mine:
        change = changes.get(step.change)
        if change is not None and change.undone_by_id is not None:
            results.append((step, True))
        elif step.act in MOVE_ACTS:
            results.append((step, step.is_undone))
        elif change is not None and change.journal and not change.final_note:
            results.append((step, False))
    return results


def list_changes(chart: Chart, steps: Iterable[Step]) -> Sequence[Change]:
    """Return the account's recorded changes to which these steps belong."""
    ids = sorted({step.change for step in steps if step.change})
    return _changes_by_ids.fetch(chart.account_id, ids) if ids else []


@compile_once
def _newest_steps(chart: Chart, actor: str) -> QuerySet[Step]:
    return chart.steps.filter(actor=actor).exclude(act__in=EXCLUDED_ACTS).order_by("-id")[:MAX_UNDO_STEPS]


@compile_once
def _changes_by_ids(account_id: str, ids: list[str]) -> QuerySet[Change]:
    return Change.objects.filter(account=account_id, pk__in=ids)


def find_later_step(chart: Chart, step: Step, ids: Iterable[str]) -> Step | None:
    """Return a later step that affects one of these guests or tables and has not been undone, or None."""
    requested = set(ids)
    later = list(chart.steps.filter(pk__gt=step.pk, is_undone=False).exclude(act__in=("undo", "redo")))
    undone = {change.pk for change in list_changes(chart, later) if change.undone_by_id is not None}
    for item in later:
        moved = {id for move in item.moves for id in move}
        if item.change not in undone and requested & {*item.guests, *item.tables, *item.deleted_ids, *moved}:
            return item
    return None
