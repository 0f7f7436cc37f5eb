"""What a write changes, noted while it happens: so it can be told, and taken back.

    with keeping() as journal:
        change(card, title="Chef")
    journal.entries  # [{"model": "card.card", "id": "card_1", "set": {"title": ["Cook", "Chef"]}}]

The helpers here (`change`, `add`, `drop`) are how rows that belong to an owner's things are written. They note values
of columns, never an image of a row, and `undo` goes back through them: so what hangs on a write (a new version of a
page, an index of words) hangs on its undoing as well. Outside of `keeping` they write and note nothing.

A model may say more, each as an attribute of its own:
`JOURNAL_SECRET`: fields whose values are never noted, such as the hash of a password;
`restore_FIELD(value)`: how a field that is no column, or more than one, is put back (a slug that moves);
`touched()`: called once after all is put back, where something that guests see has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, JSONField, Model

Entry = dict[str, Any]
Row = TypeVar("Row", bound=Model)


@dataclass
class Journal:
    """The entries of one write, oldest first. Each names its row by `model` and `id`, and holds `set` (field → value
    before and after), `new` (true) or `gone` (field → value). `kept_back`: fields that changed and were not noted.
    `thing_kind` and `thing_id` name the owner's thing that the write was about, the first one when there are more."""

    entries: list[Entry] = field(default_factory=list)
    kept_back: list[str] = field(default_factory=list)
    thing_kind: str = ""
    thing_id: str = ""
    undoes: str = ""  # the change that is being taken back

    def note(self, row: Model, **what: Any) -> None:
        self.entries.append({"model": row._meta.label_lower, "id": row.pk, **what})


_journal: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def keeping() -> Iterator[Journal]:
    """Note what is written from here on."""
    journal = Journal()
    token = _journal.set(journal)
    try:
        yield journal
    finally:
        _journal.reset(token)


def about(kind: str, id: str) -> None:
    """Say which thing of the owner's is being written."""
    journal = _journal.get()
    if journal is not None and not journal.thing_id:
        journal.thing_kind, journal.thing_id = kind, id


def note_set(row: Model, fields: dict[str, tuple[Any, Any]]) -> None:
    """Note that fields of a row went from one value to another; for a write that is not made by `change`. The values
    are those that `value_of` tells."""
    journal = _journal.get()
    secret = getattr(row, "JOURNAL_SECRET", ())
    if journal is None:
        return
    journal.kept_back += [name for name in fields if name in secret]
    told = {name: list(pair) for name, pair in fields.items() if name not in secret}
    if told:
        journal.note(row, set=told)


def change(row: Model, **fields: Any) -> dict[str, Any]:
    """Set fields of a row and save those that differ; what they were before, by name."""
    before, noted = _set(row, fields)
    if before:
        row.save(update_fields=list(before))
        note_set(row, noted)
    return before


