"""All of a pack judged before anything is written: each row, what it points to, each file, and which ids, addresses and
codes are taken here. What is found out is the plan by which `arriving` writes."""

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
from workspace.accounts.takeout import format as takeout_format
from workspace.accounts.takeout.row_parser import Wrong, parsed, row_of
from workspace.accounts.takeout.tables import Arrival, Numbered, Table, points_to, tables
from workspace.accounts.takeout.zip_reader import Pack
from workspace.lib.errors import ToolError
from workspace.storage.files import images, store

_CHUNK = 500
MOST_KEPT = 20_000  # rows that stay in memory from the check until they are written
Chunk = list[tuple[int, Any, dict[str, Any]]]


@dataclass(slots=True)
class Wanted:
    """A file that a row tells of."""

    table: Table
    column: str
    row: Any


@dataclass(slots=True)
class Plan:
    """`renamed`: ids that are taken here, with the new ones.

    `changes`: columns of rows that differ from what came, by table and the id that came. `keys`: files that are kept
    already, by what the pack calls them. `chunks`: the rows of tables, by name, so that they need not be read again
    while others wait to write."""

    pack: Pack
    arrival: Arrival
    renamed: dict[str, str] = field(default_factory=dict)
    changes: dict[tuple[str, Any], dict[str, Any]] = field(default_factory=dict)
    wanted: dict[str, Wanted] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    chunks: dict[str, list[Chunk]] = field(default_factory=dict)

    def change(self, table: Table, id: Any, columns: dict[str, Any]) -> None:
        self.changes.setdefault((table.name, id), {}).update(columns)


def rows_of(pack: Pack, table: Table) -> Iterator[Chunk]:
    """The rows of a table in chunks: the line's number, the row and what was told of it. Raises ToolError."""
    lines = pack.lines(table.name)
    while chunk := list(islice(lines, _CHUNK)):
        made = []
        for number, line in chunk:
            try:
                told = parsed(line)
                made.append((number, row_of(table, told), told))
            except Wrong as problem:
                raise at(table, number, str(problem)) from None
        yield made


def checked_rows(plan: Plan, table: Table) -> Iterator[Chunk]:
    """Return the rows of a table as the check left them: from memory, or read again where there are many.

    Each table can be asked for once."""
    return iter(plan.chunks.pop(table.name)) if table.name in plan.chunks else rows_of(plan.pack, table)


def check(pack: Pack, account: Account) -> Plan:
    """Raises ToolError, with the file and the line, for the first thing that is wrong."""
    plan = Plan(pack, Arrival(account, pack.former, str(pack.manifest.get("packed_from", ""))[:300].rstrip("/")))
    targets = {to for table in tables() for to in points_to(table.model).values()}
    ids: dict[type[Model], set[Any]] = {table.model: set() for table in tables()}
    later: list[tuple[Table, int, str, type[Model], Any]] = []
    numbers = Numbers()
    count = 0
    for table in tables():
        for chunk in rows_of(pack, table):
            count += len(chunk)
            _keep_chunk(plan, table, chunk, count)
            for number, row, _told in chunk:
                for name, to in points_to(table.model).items():
                    later += _pointing(plan, table, number, row, name, to, ids)
                if table.model in targets:
                    ids[table.model].add(row.pk)
                _note_files(plan, table, number, row)
                numbers.note(table, number, row)
            _note_clashes(plan, table, [row for _number, row, _told in chunk])
    for table, number, name, to, id in later:
        if id not in ids[to]:
            raise at(table, number, f"{name} leads to nothing in this ZIP")
    numbers.check()
    if unknown := [key for key in pack.files if key not in plan.wanted]:
        raise ToolError(f"files/{unknown[0]} belongs to nothing in this ZIP")
    return plan


def _keep_chunk(plan: Plan, table: Table, chunk: Chunk, count: int) -> None:
    """Keep the first rows in memory. `count`: rows of all tables so far."""
    if count > takeout_format.MOST_ROWS:
        raise ToolError("This ZIP holds more rows than an account may bring")
    if count <= MOST_KEPT:
        plan.chunks.setdefault(table.name, []).append(chunk)
    else:
        plan.chunks.pop(table.name, None)


def _note_clashes(plan: Plan, table: Table, rows: list[Any]) -> None:
    _note_taken(plan, table, rows)
    if table.carried.clash is not None:
        for row, columns in table.carried.clash(plan.arrival, rows):
            plan.change(table, row.pk, columns)


@dataclass(slots=True)
class NamedNumber:
    """A column that holds the number of a row. `is_there` is false where that row is not made yet."""

    table: Table
    line: int
    column: str
    way: Numbered
    parent: Any
    number: int
    is_there: bool


