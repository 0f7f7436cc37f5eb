"""An account exported in version 1 of the format is imported completely.

`export-version-1.zip` was made by the last commit that wrote version 1: the demo, one item of every kind, calls with
random arguments, and guests who signed, paid and answered. Every table has rows, and nearly every column has a value
that differs from its default. Its pictures are tiny, and most visits were left out.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import time_machine
from django.db import transaction

from tests.across.sample_exports import Export, Rows, import_account
from workspace.accounts.models import Account
from workspace.accounts.takeout import version_1_names
from workspace.accounts.takeout.archive_names import ArchiveNames, names_for_version
from workspace.accounts.takeout.row_parser import InvalidRowError
from workspace.accounts.takeout.tables import AccountTable, foreign_key_targets, list_tables
from workspace.accounts.takeout.zip_reader import TakeoutArchive
from workspace.audit_trail.verification import find_chain_end, verify_chain
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing.api import make_account, make_api

_ARCHIVE = Path(__file__).parent / "export-version-1.zip"
# the columns that an import changes on purpose, by table: docs/export-and-import.md says why
_CHANGED_BY_IMPORT = {
    "accounts.change": {"actor_key", "final_note"},  # no earlier change can be undone
    "accounts.upload": {"size"},  # pictures are encoded again
    "audit_trail.chain": {"count", "head"},  # the import is recorded
    "booking.booking": {"expiry_notice_pending"},
    "delivery.endpoint": {"live"},
    "payments.payment": {"applied_at"},
    "payments.refund": {"problem", "state"},
    "support.ticket": {"closed_at", "status", "waiting_since"},
}


@cache
def _archive_bytes() -> bytes:
    return _ARCHIVE.read_bytes()


def _archive() -> Export:
    return Export(_archive_bytes())


def _rename_columns(export: Export) -> Rows:
    """Return the rows under today's names, without tables that were added later."""
    names = names_for_version(1)
    former_rows = {table.name: export.rows.get(names.archive_table(table.name), []) for table in list_tables()}
    return {table: [names.rename_columns(table, row) for row in rows] for table, rows in former_rows.items()}


def _comparable_rows(rows: Rows, account_id: str) -> Rows:
    """Return the rows without the account's id, and with ordinals instead of numeric ids, which vary by instance.

    Rows are exported by id and imported in that order, so the n-th row stays the n-th."""
    tables = {table.model: table for table in list_tables()}
    ordinals = {
        table.name: {row[table.model._meta.pk.name]: number for number, row in enumerate(rows[table.name])}
        for table in tables.values()
        if table.has_numeric_ids
    }
    found = {}
    for table in tables.values():
        numeric = {table.model._meta.pk.name: ordinals[table.name]} if table.has_numeric_ids else {}
        for column, model in foreign_key_targets(table.model).items():
            if model in tables and tables[model].has_numeric_ids:
                numeric[column] = ordinals[tables[model].name]
        found[table.name] = [_comparable_row(table, row, numeric, account_id) for row in rows[table.name]]
    return found


def _comparable_row(
    table: AccountTable, row: dict[str, Any], numeric: dict[str, dict[Any, int]], account_id: str
) -> dict[str, Any]:
    made = json.loads(json.dumps(row).replace(account_id, "ACCOUNT"))
    for column, numbers in numeric.items():
        made[column] = numbers.get(row[column])
    left_out = {*_CHANGED_BY_IMPORT.get(table.name, ()), *table.takeout.former_columns}
    return {name: value for name, value in made.items() if name not in left_out}


@dataclass(frozen=True)
class Imported:
    """An imported account.

    `before` has the archive's rows under today's names; `after` is an export made after the import.
    """

    account: Account
    archive: Export
    result: dict[str, Any]
    before: Rows
    after: Export


