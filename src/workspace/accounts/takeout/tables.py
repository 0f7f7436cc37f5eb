"""The tables that the export of an account includes.

Every table whose foreign keys lead to an account is included, with all its columns. Exceptions are declared in the
`ready` method of the table's app; products declare them in their manifest:

    register_tables(TakeoutTable(model=Code, serializers={"secret": read_password}, import_row=encrypt_again))
    exclude_tables("signs people in, and is created again", "accounts.apikey", "sessions.session")

A test fails if a table is neither included nor excluded.
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
    """The state of one import.

    - `former_account_id`: the id of the account on the instance of the export.
    - `source_url`: the base URL of that instance.
    - `addresses`: former URLs of the account's own pages, with their new URLs.
    - `notes`: messages that are shown to the person who imports.
    - `memory`: state shared by the import hooks.
    """

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
    """A column with the number of another row.

    `NumberReference(FormVersion, "form", of="id")` refers to the FormVersion whose `form` is this row's `id` and whose
    `number` is the column's value.

    - `unless`: selects rows that refer to no number yet.
    - `newest`: the next row gets the number after this one, so no number may be higher. For rows selected by `unless`,
      all numbers must be lower.
    - `can_be_missing`: the other row may have been deleted.
    """

    model: type[Model]
    parent: str
    of: str = "id"
    number: str = "number"
    unless: Callable[[Any], bool] = lambda row: False
    newest: bool = False
    can_be_missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeoutTable:
    """How the rows of one table are exported and imported.

    - `excluded_columns`: columns that are not exported: secrets, and data that only the original instance can use.
    - `former_columns`: columns of earlier versions. An old ZIP may contain them; they are ignored.
    - `serializers`: functions that return the exported value of a column.
    - `filter_rows`: selects the rows to export. Default: all rows of the account.
    - `files`: columns that hold the keys of stored files, or the row's own id.
    - `file_hashes`: columns with the SHA-256 of such a file, by the column of its key.
    - `replaces`: whether the import first deletes the account's existing rows.
    - `resolve_conflicts`: returns pairs of an imported row and the columns to change, because their values are already
      in use. It is called before any row is written.
    - `store_file`: stores the bytes of a file under a key and returns the columns of its row that change. It raises
      ValueError, with a message for the reader, if the file is not allowed.
    - `import_row`: sets excluded columns of a row before it is written. The third argument is the row as exported.
    - `fixed_ids_reason`: why its ids cannot change. The import is refused with this text if an id is in use.
    - `filter_conflicts`: selects the existing rows with the same ids that are a conflict. Default: all of them.
    - `column_types`: the types that validate imported columns; see `column_types`.
    - `number_references`: columns that hold the number of a row in another table.
    - `check_row`: raises ValueError if columns of an imported row contradict one another.
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
    """A table of the export. `account_path` is the lookup from a row to its account."""

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
        """Return the type for validating this column.

        Return None if the column's kind is sufficient or no type is declared.
        """
        if column.choices or isinstance(column, ForeignKey):
            return None
        return self.takeout.column_types.get(column.name) or column_types.default_type(column)

    @property
    def has_numeric_ids(self) -> bool:
        """True if the primary key is a number, which changes on import."""
        return self.model._meta.pk.get_internal_type().endswith("AutoField")

    def rows_for(self, account: Account) -> QuerySet[Any]:
        found = self.model._base_manager.filter(**{self.account_path: account}).order_by("pk")
        return self.takeout.filter_rows(found) if self.takeout.filter_rows is not None else found


_takeout_tables: dict[str, TakeoutTable] = {}
_excluded: dict[str, str] = {}


def register_tables(*tables: TakeoutTable) -> None:
    for table in tables:
        _takeout_tables[table.model._meta.label_lower] = table


def exclude_tables(reason: str, *labels: str) -> None:
    _excluded.update(dict.fromkeys((label.lower() for label in labels), reason))


def excluded_tables() -> dict[str, str]:
    """Return the reason for excluding each excluded table, keyed by model label."""
    return dict(_excluded)


def all_models() -> list[type[Model]]:
    return [model for model in apps.get_models() if not model._meta.proxy]


def unregistered_tables() -> list[str]:
    """Return the tables that are neither exported nor excluded.

    They have no path to an account, or only a path through excluded tables.
    """
    known = {*_excluded, *(table.name for table in list_tables()), Account._meta.label_lower}
    return [model._meta.label for model in all_models() if model._meta.label_lower not in known]


def list_tables() -> list[AccountTable]:
    """Return all exported tables, ordered so that a table follows the tables that it refers to."""
    account_paths: dict[type[Model], str] = {Account: ""}
    waiting = [one for one in all_models() if one is not Account and one._meta.label_lower not in _excluded]
    while found := {model: path for model in waiting if (path := _account_path(model, account_paths)) is not None}:
        account_paths |= found
        waiting = [model for model in waiting if model not in found]
    del account_paths[Account]
    made = [
        AccountTable(model, path, _takeout_tables.get(model._meta.label_lower) or TakeoutTable(model=model))
        for model, path in account_paths.items()
    ]
    return _sort_by_dependency(made)


def foreign_key_targets(model: type[Model]) -> dict[str, type[Model]]:
    """Return the related models of the foreign keys, by column name."""
    keys = (one for one in model._meta.concrete_fields if isinstance(one, ForeignKey))
    return {one.name: one.related_model for one in keys}


def _account_path(model: type[Model], paths: Mapping[type[Model], str]) -> str | None:
    keys = foreign_key_targets(model)
    for name, to in keys.items():
        if to is Account:
            return name
    if any(to not in paths and to is not model for name, to in keys.items() if not model._meta.get_field(name).null):
        return None  # a required row is excluded or not resolved yet
    for name, to in keys.items():
        if to in paths and not model._meta.get_field(name).null:
            return f"{name}{LOOKUP_SEP}{paths[to]}"
    return None


def _sort_by_dependency(tables: list[AccountTable]) -> list[AccountTable]:
    wanted, done = {table.model: table for table in tables}, dict[type[Model], AccountTable]()

    def add_table(table: AccountTable, above: tuple[type[Model], ...]) -> None:
        if table.model in done or table.model in above:
            return
        for to in foreign_key_targets(table.model).values():
            if to in wanted and to is not table.model:
                add_table(wanted[to], (*above, table.model))
        done[table.model] = table

    for table in tables:
        add_table(table, ())
    return list(done.values())
