"""Undoing what a journal recorded, with the same helpers that wrote it.

`journal.py` describes the attributes that a model may define for this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model

from workspace.storage.journal import (
    JournalEntry,
    attribute_name,
    json_value,
    parse_value,
    record_field_changes,
    record_new_rows,
    set_undone_change,
)

RowKey = tuple[str, Any]  # a row: its model's label and its id
GroupedValues = dict[tuple[type[Model], str], list[tuple[Model, Any]]]  # rows with a field's former value


class UndoConflictError(Exception):
    """The current state differs from what an `entry` recorded."""

    def __init__(self, entry: JournalEntry) -> None:
        super().__init__(entry["id"])
        self.entry = entry


def undo_change(change_id: str, entries: list[JournalEntry], remove: Callable[[Sequence[Any]], None]) -> None:
    """Undo the entries of a change, newest first.

    `remove` removes rows of one model that the change created. Raise UndoConflictError if a value was changed since,
    or a row is gone. The caller must then roll back its transaction. The number of queries depends on the models and
    sets of fields, not on the number of entries."""
    set_undone_change(change_id)
    rows = _load_rows(entries)
    _lock_rows(rows.values())
    wholes = _find_parents(rows.values())
    made = {_row_key(entry) for entry in entries if "new" in entry}
    touched: dict[RowKey, Model] = {}
    plain: dict[RowKey, dict[str, tuple[Any, Any]]] = {}
    returned: list[Model] = []
    together: GroupedValues = {}
    for (label, what), group in groupby(reversed(entries), key=lambda entry: (entry["model"], _entry_kind(entry))):
        if what == "gone":
            back = _restore_deleted(label, list(group), rows)
            rows |= back
            touched |= back
            returned += back.values()
        elif what == "new":
            remove([_get_row(rows, entry) for entry in group])
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
                    # for a field that changed twice, undo from its last value to its first one
                    put[name] = (put[name][0] if name in put else after, before)
    _save_rows([(rows[key], put) for key, put in plain.items() if put])
    for (model, name), pairs in together.items():
        getattr(model, f"restore_many_{name}")(pairs)
    _check_parents(wholes, _find_parents(returned), touched)
    _run_change_hooks(touched.values())


def _check_parents(parents: set[RowKey], with_restored_parts: set[RowKey], touched: dict[RowKey, Model]) -> None:
    """Mark the items of changed parts as changed, and check those that got parts back."""
    for label, id in (parents | _find_parents(touched.values())) - set(touched):
        for whole in apps.get_model(label)._base_manager.filter(pk=id):  # empty if the item was removed with its parts
            touched[label, id] = whole
            if (label, id) in with_restored_parts and hasattr(whole, "check_parts"):
                whole.check_parts()


def _lock_rows(rows: Iterable[Any]) -> None:
    models: dict[Any, list[Any]] = {}
    for row in rows:
        if hasattr(row, "lock_many"):
            models.setdefault(type(row), []).append(row)
    for model, found in models.items():
        model.lock_many(found)


def _run_change_hooks(rows: Iterable[Any]) -> None:
    models: dict[Any, list[Any]] = {}
    for row in rows:
        models.setdefault(type(row), []).append(row)
    for model, found in models.items():
        if hasattr(model, "mark_many_changed"):
            model.mark_many_changed(found)
        elif hasattr(model, "mark_changed"):
            for row in found:
                row.mark_changed()


def _row_key(entry: JournalEntry) -> RowKey:
    return entry["model"], entry["id"]


def _entry_kind(entry: JournalEntry) -> str:
    return next((what for what in ("gone", "new") if what in entry), "set")


def _get_row(rows: dict[RowKey, Model], entry: JournalEntry) -> Model:
    row = rows.get(_row_key(entry))
    if row is None:
        raise UndoConflictError(entry)
    return row


def _find_parents(rows: Iterable[Model]) -> set[RowKey]:
    """Return the items that parts belong to, with one query per model."""
    parts: dict[type[Model], list[Any]] = {}
    for row in rows:
        if hasattr(row, "JOURNAL_WHOLE"):
            parts.setdefault(type(row), []).append(row.pk)
    found: set[RowKey] = set()
    for model, ids in parts.items():
        parent_path: str = model.JOURNAL_WHOLE  # type: ignore[attr-defined]
        whole: Any = model
        for step in parent_path.split("__"):
            whole = whole._meta.get_field(step).related_model
        named = model._base_manager.filter(pk__in=ids).order_by().values_list(parent_path, flat=True).distinct()
        found |= {(whole._meta.label_lower, id) for id in named}
    return found


def _load_rows(entries: list[JournalEntry]) -> dict[RowKey, Model]:
    """Return the rows of the entries, including rows in the bin."""
    ids: dict[str, set[Any]] = {}
    for entry in entries:
        ids.setdefault(entry["model"], set()).add(entry["id"])
    found: dict[RowKey, Model] = {}
    for label, wanted in ids.items():
        model = apps.get_model(label)
        rows = model._base_manager.filter(pk__in=wanted)
        if parent_path := getattr(model, "JOURNAL_WHOLE", ""):
            rows = rows.select_related(parent_path)  # the description of a value may depend on its item
        found |= {(label, row.pk): row for row in rows}
    return found


def _restore_fields(row: Model, entry: JournalEntry, together: GroupedValues) -> dict[str, tuple[Any, Any]]:
    """Restore the row's fields and return those that still have to be saved, with their journal values.

    Fields that are restored for many rows at a time are collected in `together`."""
    put: dict[str, tuple[Any, Any]] = {}
    for name, (before, after) in entry["set"].items():
        if json_value(row, name) != after:
            raise UndoConflictError(entry)
        if hasattr(row, f"restore_many_{name}"):
            together.setdefault((type(row), name), []).append((row, parse_value(row, name, before)))
        elif hasattr(row, f"restore_{name}"):
            getattr(row, f"restore_{name}")(parse_value(row, name, before))
        else:
            setattr(row, attribute_name(row, name), parse_value(row, name, before))
            put[name] = (after, before)
    return put


def _save_rows(changed: Iterable[tuple[Model, dict[str, tuple[Any, Any]]]]) -> None:
    sets: dict[tuple[str, tuple[str, ...]], list[Model]] = {}
    for row, put in changed:
        sets.setdefault((row._meta.label_lower, tuple(sorted(put))), []).append(row)
        record_field_changes(row, put)
    for (label, names), rows in sets.items():
        apps.get_model(label)._base_manager.bulk_update(rows, names, batch_size=200)


def _restore_deleted(label: str, entries: list[JournalEntry], rows: dict[RowKey, Model]) -> dict[RowKey, Model]:
    model = apps.get_model(label)
    back: dict[RowKey, Model] = {}
    for entry in entries:
        if (label, entry["id"]) in rows:
            raise UndoConflictError(entry)
        row = back[label, entry["id"]] = model()
        for name, value in entry["gone"].items():
            setattr(row, attribute_name(row, name), parse_value(row, name, value))
    _check_references(model, back, entries)
    model._base_manager.bulk_create(back.values())
    record_new_rows(*back.values())
    if hasattr(model, "brought_back_many"):
        model.brought_back_many(list(back.values()))
    return back


def _check_references(model: type[Model], back: dict[RowKey, Model], entries: list[JournalEntry]) -> None:
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
