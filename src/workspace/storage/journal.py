"""What a write changes, noted while it happens: so it can be told, and taken back.

    with keeping() as journal:
        change(card, title="Chef")
    journal.entries  # [{"model": "card.card", "id": "card_1", "set": {"title": ["Cook", "Chef"]}}]

The helpers here (`update_row`, `record_new_rows`, `delete_rows`) are how rows that belong to an owner's things are
written. They note values of columns, never an image of a row, and `undo.undo_change` goes back through them: so what
hangs on a write (a new version of a page, an index of words) hangs on its undoing as well. Outside of `record_journal`
they write and note nothing.

A model may say more, each as an attribute of its own:
`JOURNAL_SECRET`: fields whose values are never noted, such as the hash of a password;
`restore_FIELD(value)`: how a field that is no column, or more than one, is put back (a slug that moves);
`told_FIELD(value)`: a former value as people are told it, where that takes the row (a price in its currency);
`restore_many_FIELD([(row, value)])`, of the model: the same as `restore_FIELD` for all rows of the change together;
`touched()`: called once after all is put back, where something that guests see has changed;
`mark_many_changed(rows)`, of the model: the same for all of them together;
`lock_many(rows)`, of the model: called before anything is put back, where guests write to these rows too and locks have
an order;
`unmake()`, or `unmake_many(rows)` of the model: how rows that were made are taken away;
`brought_back_many(rows)`, of the model: what hangs on rows that were deleted and are there again (a picture in use);
`JOURNAL_WHOLE`: of a part, the way to the thing that it belongs to (`section__menu`), to be `touched()` in its place;
`check_parts()`: of a thing, refuses parts that come back where it has no room for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, JSONField, Model

JournalEntry = dict[str, Any]
Row = TypeVar("Row", bound=Model)


@dataclass
class Journal:
    """The entries of one write, oldest first.

    Each names its row by `model` and `id`, and holds `set` (field → value before and after), `new` (true) or `gone`
    (field → value); `told` has former values in people's words, where those are others. `unrecorded_fields`: fields
    that changed and were not noted. `final`: why this write cannot be taken back. `thing_kind` and `thing_id` name the
    owner's thing that the write was about, the first one when there are more."""

    entries: list[JournalEntry] = field(default_factory=list)
    unrecorded_fields: list[str] = field(default_factory=list)
    thing_kind: str = ""
    thing_id: str = ""
    undoes: str = ""  # the change that is being taken back
    final: str = ""
    change_id: str = ""  # the id that the kept change will have

    def add_entry(self, row: Model, **what: Any) -> None:
        self.entries.append({"model": row._meta.label_lower, "id": row.pk, **what})


_journal: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def record_journal() -> Iterator[Journal]:
    """Note what is written from here on."""
    journal = Journal()
    token = _journal.set(journal)
    try:
        yield journal
    finally:
        _journal.reset(token)


def mark_irreversible(why: str) -> None:
    """Say that this write cannot be taken back."""
    journal = _journal.get()
    if journal is not None:
        journal.final = why


def set_undone_change(change_id: str) -> None:
    """Say which change is being taken back."""
    journal = _journal.get()
    if journal is not None:
        journal.undoes = change_id


def has_changed() -> bool:
    """Whether this write has changed anything yet."""
    journal = _journal.get()
    return journal is not None and bool(journal.entries or journal.unrecorded_fields)


def current_change_id() -> str:
    """Return the id that this write's change will have; empty outside of a tool."""
    journal = _journal.get()
    return journal.change_id if journal is not None else ""


def has_written(model: type[Model]) -> bool:
    """Return whether this write has made, changed or deleted a row of the model."""
    journal = _journal.get()
    return journal is not None and any(entry["model"] == model._meta.label_lower for entry in journal.entries)


def set_item(kind: str, id: str) -> None:
    """Say which thing of the owner's is being written."""
    journal = _journal.get()
    if journal is not None and not journal.thing_id:
        journal.thing_kind, journal.thing_id = kind, id


