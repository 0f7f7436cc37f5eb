"""The journal: a record of the changes of a write, so that it can be described and undone.

    with record_journal() as journal:
        update_row(card, title="Chef")
    journal.entries  # [{"model": "card.card", "id": "card_1", "set": {"title": ["Cook", "Chef"]}}]

Rows of an owner's items are written with the helpers here (`update_row`, `record_new_rows`, `delete_rows`). They record
the values of columns, never a whole row. `undo.undo_change` uses the same helpers, so side effects of a write (a new
version of a page, a search index) also happen when it is undone. Outside of `record_journal`, they write without
recording.

Models inherit `Journaled`, which declares how changes of their rows are shown and undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from typing import Any, ClassVar, Self, TypeVar

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, JSONField, Model

from workspace.storage.database.compiled_write import CompiledModel

JournalEntry = dict[str, Any]
DisplayedField = tuple[str, Callable[[Any], Any] | None]  # name; converts the stored value to the displayed one
ValueFormatter = Callable[[Any, Any], Any]  # takes a row and a previous value
FieldRestorer = Callable[[Any, Any], object]  # takes a row and its previous value
BulkFieldRestorer = Callable[[Sequence[tuple[Any, Any]]], object]  # takes rows with their previous values
Row = TypeVar("Row", bound="Journaled")


class ChangeDisplay(Enum):
    """Where a change shows the previous values of a row."""

    ROW = "under the id of the row"
    ITEM = "under the id of the item to which the row belongs"
    NOWHERE = "nowhere, such as a version that repeats the values of its item"


class Journaled(CompiledModel):
    """A model whose rows are written with the helpers of this module.

    It declares how changes to its rows are shown and undone. A model overrides what it needs: attributes with values of
    the same type, and methods with `@override`. It is an abstract model and not a mixin, so that a row is also a
    `Model` and migrations do not name it.
    """

    # Fields whose values are never recorded, shown or exported, such as the hash of a password.
    journal_secret_fields: ClassVar[tuple[str, ...]] = ()

    # Where a change shows previous values of the row. Default: under the row's own id.
    journal_display: ClassVar[ChangeDisplay] = ChangeDisplay.ROW

    # How a change shows previous values: `{"paused_at": ("live", operator.not_)}`. A field that maps to None is not
    # shown. Default: under the field's name and as stored.
    journal_displayed_fields: ClassVar[Mapping[str, DisplayedField | None]] = {}

    # Formats previous values whose display depends on the row, such as a price in its currency. Default: as stored.
    journal_value_formatters: ClassVar[Mapping[str, ValueFormatter]] = {}

    # For a part: the lookup of its item (`section__menu`), which is marked as changed in the part's place. Default: not
    # a part.
    journal_item_path: ClassVar[str] = ""

    # Restores fields that are not plain columns, such as a slug that moves, one row at a time.
    journal_field_restorers: ClassVar[Mapping[str, FieldRestorer]] = {}

    # Restores such fields for all rows of the change together, after everything else is restored.
    journal_bulk_restorers: ClassVar[Mapping[str, BulkFieldRestorer]] = {}

    class Meta:
        """Journaled models have their own tables."""

        abstract = True

    @classmethod
    def lock_many(cls, rows: Iterable[Self]) -> None:
        """Lock rows before anything is restored, if guests also write to them and locks have an order.

        By default, do nothing.
        """

    @classmethod
    def undo_creation_many(cls, rows: Sequence[Self]) -> None:
        """Remove rows that the change created. By default, delete them."""
        delete_rows(*rows)

    @classmethod
    def complete_restored_many(cls, rows: Sequence[Self]) -> None:
        """Restore what depends on deleted rows, such as the use of an image. By default, do nothing."""

    def check_part_limits(self) -> None:
        """Raise an error if the item has too many parts after parts were restored. By default, there is no limit."""

    @classmethod
    def mark_many_changed(cls, rows: Sequence[Self]) -> None:
        """Mark the guest pages of the rows as changed, once everything is restored. By default, do nothing."""


def get_journaled_model(label: str) -> type[Journaled]:
    """Return the model of a journal entry."""
    model = apps.get_model(label)
    if not issubclass(model, Journaled):
        raise TypeError(f"{label} does not inherit Journaled")
    return model


def list_secret_fields(model: type[Model]) -> tuple[str, ...]:
    """Return the fields of any model whose values are never recorded, shown or exported."""
    return model.journal_secret_fields if issubclass(model, Journaled) else ()


@dataclass(eq=False)
class Journal:
    """The entries of one write, oldest first.

    Each entry has the `model` and `id` of its row, and `set` (field → value before and after), `new` (true) or `gone`
    (field → value). `displayed` has previous values for display if they differ from the stored ones.
    `unrecorded_fields` are changed fields whose values were not recorded. `final` is the reason why this write cannot
    be undone. `thing_kind` and `thing_id` identify the owner's item, or the first one if there are several.
    """

    entries: list[JournalEntry] = field(default_factory=list)
    unrecorded_fields: list[str] = field(default_factory=list)
    thing_kind: str = ""
    thing_id: str = ""
    undoes: str = ""  # the id of the change that is being undone
    final: str = ""
    change_id: str = ""  # the id that the stored change will have
    new_rows: list[Journaled] = field(default_factory=list)

    def has_touched(self, columns: Collection[tuple[str, str]]) -> bool:
        """Return whether a column was changed, or a row of its model was created or deleted.

        Columns are given as pairs of model label and field. Fields whose values are not recorded are considered
        changed.
        """
        if self.unrecorded_fields:
            return True
        models = {model for model, _ in columns}
        for entry in self.entries:
            if "set" not in entry:
                if entry["model"] in models:
                    return True
            elif any((entry["model"], name) in columns for name in entry["set"]):
                return True
        return False

    def list_unchanged_new_rows(self) -> list[Journaled]:
        """Return the rows that this write created, did not change afterwards, and whose parts it did not read."""
        changed = {(entry["model"], entry["id"]) for entry in self.entries if "new" not in entry}
        unchanged = (row for row in self.new_rows if (row._meta.label_lower, row.pk) not in changed)
        return [row for row in unchanged if not getattr(row, "_prefetched_objects_cache", None)]

    def add_entry(self, row: Journaled, **entry: Any) -> None:
        self.entries.append({"model": row._meta.label_lower, "id": row.pk, **entry})


_journal: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def record_journal() -> Iterator[Journal]:
    """Record all writes in this context."""
    journal = Journal()
    token = _journal.set(journal)
    try:
        yield journal
    finally:
        _journal.reset(token)


def current_journal() -> Journal | None:
    """Return the journal of this write, or None outside of `record_journal`."""
    return _journal.get()


def mark_irreversible(reason: str) -> None:
    """Record that this write cannot be undone, and the reason."""
    journal = _journal.get()
    if journal is not None:
        journal.final = reason


def set_undone_change(change_id: str) -> None:
    """Record which change is being undone."""
    journal = _journal.get()
    if journal is not None:
        journal.undoes = change_id


def has_changed() -> bool:
    """Return whether this write has changed anything yet."""
    journal = _journal.get()
    return journal is not None and bool(journal.entries or journal.unrecorded_fields)


def current_change_id() -> str:
    """Return the id that the change of this write will have, or "" outside of a tool."""
    journal = _journal.get()
    return journal.change_id if journal is not None else ""


def has_written_model(model: type[Model]) -> bool:
    """Return whether this write has created, changed or deleted a row of the model."""
    journal = _journal.get()
    return journal is not None and any(entry["model"] == model._meta.label_lower for entry in journal.entries)


def set_item(kind: str, id: str) -> None:
    """Record to which of the owner's items this write belongs."""
    journal = _journal.get()
    if journal is not None and not journal.thing_id:
        journal.thing_kind, journal.thing_id = kind, id


