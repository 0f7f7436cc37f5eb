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

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, JSONField, Model

Entry = dict[str, Any]


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
    noted: dict[str, tuple[Any, Any]] = {}
    before: dict[str, Any] = {}
    for name, value in fields.items():
        column = row._meta.get_field(name).attname  # type: ignore[union-attr]
        former, earlier = getattr(row, column), value_of(row, name)
        setattr(row, name, value)
        if getattr(row, column) != former:
            before[name], noted[name] = former, (earlier, value_of(row, name))
    if before:
        row.save(update_fields=list(before))
        note_set(row, noted)
    return before


def add(row: Model) -> None:
    """Note a row that was just made."""
    journal = _journal.get()
    if journal is not None:
        journal.note(row, new=True)


def drop(row: Model) -> None:
    """Delete a row, of which the journal keeps every column."""
    journal = _journal.get()
    if journal is not None:
        secret = getattr(row, "JOURNAL_SECRET", ())
        columns = [column.name for column in row._meta.concrete_fields if column.name not in secret]
        journal.note(row, gone={name: value_of(row, name) for name in columns})
    row.delete()


def value_of(row: Model, name: str) -> Any:
    """A field's value as JSON can hold it, exactly: `put_back` makes the same value of it."""
    column = _column(row, name)
    if column is None:
        return getattr(row, name)
    value = column.value_from_object(row)
    if value is None or isinstance(column, JSONField) or isinstance(value, (bool, int, float, str)):
        return value
    return column.value_to_string(row)


def row_of(entry: Entry) -> Model | None:
    """The row that an entry is about, whether it is shown or in the bin; None when there is none any more."""
    return apps.get_model(entry["model"])._base_manager.filter(pk=entry["id"]).first()


class Moved(Exception):
    """What an entry left behind is not there any more; `entry` says what was looked for."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry["id"])
        self.entry = entry


def undo(change_id: str, entries: list[Entry], remove: Callable[[Model], None]) -> None:
    """Take a change's entries back, newest first. `remove` takes away a row that was made. Raises Moved where something
    else has changed a value since, or a row is gone; then the caller's transaction is to be given up."""
    journal = _journal.get()
    if journal is not None:
        journal.undoes = change_id
    touched: dict[tuple[str, Any], Model] = {}
    for entry in reversed(entries):
        if "gone" in entry:
            row = _bring_back(entry)
        else:
            found = row_of(entry)
            if found is None:
                raise Moved(entry)
            row = found
            if "new" in entry:
                remove(row)
                touched.pop((entry["model"], entry["id"]), None)
                continue
            _put_back(row, entry)
        touched[entry["model"], entry["id"]] = row
    for row in touched.values():
        if hasattr(row, "touched"):
            row.touched()


def _put_back(row: Model, entry: Entry) -> None:
    plain: dict[str, Any] = {}
    for name, (before, after) in entry["set"].items():
        if value_of(row, name) != after:
            raise Moved(entry)
        restore = getattr(row, f"restore_{name}", None)
        if restore is not None:
            restore(_value(row, name, before))
        else:
            plain[_attname(row, name)] = _value(row, name, before)
    if not plain:
        return
    noted = {
        name: (entry["set"][name][1], entry["set"][name][0]) for name in entry["set"] if _attname(row, name) in plain
    }
    for attname, value in plain.items():
        setattr(row, attname, value)
    row.save(update_fields=list(plain))
    note_set(row, noted)


def _bring_back(entry: Entry) -> Model:
    model = apps.get_model(entry["model"])
    if model._base_manager.filter(pk=entry["id"]).exists():
        raise Moved(entry)
    row = model()
    for name, value in entry["gone"].items():
        setattr(row, _attname(row, name), _value(row, name, value))
    row.save(force_insert=True)
    add(row)
    return row


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
