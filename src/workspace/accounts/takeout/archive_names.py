"""The names of tables and columns in an archive, by format version. They differ in version 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import messages, version_1_names
from workspace.accounts.takeout.row_parser import InvalidRowError
from workspace.lib.errors import OperationNotAllowedError


@dataclass(frozen=True, slots=True)
class ArchiveNames:
    """Mapping from the names in an archive to current names. Unchanged names are omitted.

    `tables` maps tables. `columns` maps columns, by the table's name in the archive. `manifest` maps the keys of the
    archive's manifest. `members` maps the keys of objects in a JSON list, and `values` the values of a column or, as
    `column.member`, of a member of such objects. Both are by table and column in the archive.
    """

    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    manifest: Mapping[str, str] = field(default_factory=dict)
    members: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)

    def archive_table(self, table: str) -> str:
        """Return the archive's name for a table."""
        return next((former for former, now in self.tables.items() if now == table), table)

    def rename_columns(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """Rename the columns of a row, and the members and values inside them, to their current names.

        `table` is the table's current name. Raise InvalidRowError if two columns would get the same name.
        """
        former = self.archive_table(table)
        for column, members in self.members.get(former, {}).items():
            row = _change_objects(row, column, partial(_rename_unique_keys, names=members))
        for path, texts in self.values.get(former, {}).items():
            column, _, member = path.partition(".")
            if member:
                row = _change_objects(row, column, partial(_replace_value, name=member, texts=texts))
            else:
                row = _replace_value(row, column, texts)
        return _rename_unique_keys(row, self.columns.get(former, {}))

    def rename_manifest(self, manifest: dict[str, Any]) -> dict[str, Any]:
        """Rename the keys of the manifest to their current names."""
        return _rename_keys(manifest, self.manifest)


def _rename_unique_keys(row: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    renamed = _rename_keys(row, names)
    if len(renamed) < len(row):
        raise InvalidRowError("a column appears with both its former and its current name")
    return renamed


def _replace_value(row: dict[str, Any], name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    value = row.get(name)
    return {**row, name: texts[value]} if isinstance(value, str) and value in texts else row


def _change_objects(
    row: dict[str, Any], column: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Change each object in the column if the column is a list, and return the row."""
    value = row.get(column)
    if not isinstance(value, list):
        return row
    return {**row, column: [change(one) if isinstance(one, dict) else one for one in value]}


def _rename_keys(row: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in row.items()} if names else row


_NAMES = {
    1: ArchiveNames(
        version_1_names.TABLES,
        version_1_names.COLUMNS,
        version_1_names.MANIFEST,
        version_1_names.MEMBERS,
        version_1_names.VALUES,
    ),
    takeout_format.VERSION: ArchiveNames(),
}


def names_for_version(version: object) -> ArchiveNames:
    """Return the names used by archives of this version. Raise OperationNotAllowedError for an unknown version."""
    if isinstance(version, int) and not isinstance(version, bool) and version in _NAMES:
        return _NAMES[version]
    known = " and ".join(map(str, _NAMES))
    raise OperationNotAllowedError(messages.UNKNOWN_VERSION(version=str(version)[:20], known=known))