def record_field_changes(row: Journaled, fields: dict[str, tuple[Any, Any]]) -> None:
    """Record changed fields of a row that was not written with `update_row`.

    The previous and new values are in the form returned by `json_value`.
    """
    journal = _journal.get()
    if journal is None:
        return
    secret = row.journal_secret_fields
    journal.unrecorded_fields += [name for name in fields if name in secret]
    values = {name: list(pair) for name, pair in fields.items() if name not in secret}
    if values:
        journal.add_entry(row, set=values, **_format_values(row, {name: pair[0] for name, pair in values.items()}))


def update_row(row: Journaled, **fields: Any) -> dict[str, Any]:
    """Set fields of a row, save those that differ, and return their previous values, keyed by name."""
    before, noted = _set_fields(row, fields)
    if before:
        row.save(update_fields=list(before))
        record_field_changes(row, noted)
    return before


def _set_fields(row: Journaled, fields: dict[str, Any]) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """Set fields. Return the previous values of those that differ, and their journal values."""
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
    """Update many rows of one model, with one query per set of fields. Return the rows that differ."""
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


def record_new_rows(*rows: Journaled) -> None:
    """Record rows that were just created."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            journal.add_entry(row, new=True)
        journal.new_rows += rows


def delete_rows(*rows: Journaled) -> None:
    """Delete rows of one model with one query. The journal stores all of their columns."""
    journal = _journal.get()
    if journal is not None:
        for row in rows:
            secret = row.journal_secret_fields
            columns = [column.name for column in row._meta.concrete_fields if column.name not in secret]
            gone = {name: json_value(row, name) for name in columns}
            journal.add_entry(row, gone=gone, **_format_values(row, gone))
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


def _format_values(row: Journaled, former: dict[str, Any]) -> dict[str, Any]:
    formatters = row.journal_value_formatters
    displayed = {name: formatters[name](row, value) for name, value in former.items() if name in formatters}
    return {"displayed": displayed} if displayed else {}


def json_value(row: Model, name: str) -> Any:
    """Convert a field's value to JSON data without loss. `parse_value` converts it back."""
    column = _find_column(row, name)
    if column is None:
        return getattr(row, name)
    value = column.value_from_object(row)
    if value is None or isinstance(column, JSONField) or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).isoformat()  # as it is read back, whatever the original time zone was
    return column.value_to_string(row)


def parse_value(row: Model, name: str, value: Any) -> Any:
    """Convert a journal value to a Python value. This is the inverse of `json_value`."""
    column = _find_column(row, name)
    if column is None or value is None or isinstance(column, JSONField):
        return value
    return getattr(column, "target_field", column).to_python(value)


def attribute_name(row: Model, name: str) -> str:
    column = _find_column(row, name)
    return column.attname if column is not None else name


def _find_column(row: Model, name: str) -> Field[Any, Any] | None:
    try:
        found = row._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    return found if isinstance(found, Field) else None