@pytest.fixture(scope="module")
def imported(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    """Import the account once, on the day of its export, because later its reminders would be left out.

    Each test restores the database.
    """
    archive = _archive()
    day = datetime.fromisoformat(json.loads(archive.rest["manifest.json"])["packed_at"])
    with django_db_blocker.unblock(), transaction.atomic(), time_machine.travel(day):
        account = make_account(name="Empty")
        result = import_account(account, io.BytesIO(_archive_bytes()))
        after = Export.create(account, tmp_path_factory.mktemp("exports"))
        yield Imported(account, archive, result, _rename_columns(archive), after)
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_an_account_of_version_1_is_imported_whole(imported: Imported) -> None:
    assert imported.result["rows"] == sum(map(len, imported.before.values()))
    assert imported.result["files"] == len([name for name in imported.archive.rest if name.startswith("files/")]) > 50
    assert all(imported.archive.rows.values()), "the archive has rows of each of its tables"
    counts = {table: len(rows) for table, rows in imported.before.items()}
    counts["audit_trail.record"] += 1  # the import is recorded
    assert {table: len(rows) for table, rows in imported.after.rows.items()} == counts


@pytest.mark.django_db
def test_an_export_after_the_import_has_the_same_content(imported: Imported) -> None:
    manifest = json.loads(imported.archive.rest["manifest.json"])
    assert json.loads(imported.after.rest["manifest.json"])["version"] == 2
    rows = {**imported.after.rows, "audit_trail.record": imported.after.rows["audit_trail.record"][:-1]}
    expected = _comparable_rows(imported.before, manifest["account"]["id"])
    found = _comparable_rows(rows, imported.account.pk)
    for table, expected_rows in expected.items():
        for number, (row, other) in enumerate(zip(found[table], expected_rows, strict=True), 1):
            assert row == other, (table, number)
    files = {name for name in imported.archive.rest if name.startswith("files/")}
    assert {name for name in imported.after.rest if name.startswith("files/")} == files
    for name in files:
        if "pdf_" in name:  # signed files are the same, byte for byte
            assert imported.after.rest[name] == imported.archive.rest[name]


@pytest.mark.django_db
def test_the_audit_trail_of_version_1_keeps_its_kinds_and_verifies(imported: Imported) -> None:
    assert verify_chain(imported.account) == []
    columns = ("number", "kind", "hash", "body")
    *kept, added = [[row[name] for name in columns] for row in imported.after.rows["audit_trail.record"]]
    assert kept == [[row[name] for name in columns] for row in imported.before["audit_trail.record"]] != []
    assert {kind for _, kind, _, _ in kept} > {"bid.approved", "bid.deposit_paid", "certs.issued", "waiver.signed"}
    end = find_chain_end(imported.account)
    assert end is not None and (end.count, end.head) == (len(kept) + 1, added[2]) and added[1] == "records.brought"


@pytest.mark.django_db
def test_every_reading_tool_answers_for_what_was_imported(imported: Imported) -> None:
    api, tools = make_api(imported.account), {tool.name: tool for tool in CATALOG if tool.reads}
    items: dict[str, list[dict[str, Any]]] = {}
    for name, tool in tools.items():
        if not tool.input_schema.get("required"):
            status, body = api.post("call", {"name": name, "arguments": {}})
            assert status in (200, 400), body  # a few need an argument that the schema does not require
            if status == 200:
                items[name] = body["data"].get("items", [])
    details = 0
    for name, found in items.items():
        getter = tools.get(name.replace("_list", "_get"))
        required = getter.input_schema.get("required", []) if getter is not None else []
        for item in found if len(required) == 1 else []:
            api.run(name.replace("_list", "_get"), **{required[0]: item["id"]})
            details += 1
    assert len(items) > 30 and details > 50


def test_every_name_of_version_1_belongs_to_a_table_or_column_of_today() -> None:
    manifest = json.loads(_archive().rest["manifest.json"])["tables"]
    names = names_for_version(1)
    today = {table.name: table for table in list_tables()}
    assert {names.archive_table(table) for table in today} >= set(manifest)
    assert set(version_1_names.TABLES) <= set(manifest) and set(version_1_names.COLUMNS) <= set(manifest)
    for former, described in manifest.items():
        table = today[version_1_names.TABLES.get(former, former)]
        renamed = version_1_names.COLUMNS.get(former, {})
        assert set(renamed) <= {*described["columns"], *table.takeout.serializers}, former
        columns = {renamed.get(name, name) for name in described["columns"]}
        assert columns - set(table.takeout.former_columns) == {column.name for column in table.columns}, former


@pytest.mark.parametrize("version", [0, 3, "1", True, 1.0, None, [2]])
@pytest.mark.django_db
def test_other_versions_are_refused(version: Any) -> None:
    archive = _archive()
    manifest = json.loads(archive.rest["manifest.json"])
    archive.rest["manifest.json"] = json.dumps({**manifest, "version": version}).encode()
    with pytest.raises(OperationNotAllowedError, match="this instance only supports 1 and 2"):
        TakeoutArchive(archive.zipped())


@pytest.mark.django_db
def test_a_version_does_not_have_the_names_of_another() -> None:
    archive = _archive()
    manifest = json.loads(archive.rest["manifest.json"])
    archive.rest["manifest.json"] = json.dumps({**manifest, "version": 2}).encode()
    with pytest.raises(OperationNotAllowedError, match="which this version doesn’t support"):
        TakeoutArchive(archive.zipped())


def test_a_row_cannot_give_a_column_by_both_of_its_names() -> None:
    names = ArchiveNames({"app.old": "app.new"}, {"app.old": {"at": "created_at", "created_at": "started_at"}})
    assert names.archive_table("app.new") == "app.old" and names.archive_table("app.other") == "app.other"
    assert names.rename_columns("app.new", {"at": 1, "created_at": 2}) == {"created_at": 1, "started_at": 2}
    assert names.rename_columns("app.other", {"at": 1}) == {"at": 1}
    with pytest.raises(InvalidRowError, match="both its former and its current name"):
        names.rename_columns("app.new", {"created_at": 1, "started_at": 2})


def test_values_that_are_names_are_renamed_wherever_they_are_names() -> None:
    names = names_for_version(1)
    assert names.rename_columns("seat.step", {"act": "wishes"}) == {"act": "rules"}
    elements = [{"part": "lead", "text": "lead"}, {"part": "name"}, "lead", {"part": ["lead"]}]
    found = names.rename_columns("certs.template", {"lead": "lead", "elements": elements})
    assert found["intro"] == "lead"
    assert found["elements"] == [{"part": "intro", "text": "lead"}, {"part": "name"}, "lead", {"part": ["lead"]}]
    odd_values: list[Any] = [None, 7, {"part": "lead"}, [[]]]
    for odd in odd_values:
        assert names.rename_columns("certs.template", {"elements": odd}) == {"elements": odd}
    assert names.rename_columns("seat.step", {"act": ["wishes"]}) == {"act": ["wishes"]}


def test_the_archive_is_small_and_whole() -> None:
    assert _ARCHIVE.stat().st_size < 700_000
    with ZipFile(_ARCHIVE) as archive:
        assert archive.testzip() is None