class Numbers:
    """Which numbered rows there are, and which of them other rows name."""

    def __init__(self) -> None:
        wanted = [one for table in tables() for one in table.carried.numbered.values()]
        self.there: dict[type[Model], dict[Any, set[int]]] = {one.model: {} for one in wanted}
        self.ways = {one.model: one for one in wanted}
        self.named: list[NamedNumber] = []

    def note(self, table: Table, line: int, row: Any) -> None:
        if way := self.ways.get(table.model):
            parent: Any = table.model._meta.get_field(way.parent)
            self.there[table.model].setdefault(getattr(row, parent.attname), set()).add(getattr(row, way.number))
        for name, one in table.carried.numbered.items():
            is_there = not one.unless(row)
            if is_there or one.newest:
                parent_id, number = getattr(row, one.of), getattr(row, name)
                self.named.append(NamedNumber(table, line, name, one, parent_id, number, is_there))

    def check(self) -> None:
        for named in self.named:
            noun = named.way.model._meta.verbose_name
            numbers = self.there[named.way.model].get(named.parent, set())
            if named.is_there and not named.way.may_be_gone and named.number not in numbers:
                raise at(named.table, named.line, f"{named.column}: there is no {noun} {named.number} in this ZIP")
            if not named.way.newest or not numbers:
                continue
            highest = max(numbers)
            least = highest if named.is_there else highest + 1
            if named.number < least:
                problem = f"{named.column}: this number is too low, since {noun} {highest} is in this ZIP"
                raise at(named.table, named.line, problem)


def _pointing(
    plan: Plan, table: Table, number: int, row: Any, name: str, to: type[Model], ids: dict[type[Model], set[Any]]
) -> list[tuple[Table, int, str, type[Model], Any]]:
    """What can only be judged when all rows were seen."""
    column = table.model._meta.get_field(name)
    assert isinstance(column, ForeignKey)
    id = getattr(row, column.attname)
    if to is Account:
        if id != plan.pack.former:
            raise at(table, number, f"{name} is another account")
    elif id is not None and to not in ids:
        raise at(table, number, f"{name} points to a row that cannot be imported")
    elif id is not None and id not in ids[to]:
        return [(table, number, name, to, id)]
    return []


def _note_files(plan: Plan, table: Table, number: int, row: Any) -> None:
    for column in table.carried.files:
        key = str(getattr(row, column))
        if not key:
            continue
        if not takeout_format.FILE.fullmatch(takeout_format.file_entry(key)) or key in plan.wanted:
            raise at(table, number, f"{column} names no file of its own")
        plan.wanted[key] = Wanted(table, column, row)
        if len(plan.wanted) > takeout_format.MOST_FILES:
            raise ToolError("This ZIP holds more files than an account may bring")


def _note_taken(plan: Plan, table: Table, rows: Sequence[Any]) -> None:
    key = table.model._meta.pk
    if not isinstance(key, CharField):
        return
    here = table.model._base_manager.filter(pk__in=[row.pk for row in rows])
    if table.carried.others is not None:
        here = table.carried.others(here)
    for id in here.values_list("pk", flat=True):
        if table.carried.fixed or not key.has_default():
            raise ToolError(table.carried.fixed or f"{id} is on this installation already")
        plan.renamed[id] = key.get_default()


def receive(plan: Plan) -> None:
    """Store the files of the archive. Images are encoded again, and other files are checked.

    No row refers to them yet. Call `take_away` when the import fails. Raises ToolError."""
    there = set(plan.pack.files)
    for key, wanted in plan.wanted.items():
        if key not in there:
            plan.arrival.note("Some files were missing where this was packed already")
            continue
        content = plan.pack.content(key)
        for column, hashed in wanted.table.carried.hashed.items():
            if column == wanted.column and hashlib.sha256(content).hexdigest() != getattr(wanted.row, hashed):
                raise ToolError(f"files/{key} is not the file that was sealed")
        is_own = wanted.column == wanted.table.model._meta.pk.name
        new = plan.renamed.get(key, key) if is_own else _free(key)
        plan.keys[key] = new
        try:
            changed = (wanted.table.carried.receive or _keep)(wanted.row, new, content)
        except ValueError as problem:
            raise ToolError(f"files/{key}: {str(problem)[:200]}") from None
        if not is_own and new != key:
            changed = {**changed, wanted.column: new}
        if changed:
            plan.change(wanted.table, wanted.row.pk, changed)


def _keep(row: Any, key: str, content: bytes) -> dict[str, Any]:
    store.put(key, content)
    return {}


def take_away(plan: Plan) -> None:
    for key in plan.keys.values():
        with suppress(OSError):
            images.forget(key)


def _free(key: str) -> str:
    try:
        store.reading(key)
    except FileNotFoundError:
        return key
    return f"{key.partition('_')[0]}_{secrets.token_hex(16)}"


def at(table: Table, number: int, problem: str) -> ToolError:
    return ToolError(f"{takeout_format.table_entry(table.name)}, line {number}: {problem}")
