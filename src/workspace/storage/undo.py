"""Undoing the changes in a journal, with the helpers that wrote them.

`journal.Journaled` declares what a model can override for this.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.db.models import ForeignKey

from workspace.storage.journal import (
    Journaled,
    JournalEntry,
    attribute_name,
    get_journaled_model,
    json_value,
    parse_value,
    record_field_changes,
    record_new_rows,
    set_undone_change,
)

RowKey = tuple[str, Any]  # a row, as its model's label and its id
GroupedValues = dict[tuple[type[Journaled], str], list[tuple[Journaled, Any]]]  # rows with a field's previous value


class UndoConflictError(Exception):
    """The current state differs from what an `entry` recorded."""

    def __init__(self, entry: JournalEntry) -> None:
        super().__init__(entry["id"])
        self.entry = entry


def undo_change(change_id: str, entries: list[JournalEntry]) -> None:
    """Undo the entries of a change, newest first.

    Raise UndoConflictError if a value has changed since, or a row no longer exists. The caller must then roll back its
    transaction. The number of queries depends on the models and sets of fields, not on the number of entries.
    """
    set_undone_change(change_id)
    rows = _load_rows(entries)
    _lock_rows(rows.values())
    items = _find_items(rows.values())
    made = {_row_key(entry) for entry in entries if "new" in entry}
    touched: dict[RowKey, Journaled] = {}
    plain: dict[RowKey, dict[str, tuple[Any, Any]]] = {}
    returned: list[Journaled] = []
    together: GroupedValues = {}
    for (label, what), group in groupby(reversed(entries), key=lambda entry: (entry["model"], _entry_kind(entry))):
        if what == "gone":
            back = _restore_deleted(label, list(group), rows)
            rows |= back
            touched |= back
            returned += back.values()
        elif what == "new":
            get_journaled_model(label).undo_creation_many([_get_row(rows, entry) for entry in group])
        else:
            for entry in group:
                key, row = _row_key(entry), _get_row(rows, entry)
                if key in made:  # the row is removed entirely
                    continue
                touched[key] = row
                if entry["set"].get("binned_at", [1])[0] is None:
                    returned.append(row)
                put = plain.setdefault(key, {})
                for name, (after, before) in _restore_fields(row, entry, together).items():
                    # if a field changed twice, restore from its last value to its first
                    put[name] = (put[name][0] if name in put else after, before)
    _save_rows([(rows[key], put) for key, put in plain.items() if put])
    for (model, name), pairs in together.items():
        model.journal_bulk_restorers[name](pairs)
    _check_items(items, _find_items(returned), touched)
    _mark_changed(touched.values())


def _check_items(items: set[RowKey], with_restored_parts: set[RowKey], touched: dict[RowKey, Journaled]) -> None:
    """Mark the items of changed parts as changed, and check items whose parts were restored."""
    for label, id in (items | _find_items(touched.values())) - set(touched):
        found = get_journaled_model(label)._base_manager.filter(pk=id)
        for item in found:  # none if the item was removed with its parts
            touched[label, id] = item
            if (label, id) in with_restored_parts:
                item.check_part_limits()


def _lock_rows(rows: Iterable[Journaled]) -> None:
    for model, found in _group_by_model(rows).items():
        model.lock_many(found)


def _mark_changed(rows: Iterable[Journaled]) -> None:
    for model, found in _group_by_model(rows).items():
        model.mark_many_changed(found)


def _group_by_model(rows: Iterable[Journaled]) -> dict[type[Journaled], list[Journaled]]:
    models: dict[type[Journaled], list[Journaled]] = {}
    for row in rows:
        models.setdefault(type(row), []).append(row)
    return models


def _row_key(entry: JournalEntry) -> RowKey:
    return entry["model"], entry["id"]


def _entry_kind(entry: JournalEntry) -> str:
    return next((what for what in ("gone", "new") if what in entry), "set")


def _get_row(rows: dict[RowKey, Journaled], entry: JournalEntry) -> Journaled:
    row = rows.get(_row_key(entry))
    if row is None:
        raise UndoConflictError(entry)
    return row


def _find_items(rows: Iterable[Journaled]) -> set[RowKey]:
    """Return the items that parts belong to, with one query per model."""
    found: set[RowKey] = set()
    for model, parts in _group_by_model(row for row in rows if row.journal_item_path).items():
        item: Any = model
        for step in model.journal_item_path.split("__"):
            item = item._meta.get_field(step).related_model
        of_parts = model._base_manager.filter(pk__in=[row.pk for row in parts]).order_by()
        ids = of_parts.values_list(model.journal_item_path, flat=True).distinct()
        found |= {(item._meta.label_lower, id) for id in ids}
    return found


def _load_rows(entries: list[JournalEntry]) -> dict[RowKey, Journaled]:
    """Return the rows of the entries, including rows in the bin."""
    ids: dict[str, set[Any]] = {}
    for entry in entries:
        ids.setdefault(entry["model"], set()).add(entry["id"])
    found: dict[RowKey, Journaled] = {}
    for label, wanted in ids.items():
        model = get_journaled_model(label)
        rows = model._base_manager.filter(pk__in=wanted)
        if model.journal_item_path:
            rows = rows.select_related(model.journal_item_path)  # the format of a value may depend on the item
        found |= {(label, row.pk): row for row in rows}
    return found


def _restore_fields(row: Journaled, entry: JournalEntry, together: GroupedValues) -> dict[str, tuple[Any, Any]]:
    """Restore the row's fields. Return those that still have to be saved, with their journal values.

    Fields that are restored for many rows at once are collected in `together`.
    """
    put: dict[str, tuple[Any, Any]] = {}
    for name, (before, after) in entry["set"].items():
        if json_value(row, name) != after:
            raise UndoConflictError(entry)
        if name in row.journal_bulk_restorers:
            together.setdefault((type(row), name), []).append((row, parse_value(row, name, before)))
        elif restore := row.journal_field_restorers.get(name):
            restore(row, parse_value(row, name, before))
        else:
            setattr(row, attribute_name(row, name), parse_value(row, name, before))
            put[name] = (after, before)
    return put


def _save_rows(changed: Iterable[tuple[Journaled, dict[str, tuple[Any, Any]]]]) -> None:
    sets: dict[tuple[str, tuple[str, ...]], list[Journaled]] = {}
    for row, put in changed:
        sets.setdefault((row._meta.label_lower, tuple(sorted(put))), []).append(row)
        record_field_changes(row, put)
    for (label, names), rows in sets.items():
        get_journaled_model(label)._base_manager.bulk_update(rows, names, batch_size=200)


def _restore_deleted(label: str, entries: list[JournalEntry], rows: dict[RowKey, Journaled]) -> dict[RowKey, Journaled]:
    model = get_journaled_model(label)
    back: dict[RowKey, Journaled] = {}
    for entry in entries:
        if (label, entry["id"]) in rows:
            raise UndoConflictError(entry)
        row = back[label, entry["id"]] = model()
        for name, value in entry["gone"].items():
            setattr(row, attribute_name(row, name), parse_value(row, name, value))
    _check_references(model, back, entries)
    model._base_manager.bulk_create(back.values())
    record_new_rows(*back.values())
    model.complete_restored_many(list(back.values()))
    return back


def _check_references(model: type[Journaled], back: dict[RowKey, Journaled], entries: list[JournalEntry]) -> None:
    """Raise UndoConflictError if a restored row refers to a row that is gone permanently."""
    for column in model._meta.concrete_fields:
        if not isinstance(column, ForeignKey):
            continue
        named: Any = column.related_model
        wanted = {getattr(row, column.attname) for row in back.values()} - {None}
        there = set(named._base_manager.filter(pk__in=wanted).values_list("pk", flat=True))
        for entry in entries:
            if getattr(back[_row_key(entry)], column.attname) in wanted - there:
                raise UndoConflictError(entry)
