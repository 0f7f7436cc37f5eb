"""Descriptions of a chart's steps: `Anna Berg moved to Table 3`, `2 tables added`."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Change
from workspace.lib.messages import Message
from workspace.products.seat import messages
from workspace.products.seat.domain import change_steps
from workspace.products.seat.domain.floor_plan import format_item_label
from workspace.products.seat.models import Chart, Step

MAX_NAMES = 6
CONFIRM_ABOVE = 5  # an undo that affects more guests and tables than this needs a confirmation


def count_affected(step: Step) -> int:
    """Return how many guests and tables a step affects."""
    return len({*step.guests, *step.tables, *step.deleted_ids})


def describe_step(chart: Chart, step: Step) -> str:
    """Describe a step: `Table 3 changed`."""
    change = next(iter(change_steps.list_changes(chart, [step])), None)
    if step.act == "apply":
        return str(messages.GUESTS_AUTO_SEATED(count=len(step.moves)))
    if step.act in change_steps.MOVE_ACTS:
        return str(_describe_moves(chart, step))
    if step.act == "room":
        return str(messages.ROOM_CHANGED)
    if step.act == "rules":
        return str(messages.PREFERENCES_CHANGED)
    return ", ".join(_describe_changes(chart, step, change)) or str(messages.CHART_UPDATED)


def list_names(chart: Chart, step: Step) -> Sequence[str]:
    """Return the names of the guests and tables that a step affects, guests first."""
    guests, tables = _current_names(chart, step)
    return [*(guests[id] for id in step.guests if id in guests), *(tables[id] for id in step.tables if id in tables)]


def _current_names(chart: Chart, step: Step) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names of the step's guests and tables by id."""
    guests = dict(chart.guests.filter(pk__in=step.guests).values_list("pk", "name"))
    tables = chart.tables.filter(pk__in=step.tables)
    return guests, {table.pk: format_item_label(table.name, table.kind) for table in tables}


def _describe_moves(chart: Chart, step: Step) -> Message:
    if len(step.moves) != 1:
        return messages.GUESTS_MOVED(count=len(step.moves))
    [(id, _, after)] = step.moves
    guest = chart.guests.filter(pk=id).first()
    table = chart.tables.filter(pk=after).first() if after else None
    if table is None:
        return messages.GUEST_UNSEATED(name=guest.name) if guest else messages.UNKNOWN_GUEST_UNSEATED
    if guest is None:
        return messages.UNKNOWN_GUEST_MOVED(table=table.label)
    return messages.GUEST_MOVED(name=guest.name, table=table.label)


def _describe_changes(chart: Chart, step: Step, change: Change | None) -> list[str]:
    """Describe added, changed and removed tables and guests."""
    entries = change.journal if change is not None else []
    new = {entry["id"] for entry in entries if "new" in entry}
    removed = [entry["gone"] for entry in entries if "gone" in entry and entry["id"] in step.deleted_ids]
    moved = {move[0] for move in step.moves}
    guests, tables = _current_names(chart, step)
    changed = [id for id in step.guests if id not in new and not (step.deleted_ids and id in moved)]
    removed_tables = [format_item_label(item["name"], item["kind"]) for item in removed if "kind" in item]
    groups = [
        (messages.ITEM_ADDED, messages.GUESTS_ADDED, [name for id, name in guests.items() if id in new]),
        (messages.ITEM_ADDED, messages.TABLES_ADDED, [name for id, name in tables.items() if id in new]),
        (messages.ITEM_CHANGED, messages.GUESTS_CHANGED, [guests[id] for id in changed if id in guests]),
        (messages.ITEM_CHANGED, messages.TABLES_CHANGED, [name for id, name in tables.items() if id not in new]),
        (messages.ITEM_REMOVED, messages.GUESTS_REMOVED, [item["name"] for item in removed if "kind" not in item]),
        (messages.ITEM_REMOVED, messages.TABLES_REMOVED, removed_tables),
    ]
    return [_describe_group(one, many, names) for one, many, names in groups if names]


def _describe_group(one: Message, many: Message, names: Sequence[str]) -> str:
    return str(one(name=names[0]) if len(names) == 1 else many(count=len(names)))
