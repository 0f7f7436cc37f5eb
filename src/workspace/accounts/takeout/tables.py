"""Which tables an account takes along. Every table that leads to an account by foreign keys goes by itself, with all
its columns; who knows better says so in the `ready` of its app, products in their manifest:

    carry(Carried(Code, told={"secret": password_of}, arrive=seal_again))
    leave("signs people in, and is made anew", "accounts.apikey", "sessions.session")

A table that does neither fails a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db.models import Field, ForeignKey, Model, QuerySet
from django.db.models.constants import LOOKUP_SEP

from workspace.accounts.models import Account
from workspace.accounts.takeout import column_types


@dataclass(slots=True)
class ImportContext:
    """One account on its way in. `former` is its id where it was packed, `source_url` that installation's base URL;
    `notes` are told to who brought it; `memory` is for hooks that must know of one another. `addresses`: where its own
    pages were, with where they are now."""

    account: Account
    former_account_id: str
    source_url: str = ""
    addresses: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    memory: dict[Any, Any] = field(default_factory=dict)

    def add_note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True, slots=True)
class NumberReference:
    """The number of a row: `NumberReference(FormVersion, "form", of="id")` is a FormVersion whose form is this row's
    id, and whose `number` is the column's value. `unless`: rows of which there is none. `newest`: the next row gets the
    number after this one, so none may be higher; where `unless` says that there is none yet, all are lower.
    `can_be_missing`: that row may have been deleted."""

    model: type[Model]
    parent: str
    of: str = "id"
    number: str = "number"
    unless: Callable[[Any], bool] = lambda row: False
    newest: bool = False
    can_be_missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeoutTable:
    """How the rows of one table go and arrive.

    without   columns that stay behind: secrets, and what only the machine that wrote them can use
    former    columns that an earlier version had: a ZIP of then may hold them, and they are passed over
    told      columns that are told otherwise than they stand: what a row's value is in the ZIP
    taken     which of the account's rows go; all of them where left out
    files     columns that hold the keys of kept files, or the row's own id
    hashed    columns of SHA-256 of such a file, by its column
    replaces  whether rows that the account has already make room for those that come
    clash     of rows that came, before any is written: pairs of a row and the columns that must be others here, since
              theirs are taken
    receive   keeps the bytes of a file under a key, and answers the columns of its row that this changes; raises
              ValueError, with a text for people, for what may not be kept
    arrive    sets what stayed behind on a row that is about to be written; the third argument is the row as it came
    fixed     why its ids may not be others here: then one that is taken is refused with these words
    others    of rows that have such ids already those that are in the way; all of them where left out
    reads     the types that read columns of an imported row, as `readers` says
    numbered  columns with the number of a row in another table
    agrees    raises ValueError where columns of an imported row contradict one another
    """

    model: type[Model]
    excluded_columns: Sequence[str] = ()
    former_columns: Sequence[str] = ()
    serializers: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    filter_rows: Callable[[QuerySet[Any]], QuerySet[Any]] | None = None
    files: Sequence[str] = ()
    file_hashes: Mapping[str, str] = field(default_factory=dict)
    replaces: bool = False
    resolve_conflicts: Callable[[ImportContext, Sequence[Any]], Iterable[tuple[Any, dict[str, Any]]]] | None = None
    store_file: Callable[[Any, str, bytes], dict[str, Any]] | None = None
    import_row: Callable[[ImportContext, Any, dict[str, Any]], None] | None = None
    fixed_ids_reason: str = ""
    filter_conflicts: Callable[[QuerySet[Any]], QuerySet[Any]] | None = None
    column_types: Mapping[str, Any] = field(default_factory=dict)
    number_references: Mapping[str, NumberReference] = field(default_factory=dict)
    check_row: Callable[[Any], None] | None = None


@dataclass(frozen=True, slots=True)
class AccountTable:
    """`account_path` leads from a row to its account."""

    model: type[Model]
    account_path: str
    takeout: TakeoutTable

    @property
    def name(self) -> str:
        return self.model._meta.label_lower

    @property
    def columns(self) -> list[Field[Any, Any]]:
        return [one for one in self.model._meta.concrete_fields if one.name not in self.takeout.excluded_columns]

    def column_type(self, column: Field[Any, Any]) -> Any:
        """The type that reads this column; None where its own kind says everything, or where nobody declared one."""
        if column.choices or isinstance(column, ForeignKey):
            return None
        return self.takeout.column_types.get(column.name) or column_types.default_type(column)

    @property
    def has_numeric_ids(self) -> bool:
        """Whether its ids are numbers, which are others on each installation."""
        return self.model._meta.pk.get_internal_type().endswith("AutoField")

    def rows_for(self, account: Account) -> QuerySet[Any]:
        found = self.model._base_manager.filter(**{self.account_path: account}).order_by("pk")
        return self.takeout.filter_rows(found) if self.takeout.filter_rows is not None else found


_takeout_tables: dict[str, TakeoutTable] = {}
_excluded: dict[str, str] = {}


def register_tables(*ways: TakeoutTable) -> None:
    for way in ways:
        _takeout_tables[way.model._meta.label_lower] = way


def exclude_tables(why: str, *labels: str) -> None:
    _excluded.update(dict.fromkeys((label.lower() for label in labels), why))


def excluded_tables() -> dict[str, str]:
    """What stays behind, by the label of its model, and why."""
    return dict(_excluded)


def all_models() -> list[type[Model]]:
    return [model for model in apps.get_models() if not model._meta.proxy]


def unregistered_tables() -> list[str]:
    """Tables that lead to no account, or to one only through what stays behind, and of which nobody said anything."""
    known = {*_excluded, *(table.name for table in list_tables()), Account._meta.label_lower}
    return [model._meta.label for model in all_models() if model._meta.label_lower not in known]


def list_tables() -> list[AccountTable]:
    """All that go, in an order in which each stands behind those that it points to."""
    ways: dict[type[Model], str] = {Account: ""}
    waiting = [one for one in all_models() if one is not Account and one._meta.label_lower not in _excluded]
    while found := {model: way for model in waiting if (way := _account_path(model, ways)) is not None}:
        ways |= found
        waiting = [model for model in waiting if model not in found]
    del ways[Account]
    made = [
        AccountTable(model, way, _takeout_tables.get(model._meta.label_lower) or TakeoutTable(model=model))
        for model, way in ways.items()
    ]
    return _sort_by_dependency(made)


def foreign_key_targets(model: type[Model]) -> dict[str, type[Model]]:
    """The models of its foreign keys, by the names of the columns."""
    keys = (one for one in model._meta.concrete_fields if isinstance(one, ForeignKey))
    return {one.name: one.related_model for one in keys}


def _account_path(model: type[Model], ways: Mapping[type[Model], str]) -> str | None:
    keys = foreign_key_targets(model)
    for name, to in keys.items():
        if to is Account:
            return name
    if any(to not in ways and to is not model for name, to in keys.items() if not model._meta.get_field(name).null):
        return None  # it cannot be without what is not known, or not yet
    for name, to in keys.items():
        if to in ways and not model._meta.get_field(name).null:
            return f"{name}{LOOKUP_SEP}{ways[to]}"
    return None


def _sort_by_dependency(found: list[AccountTable]) -> list[AccountTable]:
    wanted, done = {table.model: table for table in found}, dict[type[Model], AccountTable]()

    def take(table: AccountTable, above: tuple[type[Model], ...]) -> None:
        if table.model in done or table.model in above:
            return
        for to in foreign_key_targets(table.model).values():
            if to in wanted and to is not table.model:
                take(wanted[to], (*above, table.model))
        done[table.model] = table

    for table in found:
        take(table, ())
    return list(done.values())
