"""Reader of an untrusted export.

It accepts only entries whose names the format defines, each once and within its size limit. It reads only the entries
listed in the ZIP's directory.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from workspace.accounts.arguments import BusinessName
from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import column_types, messages
from workspace.accounts.takeout.archive_names import ArchiveNames, names_for_version
from workspace.accounts.takeout.tables import list_tables
from workspace.lib.errors import OperationNotAllowedError

_ZIP_ERRORS = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_CHUNK_SIZE = 64 * 1024


class TakeoutArchive:
    """An opened export. `manifest` is its validated manifest."""

    def __init__(self, file: IO[bytes]) -> None:
        """Open and check the ZIP. Raise OperationNotAllowedError, with a message for the reader, if it is invalid."""
        try:
            self.zip = ZipFile(file)
        except _ZIP_ERRORS:
            raise OperationNotAllowedError(messages.NOT_AN_EXPORT) from None
        self.file = file
        self.entries = _list_entries(self.zip.infolist())
        self.names, self.manifest = self._read_manifest()
        _check_entries(self.entries, self.names)
        self.former_account_id: str = self.manifest["account"]["id"]

    def close(self) -> None:
        self.zip.close()
        self.file.close()

    @property
    def file_keys(self) -> list[str]:
        return [found[1] for name in self.entries if (found := takeout_format.FILE_PATTERN.fullmatch(name))]

    def read_lines(self, table: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a table with their numbers, starting at 1. The lines use the archive's names.

        `table` is the table's current name.
        """
        entry = self.entries.get(takeout_format.table_entry(self.names.archive_table(table)))
        if entry is None:
            return
        try:
            with self.zip.open(entry) as rows:
                number = 0
                while line := rows.readline(takeout_format.MAX_ROW_BYTES + 1):
                    number += 1
                    if len(line) > takeout_format.MAX_ROW_BYTES:
                        raise OperationNotAllowedError(messages.ROW_TOO_LONG(file=entry.filename, line=number))
                    yield number, line
        except _ZIP_ERRORS:
            raise OperationNotAllowedError(messages.EXPORT_DAMAGED) from None

    def read_file(self, key: str) -> bytes:
        try:
            return self.zip.read(self.entries[takeout_format.file_entry(key)])
        except _ZIP_ERRORS:
            raise OperationNotAllowedError(messages.EXPORT_DAMAGED) from None

    def _read_manifest(self) -> tuple[ArchiveNames, dict[str, Any]]:
        entry = self.entries.get(takeout_format.MANIFEST)
        if entry is None or entry.file_size > takeout_format.MAX_MANIFEST_BYTES:
            raise OperationNotAllowedError(messages.NOT_AN_EXPORT)
        try:
            manifest = json.loads(self.zip.read(entry))
        except (*_ZIP_ERRORS, RecursionError):
            raise OperationNotAllowedError(messages.NOT_AN_EXPORT) from None
        if not isinstance(manifest, dict) or manifest.get("format") != takeout_format.FORMAT:
            raise OperationNotAllowedError(messages.NOT_AN_EXPORT)
        names = names_for_version(manifest.get("version"))
        manifest = names.rename_manifest(manifest)
        account = manifest.get("account")
        if not isinstance(account, dict) or not all(
            isinstance(account.get(name), str) and 0 < len(account[name]) <= 120 for name in ("id", "name", "time_zone")
        ):
            raise OperationNotAllowedError(messages.NOT_AN_EXPORT)
        try:
            account["name"] = column_types.parse_value(BusinessName, account["name"])
        except ValueError as problem:
            raise OperationNotAllowedError(
                messages.MANIFEST_INVALID(file=takeout_format.MANIFEST, problem=problem)
            ) from None
        return names, manifest


def _list_entries(found: list[ZipInfo]) -> dict[str, ZipInfo]:
    """Return the entries by name. Reject duplicates and more entries than an account may have."""
    entries: dict[str, ZipInfo] = {}
    for one in found[: takeout_format.MAX_FILES + 1000]:
        if one.filename in entries:
            raise OperationNotAllowedError(messages.DUPLICATE_ENTRY(name=one.filename[:80]))
        if one.flag_bits & 0x1 or one.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise OperationNotAllowedError(messages.ENTRY_UNREADABLE)
        entries[one.filename] = one
    if len(found) > len(entries) or sum(one.file_size for one in entries.values()) > takeout_format.MAX_UNPACKED_BYTES:
        raise OperationNotAllowedError(messages.TOO_MUCH_CONTENT)
    return entries


def _check_entries(entries: dict[str, ZipInfo], names: ArchiveNames) -> None:
    known = {takeout_format.table_entry(names.archive_table(table.name)) for table in list_tables()}
    for name, one in entries.items():
        if takeout_format.TABLE_PATTERN.fullmatch(name) and name not in known:
            raise OperationNotAllowedError(messages.UNKNOWN_TABLE(name=name[:80]))
        if (
            name not in known
            and name != takeout_format.MANIFEST
            and name not in takeout_format.NOTE_FILES
            and not takeout_format.FILE_PATTERN.fullmatch(name)
        ):
            raise OperationNotAllowedError(messages.UNKNOWN_ENTRY(name=name[:80]))
        if takeout_format.FILE_PATTERN.fullmatch(name) and one.file_size > takeout_format.MAX_FILE_BYTES:
            raise OperationNotAllowedError(messages.FILE_TOO_LARGE(name=name[:80]))
