"""Checking an export before anything is written.

All rows, references and files are checked, and conflicts with existing ids, addresses and codes are found. The result
is the plan that `importer` follows.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import CharField, ForeignKey, Model

from workspace.accounts.models import Account
from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import messages
from workspace.accounts.takeout.row_parser import InvalidRowError, build_row, parse_line
from workspace.accounts.takeout.tables import (
    AccountTable,
    ImportContext,
    NumberReference,
    foreign_key_targets,
    list_tables,
)
from workspace.accounts.takeout.zip_reader import TakeoutArchive
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.files import images, store

_CHUNK_SIZE = 500
MAX_ROWS_IN_MEMORY = 20_000  # maximum number of checked rows that stay in memory until they are written
Chunk = list[tuple[int, Any, dict[str, Any]]]


@dataclass(slots=True)
class ExpectedFile:
    """A file that a row refers to."""

    table: AccountTable
    column: str
    row: Any


@dataclass(slots=True)
class ImportPlan:
    """The result of the check: the changes that the import makes and the data that it stores.

    - `new_ids`: new ids by former id, for ids that are already used on this instance.
    - `changes`: columns that differ from the exported row, by table and former id.
    - `stored_keys`: keys of files that are already stored, by their key in the archive.
    - `chunks`: checked rows by table name, so that they are not read again during the write transaction.
    """

    archive: TakeoutArchive
    context: ImportContext
    new_ids: dict[str, str] = field(default_factory=dict)
    changes: dict[tuple[str, Any], dict[str, Any]] = field(default_factory=dict)
    expected_files: dict[str, ExpectedFile] = field(default_factory=dict)
    stored_keys: dict[str, str] = field(default_factory=dict)
    chunks: dict[str, list[Chunk]] = field(default_factory=dict)

    def add_changes(self, table: AccountTable, id: Any, columns: dict[str, Any]) -> None:
        self.changes.setdefault((table.name, id), {}).update(columns)


def read_chunks(pack: TakeoutArchive, table: AccountTable) -> Iterator[Chunk]:
    """Yield a table's rows in chunks of (line number, unsaved row, exported values).

    Raise OperationNotAllowedError if a line is invalid.
    """
    lines = pack.read_lines(table.name)
    while chunk := list(islice(lines, _CHUNK_SIZE)):
        made = []
        for number, line in chunk:
            try:
                values = pack.names.rename_columns(table.name, parse_line(line))
                made.append((number, build_row(table, values), values))
            except InvalidRowError as problem:
                raise row_error(table, number, str(problem)) from None
        yield made


def pop_checked_chunks(plan: ImportPlan, table: AccountTable) -> Iterator[Chunk]:
    """Return a table's checked rows, from memory or, if there are many, by reading them again.

    It can be called only once per table.
    """
    return iter(plan.chunks.pop(table.name)) if table.name in plan.chunks else read_chunks(plan.archive, table)


def check_archive(pack: TakeoutArchive, account: Account) -> ImportPlan:
    """Check the archive and return the plan for importing it.

    Raise OperationNotAllowedError with the file and the line of the first problem.
    """
    plan = ImportPlan(
        pack,
        ImportContext(account, pack.former_account_id, str(pack.manifest.get("exported_from", ""))[:300].rstrip("/")),
    )
    targets = {to for table in list_tables() for to in foreign_key_targets(table.model).values()}
    ids: dict[type[Model], set[Any]] = {table.model: set() for table in list_tables()}
    later: list[tuple[AccountTable, int, str, type[Model], Any]] = []
    numbers = NumberChecker()
    count = 0
    for table in list_tables():
        for chunk in read_chunks(pack, table):
            count += len(chunk)
            _cache_chunk(plan, table, chunk, count)
            for number, row, _told in chunk:
                for name, to in foreign_key_targets(table.model).items():
                    later += _unresolved_references(plan, table, number, row, name, to, ids)
                if table.model in targets:
                    ids[table.model].add(row.pk)
                _record_files(plan, table, number, row)
                numbers.add_row(table, number, row)
            _record_conflicts(plan, table, [row for _number, row, _told in chunk])
    for table, number, name, to, id in later:
        if id not in ids[to]:
            raise row_error(table, number, f"{name} refers to a row that isn’t in this ZIP file")
    numbers.check_all()
    if unknown := [key for key in pack.file_keys if key not in plan.expected_files]:
        raise OperationNotAllowedError(messages.FILE_UNUSED(file=f"files/{unknown[0]}"))
    return plan


def _cache_chunk(plan: ImportPlan, table: AccountTable, chunk: Chunk, count: int) -> None:
    """Cache the first rows in memory. `count` is the number of rows of all tables so far."""
    if count > takeout_format.MAX_ROWS:
        raise OperationNotAllowedError(messages.TOO_MANY_ROWS)
    if count <= MAX_ROWS_IN_MEMORY:
        plan.chunks.setdefault(table.name, []).append(chunk)
    else:
        plan.chunks.pop(table.name, None)


def _record_conflicts(plan: ImportPlan, table: AccountTable, rows: list[Any]) -> None:
    _assign_new_ids(plan, table, rows)
    if table.takeout.resolve_conflicts is not None:
        for row, columns in table.takeout.resolve_conflicts(plan.context, rows):
            plan.add_changes(table, row.pk, columns)


@dataclass(slots=True)
class ReferencedNumber:
    """A column with the number of another row. `exists` is false if that row has not been created yet."""

    table: AccountTable
    line: int
    column: str
    reference: NumberReference
    parent: Any
    number: int
    exists: bool


class NumberChecker:
    """Checks columns that refer to numbered rows."""

    def __init__(self) -> None:
        wanted = [one for table in list_tables() for one in table.takeout.number_references.values()]
        self.existing: dict[type[Model], dict[Any, set[int]]] = {one.model: {} for one in wanted}
        self.references = {one.model: one for one in wanted}
        self.referenced: list[ReferencedNumber] = []

    def add_row(self, table: AccountTable, line: int, row: Any) -> None:
        if references := self.references.get(table.model):
            parent: Any = table.model._meta.get_field(references.parent)
            self.existing[table.model].setdefault(getattr(row, parent.attname), set()).add(
                getattr(row, references.number)
            )
        for name, one in table.takeout.number_references.items():
            is_there = not one.unless(row)
            if is_there or one.newest:
                parent_id, number = getattr(row, one.of), getattr(row, name)
                self.referenced.append(ReferencedNumber(table, line, name, one, parent_id, number, is_there))

    def check_all(self) -> None:
        for named in self.referenced:
            noun = named.reference.model._meta.verbose_name
            numbers = self.existing[named.reference.model].get(named.parent, set())
            if named.exists and not named.reference.can_be_missing and named.number not in numbers:
                raise row_error(
                    named.table, named.line, f"{named.column}: {noun} {named.number} isn’t in this ZIP file"
                )
            if not named.reference.newest or not numbers:
                continue
            highest = max(numbers)
            least = highest if named.exists else highest + 1
            if named.number < least:
                problem = f"{named.column}: this number is too low, because this ZIP file contains {noun} {highest}"
                raise row_error(named.table, named.line, problem)


def _unresolved_references(
    plan: ImportPlan,
    table: AccountTable,
    number: int,
    row: Any,
    name: str,
    to: type[Model],
    ids: dict[type[Model], set[Any]],
) -> list[tuple[AccountTable, int, str, type[Model], Any]]:
    """Return a row's references that can be checked only after all rows are read.

    Raise OperationNotAllowedError if the row refers to another account or to a table that cannot be imported.
    """
    column = table.model._meta.get_field(name)
    assert isinstance(column, ForeignKey)
    id = getattr(row, column.attname)
    if to is Account:
        if id != plan.archive.former_account_id:
            raise row_error(table, number, f"{name} refers to another account")
    elif id is not None and to not in ids:
        raise row_error(table, number, f"{name} refers to a row that can’t be imported")
    elif id is not None and id not in ids[to]:
        return [(table, number, name, to, id)]
    return []


def _record_files(plan: ImportPlan, table: AccountTable, number: int, row: Any) -> None:
    for column in table.takeout.files:
        key = str(getattr(row, column))
        if not key:
            continue
        if not takeout_format.FILE_PATTERN.fullmatch(takeout_format.file_entry(key)) or key in plan.expected_files:
            raise row_error(table, number, f"{column} doesn’t have its own file")
        plan.expected_files[key] = ExpectedFile(table, column, row)
        if len(plan.expected_files) > takeout_format.MAX_FILES:
            raise OperationNotAllowedError(messages.TOO_MANY_FILES)


def _assign_new_ids(plan: ImportPlan, table: AccountTable, rows: Sequence[Any]) -> None:
    key = table.model._meta.pk
    if not isinstance(key, CharField):
        return
    here = table.model._base_manager.filter(pk__in=[row.pk for row in rows])
    if table.takeout.filter_conflicts is not None:
        here = table.takeout.filter_conflicts(here)
    for id in here.values_list("pk", flat=True):
        if table.takeout.fixed_ids_reason or not key.has_default():
            raise OperationNotAllowedError(table.takeout.fixed_ids_reason or messages.ID_TAKEN(id=id))
        plan.new_ids[id] = key.get_default()


def store_files(plan: ImportPlan) -> None:
    """Store the files of the archive. Images are re-encoded, and other files are checked.

    No row refers to them yet. Call `delete_files` if the import fails. Raise OperationNotAllowedError if a file is
    invalid.
    """
    there = set(plan.archive.file_keys)
    for key, wanted in plan.expected_files.items():
        if key not in there:
            plan.context.add_note("Some files were already missing when the account was exported.")
            continue
        content = plan.archive.read_file(key)
        for column, hashed in wanted.table.takeout.file_hashes.items():
            if column == wanted.column and hashlib.sha256(content).hexdigest() != getattr(wanted.row, hashed):
                raise OperationNotAllowedError(messages.FILE_CHANGED(file=f"files/{key}"))
        is_own = wanted.column == wanted.table.model._meta.pk.name
        new = plan.new_ids.get(key, key) if is_own else _unused_key(key)
        plan.stored_keys[key] = new
        try:
            changed = (wanted.table.takeout.store_file or _store_file)(wanted.row, new, content)
        except ValueError as problem:
            raise OperationNotAllowedError(
                messages.FILE_INVALID(file=f"files/{key}", problem=str(problem)[:200])
            ) from None
        if not is_own and new != key:
            changed = {**changed, wanted.column: new}
        if changed:
            plan.add_changes(wanted.table, wanted.row.pk, changed)


def _store_file(row: Any, key: str, content: bytes) -> dict[str, Any]:
    store.put(key, content)
    return {}


def delete_files(plan: ImportPlan) -> None:
    for key in plan.stored_keys.values():
        with suppress(OSError):
            images.delete_image(key)


def _unused_key(key: str) -> str:
    try:
        store.read_chunks(key)
    except FileNotFoundError:
        return key
    return f"{key.partition('_')[0]}_{secrets.token_hex(16)}"


def row_error(table: AccountTable, number: int, problem: str) -> OperationNotAllowedError:
    return OperationNotAllowedError(f"{takeout_format.table_entry(table.name)}, line {number}: {problem}")