def record_field_changes(row: Model, fields: dict[str, tuple[Any, Any]]) -> None:
    """Note that fields of a row went from one value to another; for a write that is not made by `update_row`.

    The values are those that `json_value` tells."""
    journal = _journal.get()
    secret = getattr(row, "JOURNAL_SECRET", ())
    if journal is None:
        return
    journal.unrecorded_fields += [name for name in fields if name in secret]
    told = {name: list(pair) for name, pair in fields.items() if name not in secret}
    if told:
        journal.add_entry(row, set=told, **_describe_values(row, {name: pair[0] for name, pair in told.items()}))


def update_row(row: Model, **fields: Any) -> dict[str, Any]:
    """Set fields of a row and save those that differ; what they were before, by name."""
    before, noted = _set_fields(row, fields)
    if before:
        row.save(update_fields=list(before))
        record_field_changes(row, noted)
    return before


def _set_fields(row: Model, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """Of the fields that differ: what they were, and what the journal holds of that."""
    before: dict[str, Any] = {}
    noted: dict[str, tuple[Any, Any]] = {}
    for name, value in fields.items():
        column = row._meta.get_field(name).attname  # type: ignore[union-attr]
        former, earlier = getattr(row, column), json_value(row, name)
        setattr(row, name, value)
        if getattr(row, column) != former:
            before[name], noted[name] = former, (earlier, json_value(row, name))
    return before, noted


def update_rows(rows: Iterable[tuple[Row, dict[str, Any]]]) -> list[Row]:
    """The same for many rows of one model, by one query for each set of fields; the rows that differ."""
    sets: dict[tuple[str, ...], list[Row]] = {}
    for row, fields in rows:
        before, noted = _set_fields(row, fields)
        if before:
            sets.setdefault(tuple(sorted(before)), []).append(row)
            record_field_changes(row, noted)
    for names, changed in sets.items():
        if len(changed) == 1:
            changed[0].save(update_fields=names)
        else:
            type(changed[0])._base_manager.bulk_update(changed, names, batch_size=200)
    return [row for changed in sets.values() for row in changed]


def record_new_rows(*rows: Model) -> None:
    """Note rows that were just made."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            journal.add_entry(row, new=True)


def delete_rows(*rows: Model) -> None:
    """Delete rows of one model by one query; the journal keeps every column of them."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            secret = getattr(row, "JOURNAL_SECRET", ())
            columns = [column.name for column in row._meta.concrete_fields if column.name not in secret]
            gone = {name: json_value(row, name) for name in columns}
            journal.add_entry(row, gone=gone, **_describe_values(row, gone))
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


def _describe_values(row: Model, former: dict[str, Any]) -> dict[str, Any]:
    tellers = {name: getattr(row, f"told_{name}", None) for name in former}
    words = {name: teller(former[name]) for name, teller in tellers.items() if teller is not None}
    return {"told": words} if words else {}


def json_value(row: Model, name: str) -> Any:
    """A field's value as JSON can hold it, exactly: `put_back` makes the same value of it."""
    column = _find_column(row, name)
    if column is None:
        return getattr(row, name)
    value = column.value_from_object(row)
    if value is None or isinstance(column, JSONField) or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).isoformat()  # as it is read back, whatever zone its owner wrote it in
    return column.value_to_string(row)


def parse_value(row: Model, name: str, told: Any) -> Any:
    column = _find_column(row, name)
    if column is None or told is None or isinstance(column, JSONField):
        return told
    return getattr(column, "target_field", column).to_python(told)


def attribute_name(row: Model, name: str) -> str:
    column = _find_column(row, name)
    return column.attname if column is not None else name


def _find_column(row: Model, name: str) -> Field[Any, Any] | None:
    try:
        found = row._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    return found if isinstance(found, Field) else None