def _set(row: Model, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """Of the fields that differ: what they were, and what the journal holds of that."""
    before: dict[str, Any] = {}
    noted: dict[str, tuple[Any, Any]] = {}
    for name, value in fields.items():
        column = row._meta.get_field(name).attname  # type: ignore[union-attr]
        former, earlier = getattr(row, column), value_of(row, name)
        setattr(row, name, value)
        if getattr(row, column) != former:
            before[name], noted[name] = former, (earlier, value_of(row, name))
    return before, noted


def change_many(rows: Iterable[tuple[Row, dict[str, Any]]]) -> list[Row]:
    """The same for many rows of one model, by one query for each set of fields; the rows that differ."""
    sets: dict[tuple[str, ...], list[Row]] = {}
    for row, fields in rows:
        before, noted = _set(row, fields)
        if before:
            sets.setdefault(tuple(sorted(before)), []).append(row)
            note_set(row, noted)
    for names, changed in sets.items():
        type(changed[0])._base_manager.bulk_update(changed, names, batch_size=200)
    return [row for changed in sets.values() for row in changed]


def add(*rows: Model) -> None:
    """Note rows that were just made."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            journal.note(row, new=True)


def drop(*rows: Model) -> None:
    """Delete rows of one model by one query; the journal keeps every column of them."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            secret = getattr(row, "JOURNAL_SECRET", ())
            columns = [column.name for column in row._meta.concrete_fields if column.name not in secret]
            journal.note(row, gone={name: value_of(row, name) for name in columns})
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


def value_of(row: Model, name: str) -> Any:
    """A field's value as JSON can hold it, exactly: `put_back` makes the same value of it."""
    column = _column(row, name)
    if column is None:
        return getattr(row, name)
    value = column.value_from_object(row)
    if value is None or isinstance(column, JSONField) or isinstance(value, (bool, int, float, str)):
        return value
    return column.value_to_string(row)


class Moved(Exception):
    """What an entry left behind is not there any more; `entry` says what was looked for."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry["id"])
        self.entry = entry


def undo(change_id: str, entries: list[Entry], remove: Callable[[Model], None]) -> None:
    """Take a change's entries back, newest first. `remove` takes away a row that was made. Raises Moved where something
    else has changed a value since, or a row is gone; then the caller's transaction is to be given up. A few queries for
    each model and set of fields, however many entries there are."""
    journal = _journal.get()
    if journal is not None:
        journal.undoes = change_id
    rows = _rows(entries)
    touched: dict[tuple[str, Any], Model] = {}
    plain: dict[tuple[str, Any], dict[str, tuple[Any, Any]]] = {}
    for (model, gone), group in groupby(reversed(entries), key=lambda entry: (entry["model"], "gone" in entry)):
        if gone:
            back = _bring_back(model, list(group), rows)
            rows |= back
            touched |= back
            continue
        for entry in group:
            key = (model, entry["id"])
            if key not in rows:
                raise Moved(entry)
            if "new" in entry:
                remove(rows[key])
                touched.pop(key, None)
                continue
            touched[key] = rows[key]
            put = plain.setdefault(key, {})
            for name, (after, before) in _put_back(rows[key], entry).items():
                # of a field that changed twice, what it was at the end goes to what it was at the beginning
                put[name] = (put[name][0] if name in put else after, before)
    _save([(rows[key], put) for key, put in plain.items() if put])
    for row in touched.values():
        if hasattr(row, "touched"):
            row.touched()


def _rows(entries: list[Entry]) -> dict[tuple[str, Any], Model]:
    """The rows that entries are about, whether they are shown or in the bin."""
    ids: dict[str, set[Any]] = {}
    for entry in entries:
        ids.setdefault(entry["model"], set()).add(entry["id"])
    return {
        (label, row.pk): row
        for label, wanted in ids.items()
        for row in apps.get_model(label)._base_manager.filter(pk__in=wanted)
    }


def _put_back(row: Model, entry: Entry) -> dict[str, tuple[Any, Any]]:
    """Set the row's fields to what they were; those that are still to be saved, as the journal will hold them."""
    put: dict[str, tuple[Any, Any]] = {}
    for name, (before, after) in entry["set"].items():
        if value_of(row, name) != after:
            raise Moved(entry)
        restore = getattr(row, f"restore_{name}", None)
        if restore is not None:
            restore(_value(row, name, before))
        else:
            setattr(row, _attname(row, name), _value(row, name, before))
            put[name] = (after, before)
    return put


def _save(changed: Iterable[tuple[Model, dict[str, tuple[Any, Any]]]]) -> None:
    sets: dict[tuple[str, tuple[str, ...]], list[Model]] = {}
    for row, put in changed:
        sets.setdefault((row._meta.label_lower, tuple(sorted(put))), []).append(row)
        note_set(row, put)
    for (label, names), rows in sets.items():
        apps.get_model(label)._base_manager.bulk_update(rows, names, batch_size=200)


def _bring_back(label: str, entries: list[Entry], rows: dict[tuple[str, Any], Model]) -> dict[tuple[str, Any], Model]:
    model = apps.get_model(label)
    back: dict[tuple[str, Any], Model] = {}
    for entry in entries:
        if (label, entry["id"]) in rows:
            raise Moved(entry)
        row = back[label, entry["id"]] = model()
        for name, value in entry["gone"].items():
            setattr(row, _attname(row, name), _value(row, name, value))
    model._base_manager.bulk_create(back.values())
    add(*back.values())
    return back


def _value(row: Model, name: str, told: Any) -> Any:
    column = _column(row, name)
    if column is None or told is None or isinstance(column, JSONField):
        return told
    return getattr(column, "target_field", column).to_python(told)


def _attname(row: Model, name: str) -> str:
    column = _column(row, name)
    return column.attname if column is not None else name


def _column(row: Model, name: str) -> Field[Any, Any] | None:
    try:
        found = row._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    return found if isinstance(found, Field) else None
