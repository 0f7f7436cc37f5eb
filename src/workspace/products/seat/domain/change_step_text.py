"""Steps of a chart in words: `moving Anna Berg to table 3`, `adding tables 4 and 5`."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Change
from workspace.lib.text import format_count
from workspace.products.seat.domain import change_steps
from workspace.products.seat.models import Chart, Step

MAX_NAMES = 6
CONFIRM_ABOVE = 5  # guests and tables that are undone without a confirmation


def count_affected(step: Step) -> int:
    """Return how many guests and tables a step touches."""
    return len({*step.guests, *step.tables, *step.deleted_ids})


def describe_step(chart: Chart, step: Step) -> str:
    """Return what a step did, as it follows "Undo": `changing table 3`."""
    change = next(iter(change_steps.list_changes(chart, [step])), None)
    if step.act == "apply":
        return f"auto-seating {format_count(len(step.moves), 'guest')}"
    if step.act in change_steps.MOVE_ACTS:
        return _describe_moves(chart, step)
    if step.act == "room":
        return "changing the room"
    if step.act == "rules":
        return "changing the seating rules"
    return " and ".join(_describe_changes(chart, step, change)) or "a change"


def list_names(chart: Chart, step: Step) -> Sequence[str]:
    """Return the names of the guests and tables that a step touches, guests first."""
    guests = dict(chart.guests.filter(pk__in=step.guests).values_list("pk", "name"))
    tables = {table.pk: _table_label(table.name, table.kind) for table in chart.tables.filter(pk__in=step.tables)}
    return [*(guests[id] for id in step.guests if id in guests), *(tables[id] for id in step.tables if id in tables)]


def _describe_moves(chart: Chart, step: Step) -> str:
    if len(step.moves) != 1:
        return f"moving {format_count(len(step.moves), 'guest')}"
    [(id, _, after)] = step.moves
    guest = chart.guests.filter(pk=id).first()
    table = chart.tables.filter(pk=after).first() if after else None
    who = guest.name if guest else "a guest"
    return f"moving {who} to {_table_label(table.name, table.kind)}" if table else f"unseating {who}"


def _describe_changes(chart: Chart, step: Step, change: Change | None) -> list[str]:
    """Return what was added, changed and removed."""
    entries = change.journal if change is not None else []
    new = {entry["id"] for entry in entries if "new" in entry}
    removed = [entry["gone"] for entry in entries if "gone" in entry and entry["id"] in step.deleted_ids]
    moved = {move[0] for move in step.moves}
    guests = dict(chart.guests.filter(pk__in=step.guests).values_list("pk", "name"))
    tables = {table.pk: _table_label(table.name, table.kind) for table in chart.tables.filter(pk__in=step.tables)}
    changed = [id for id in step.guests if id not in new and not (step.deleted_ids and id in moved)]
    results = [
        _format_names("adding", [name for id, name in guests.items() if id in new], "guest"),
        _format_names("adding", [name for id, name in tables.items() if id in new], "table"),
        _format_names("changing", [guests[id] for id in changed if id in guests], "guest"),
        _format_names("changing", [name for id, name in tables.items() if id not in new], "table"),
        _format_names("removing", [item["name"] for item in removed if "kind" not in item], "guest"),
        _format_names(
            "removing", [_table_label(item["name"], item["kind"]) for item in removed if "kind" in item], "table"
        ),
    ]
    return [part for part in results if part]


def _format_names(verb: str, names: Sequence[str], noun: str) -> str:
    if not names:
        return ""
    return f"{verb} {names[0]}" if len(names) == 1 else f"{verb} {format_count(len(names), noun)}"


def _table_label(name: str, kind: str) -> str:
    if kind != "table":
        return name or f"the {kind.replace('_', ' ')}"
    return f"table {name}" if name.isdigit() else name
