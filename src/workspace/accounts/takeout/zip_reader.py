"""A ZIP from a stranger, opened with care: only entries of the names that this format has, each once, none larger than
it may be, and nothing read beyond what its own list says."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from workspace.accounts.arguments import BusinessName
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout import format as takeout_format
from workspace.accounts.takeout.tables import tables
from workspace.lib.errors import ToolError

NO_PACK = "This is not what an account is taken along in: choose the .zip that “Take along” made"
DAMAGED = "This ZIP is damaged: save it again where it was made"
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_PIECE = 64 * 1024


class Pack:
    """What came. `manifest` is its own list, judged; tables and files are read by their names."""

    def __init__(self, file: IO[bytes]) -> None:
        """Raises ToolError, in words for who brought it."""
        try:
            self.zip = ZipFile(file)
        except _BROKEN:
            raise ToolError(NO_PACK) from None
        self.file = file
        self.entries = _entries(self.zip.infolist())
        self.manifest = self._manifest()
        self.former: str = self.manifest["account"]["id"]

    def close(self) -> None:
        self.zip.close()
        self.file.close()

    @property
    def files(self) -> list[str]:
        return [found[1] for name in self.entries if (found := takeout_format.FILE.fullmatch(name))]

    def lines(self, table: str) -> Iterator[tuple[int, bytes]]:
        """The rows of a table, with their numbers from 1."""
        entry = self.entries.get(takeout_format.table_entry(table))
        if entry is None:
            return
        try:
            with self.zip.open(entry) as rows:
                number = 0
                while line := rows.readline(takeout_format.LONGEST_ROW + 1):
                    number += 1
                    if len(line) > takeout_format.LONGEST_ROW:
                        raise ToolError(f"{entry.filename}, line {number}: this row is too long")
                    yield number, line
        except _BROKEN:
            raise ToolError(DAMAGED) from None

    def content(self, key: str) -> bytes:
        try:
            return self.zip.read(self.entries[takeout_format.file_entry(key)])
        except _BROKEN:
            raise ToolError(DAMAGED) from None

    def _manifest(self) -> dict[str, Any]:
        entry = self.entries.get(takeout_format.MANIFEST)
        if entry is None or entry.file_size > takeout_format.LARGEST_MANIFEST:
            raise ToolError(NO_PACK)
        try:
            told = json.loads(self.zip.read(entry))
        except (*_BROKEN, RecursionError):
            raise ToolError(NO_PACK) from None
        if not isinstance(told, dict) or told.get("format") != takeout_format.FORMAT:
            raise ToolError(NO_PACK)
        version = told.get("version")
        if version != takeout_format.VERSION:
            raise ToolError(
                f"This was packed in version {str(version)[:20]} of the format, and this installation reads version "
                f"{takeout_format.VERSION}: bring both to the same version of Workspace Tools"
            )
        account = told.get("account")
        if not isinstance(account, dict) or not all(
            isinstance(account.get(name), str) and 0 < len(account[name]) <= 120 for name in ("id", "name", "time_zone")
        ):
            raise ToolError(NO_PACK)
        try:
            account["name"] = column_types.read(BusinessName, account["name"])
        except ValueError as problem:
            raise ToolError(f"{takeout_format.MANIFEST}: account.name: {problem}") from None
        return told


def _entries(found: list[ZipInfo]) -> dict[str, ZipInfo]:
    known = {takeout_format.table_entry(table.name) for table in tables()}
    entries: dict[str, ZipInfo] = {}
    for one in found[: takeout_format.MOST_FILES + 1000]:
        name = one.filename
        if name in entries:
            raise ToolError(f"This ZIP holds {name[:80]!r} twice")
        if takeout_format.TABLE.fullmatch(name) and name not in known:
            raise ToolError(f"This ZIP holds {name[:80]!r}, which is not known here: upgrade this installation first")
        if (
            name not in known
            and name != takeout_format.MANIFEST
            and name not in takeout_format.NOTES
            and not takeout_format.FILE.fullmatch(name)
        ):
            raise ToolError(f"This ZIP holds {name[:80]!r}, which does not belong into it")
        if one.flag_bits & 0x1 or one.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise ToolError("This ZIP is encrypted, or pressed in a way that is not read here")
        if takeout_format.FILE.fullmatch(name) and one.file_size > takeout_format.LARGEST_FILE:
            raise ToolError(f"{name[:80]!r} is larger than a file may be")
        entries[name] = one
    if len(found) > len(entries) or sum(one.file_size for one in entries.values()) > takeout_format.MOST_BYTES:
        raise ToolError("This ZIP holds more than an account may bring: ask whoever runs this installation")
    return entries
