"""A changed export is refused with its table, line and column, or is harmless.

Harmless means that every page opens, every tool that reads answers, and every scheduled task ends.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.across.account_crawler import Opened, open_everything
from tests.across.row_mutations import Mutation, mutated
from tests.across.sample_exports import Export, forget_everything, import_account
from tests.across.samples import things
from workspace.accounts.models import Account
from workspace.accounts.takeout.row_parser import InvalidRowError, build_row
from workspace.accounts.takeout.tables import list_tables
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing.api import Api, make_account

# for more, with another seed: WORKSPACE_TEST_MUTATIONS=2000 WORKSPACE_TEST_SEED=2
MANY, SEED = int(os.environ.get("WORKSPACE_TEST_MUTATIONS", "200")), os.environ.get("WORKSPACE_TEST_SEED", "11")
LONGEST = max(300, 3 * MANY)  # seconds
pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow, pytest.mark.timeout(LONGEST)]
AT_ONCE = 100
PLACED = re.compile(r"tables/(?P<table>[a-z_.]+)\.jsonl, line (?P<line>\d+): (?P<column>\w+)")
# a file that its row no longer names, or a record of another chain
OTHERS = ("files/", "Another account on this instance already has these records")


def test_a_changed_export_is_refused_by_column_or_is_harmless(api: Api, tmp_path: Path) -> None:
    made = things(api)
    export = Export.create(api.account, tmp_path)
    forget_everything()
    random, found = Random(SEED), {table.name: table for table in list_tables() if export.rows[table.name]}
    names = list(found)
    changes, cells, faults = [], set[Any](), list[str]()
    for number in range(MANY):
        name = names[number % len(names)]
        keys = {column.name for column in found[name].columns if column.is_relation or column.primary_key}
        for _ in range(20):  # a different cell than before, if any is left
            one = mutated(export.rows, random, name, keys)
            if one.cell not in cells:
                break
        cells.add(one.cell)
        try:
            build_row(found[one.table], one.row)
        except InvalidRowError as problem:
            if not str(problem).startswith((one.column, f"{one.column[:40]!r} isn’t supported")):
                faults.append(f"{one} is refused without its column: {problem}")
        else:
            changes.append(one)
    random.shuffle(changes)
    walks: list[tuple[list[Mutation], Opened]] = []
    while changes:
        some = list({one.cell: one for one in changes}.values())[:AT_ONCE]
        changes = [one for one in changes if not any(one is other for other in some)]
        some, refused = _imported(export, some)
        faults += [f"{one}: {told}" for one, told in refused if not PLACED.match(told) and not told.startswith(OTHERS)]
        opened = _open(export, some, made)
        walks.append((some, opened))
        print(f"{len(some)} changes imported together, {len(opened.slowest)} opened:", opened.failed, flush=True)
    for some, opened in walks:
        faults += _culprits(export, some, made, opened) if opened.failed else []
    imported = sum(len(some) for some, _opened in walks)
    slowest = sorted(((seconds, name) for _some, one in walks for name, seconds in one.slowest.items()), reverse=True)
    print(f"{MANY} changes, {imported} imported, the others refused; seed {SEED}; slowest: {slowest[:8]}")
    assert faults == [], "\n".join(faults)


def _zipped(export: Export, changes: Sequence[Mutation]) -> io.BytesIO:
    rows = {one.table: list(export.rows[one.table]) for one in changes}
    for one in changes:
        row = rows[one.table][one.place] = dict(rows[one.table][one.place])
        row.pop(one.column)
        if one.column in one.row:
            row[one.column] = one.row[one.column]
    return export.zipped(**rows)


def _refusal(export: Export, changes: Sequence[Mutation]) -> tuple[Account, str]:
    """Import the changes into an empty account. Return the account, and the reason if the import is refused."""
    forget_everything()
    account = make_account(name="Empty")
    try:
        import_account(account, _zipped(export, changes))
    except OperationNotAllowedError as problem:
        return account, str(problem)
    return account, ""


def _imported(export: Export, changes: Sequence[Mutation]) -> tuple[list[Mutation], list[tuple[Mutation, str]]]:
    """Return the changes that can be imported together, and the others with their reasons."""
    left, refused = list(changes), list[tuple[Mutation, str]]()
    while left and (told := _refusal(export, left)[1]):
        placed = PLACED.match(told)
        own = [one for one in left if placed and one.cell == _cell(placed)]
        one = own[0] if own else _first_refused(export, left)
        refused.append((one, told))
        left.remove(one)
    return left, refused


def _cell(placed: re.Match[str]) -> tuple[str, int, str]:
    return placed["table"], int(placed["line"]) - 1, placed["column"]


def _first_refused(export: Export, changes: Sequence[Mutation]) -> Mutation:
    """Return the first change that causes a refusal."""
    imported, refused = 0, len(changes)
    while refused - imported > 1:
        middle = (imported + refused) // 2
        if _refusal(export, changes[:middle])[1]:
            refused = middle
        else:
            imported = middle
    return changes[refused - 1]


def _open(export: Export, changes: Sequence[Mutation], made: dict[str, str], only: set[str] | None = None) -> Opened:
    account, told = _refusal(export, changes)
    assert not told, told
    return open_everything(account, made, only)


def _culprits(export: Export, changes: Sequence[Mutation], made: dict[str, str], opened: Opened) -> list[str]:
    """Return the failures with the changes that caused them."""
    if not opened.failed:
        return []
    if len(changes) <= 1:
        return [f"{[*map(str, changes)]}: {name}: {told}" for name, told in opened.failed.items()]
    half, faults = len(changes) // 2, list[str]()
    for some in (changes[:half], changes[half:]):
        faults += _culprits(export, some, made, _open(export, some, made, set(opened.failed)))
    return faults
