"""Exporting an account to one ZIP file, with its rows and files as of one moment.

Rows and files are streamed, so the export is never completely in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings

from workspace.accounts.models import Account
from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import messages
from workspace.accounts.takeout.tables import AccountTable, excluded_tables, list_tables
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage import journal
from workspace.storage.database.transactions import read_snapshot
from workspace.storage.files import store

_CHUNK_SIZE = 500
README = """An export of an account of Workspace Tools.

index.html    An overview of the content.
manifest.json The format version, the account and the columns of each table, for programs.
tables/       One file per table, with one JSON row per line (JSONL).
files/        Images, uploads, signed PDFs and badges, under the names used in the rows.

To restore it, create an account on any instance, leave it empty, and open Account > Export and import.
Secrets are not included. Set new passwords, API keys and webhook secrets there, and connect payment providers,
calendars and address books again.
"""


def export_account(account: Account, path: Path) -> dict[str, int]:
    """Write the ZIP to the path and return the number of rows per table.

    Raise OperationNotAllowedError if the account exceeds a limit of the format.
    """
    with read_snapshot(), ZipFile(path, "w", ZIP_DEFLATED) as out:
        taken, counts = _FileKeys(), dict[str, int]()
        columns: dict[str, list[str]] = {}
        for table in list_tables():
            counts[table.name] = _write_table(out, table, account, taken)
            columns[table.name] = [column.name for column in table.columns]
            if sum(counts.values()) > takeout_format.MAX_ROWS:
                raise OperationNotAllowedError(messages.EXPORT_TOO_LARGE)
        sizes = _write_files(out, taken)
        manifest = {
            "format": takeout_format.FORMAT,
            "version": takeout_format.VERSION,
            "exported_at": clock.to_iso(clock.now()),
            "exported_from": settings.BASE_URL,
            "account": {"id": account.pk, "name": account.name, "time_zone": account.time_zone},
            "tables": {name: {"rows": rows, "columns": columns[name]} for name, rows in counts.items()},
            "files": sizes,
            "missing_files": taken.missing,
            "excluded_tables": excluded_tables(),
        }
        out.writestr("README.txt", README)
        out.writestr(takeout_format.INDEX, _render_index(manifest))
        out.writestr(takeout_format.MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
    if path.stat().st_size > takeout_format.MAX_ARCHIVE_BYTES:
        raise OperationNotAllowedError(messages.EXPORT_TOO_LARGE)
    return counts


class _FileKeys:
    """The keys of files that exported rows refer to, in order."""

    def __init__(self) -> None:
        self.keys: dict[str, None] = {}
        self.missing: list[str] = []


def _write_table(out: ZipFile, table: AccountTable, account: Account, file_keys: _FileKeys) -> int:
    count = 0
    with out.open(takeout_format.table_entry(table.name), "w", force_zip64=True) as entry:
        for row in table.rows_for(account).iterator(chunk_size=_CHUNK_SIZE):
            line = json.dumps(serialize_row(table, row), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            if len(line) > takeout_format.MAX_ROW_BYTES:
                raise OperationNotAllowedError(messages.EXPORT_TOO_LARGE)
            entry.write(line)
            count += 1
            for name in table.takeout.files:
                if key := getattr(row, name):
                    file_keys.keys[str(key)] = None
    return count


def serialize_row(table: AccountTable, row: Any) -> dict[str, Any]:
    """Return a row's exported columns as JSON values."""
    made = {column.name: journal.json_value(row, column.name) for column in table.columns}
    return {**made, **{name: tell(row) for name, tell in table.takeout.serializers.items()}}


def _write_files(out: ZipFile, file_keys: _FileKeys) -> int:
    if len(file_keys.keys) > takeout_format.MAX_FILES:
        raise OperationNotAllowedError(messages.EXPORT_TOO_LARGE)
    in_all = written = 0
    for key in file_keys.keys:
        try:
            pieces = store.read_chunks(key)
        except FileNotFoundError:
            file_keys.missing.append(key)
            continue
        for size in _write_file(out, key, pieces):
            in_all += size
            if in_all > takeout_format.MAX_UNPACKED_BYTES:
                raise OperationNotAllowedError(messages.EXPORT_TOO_LARGE)
        written += 1
    return written


def _write_file(out: ZipFile, key: str, pieces: Iterator[bytes]) -> Iterator[int]:
    zip_info = ZipInfo(takeout_format.file_entry(key))
    zip_info.compress_type = ZIP_STORED  # images and PDFs are already compressed
    with out.open(zip_info, "w", force_zip64=True) as entry:
        for piece in pieces:
            entry.write(piece)
            yield len(piece)


def _render_index(manifest: dict[str, Any]) -> str:
    rows = "".join(
        _render_index_row(name, table["rows"]) for name, table in manifest["tables"].items() if table["rows"]
    )
    account = manifest["account"]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(account["name"])}</title>'
        f"<h1>{escape(account['name'])}</h1><p>Exported on {escape(manifest['exported_at'])} from "
        f"{escape(manifest['exported_from'])}: {manifest['files']:,} files and these rows.</p>"
        f"<table><tr><th>Table</th><th>Rows</th></tr>{rows}</table></html>"
    )


def _render_index_row(name: str, rows: int) -> str:
    link = f'<a href="{escape(takeout_format.table_entry(name))}">{escape(_table_title(name))}</a>'
    return f"<tr><td>{link}</td><td>{rows:,}</td></tr>"


def _table_title(name: str) -> str:
    for table in list_tables():
        if table.name == name:
            app, plural = table.model._meta.app_label, str(table.model._meta.verbose_name_plural)
            return f"{app}: {plural}"
    return name
