"""Mapping columns to arguments: headers name flags, dotted headers name nested fields, and one list may be spread."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from svc import json_schema
from svc.argument_paths import ArgumentPath, build_lists, schema_at_step, set_at_path
from svc.csv_file import CsvFile, CsvRow


@dataclass(frozen=True)
class Column:
    """A column. `index` is its position in the file, `path` the argument that it sets, and `leaf` the schema there."""

    index: int
    header: str
    path: ArgumentPath
    leaf: json_schema.Schema


class ColumnMapping:
    """The mapping of the columns of a file to the arguments of a tool."""

    def __init__(
        self,
        file: CsvFile,
        root: json_schema.Schema,
        aliases: dict[str, str] | None = None,
        names: Collection[str] = (),
    ) -> None:
        """Build the mapping. Raise ValueError, which lists every unknown column.

        `aliases` are other names of arguments. `names` are fields of answers. A table created from answers may contain
        them as columns, which are ignored and listed in `ignored_headers`.
        """
        self._root = root
        self._aliases = aliases or {}
        self._decimal_comma = file.delimiter == ";"
        self._spread = find_spread_argument(root)
        self.ignored_headers: list[str] = []
        columns, problems = [], []
        for index, header in enumerate(file.header):
            if _normalize_header(header) == "error" and "error" not in (root.get("properties") or {}):
                continue  # the column in files of failed rows
            try:
                columns.append(self._resolve_column(index, header))
            except ValueError as problem:
                if _normalize_header(header) in names:
                    self.ignored_headers.append(header)
                else:
                    problems.append(str(problem))
        problems += _find_clashes(columns)
        problems += self._missing_columns(columns)
        if problems:
            raise ValueError("\n".join(problems))
        self._columns = columns

    def _missing_columns(self, columns: list[Column]) -> list[str]:
        there = {column.path[0] for column in columns}
        missing = [name for name in self._root.get("required") or [] if name not in there]
        return [f"{name}: Required. Add a column, or a flag if the value is the same for all rows" for name in missing]

    def build_arguments(self, row: CsvRow) -> tuple[dict[str, Any], list[str]]:
        """Return the arguments of a row, and their problems. Arguments with empty cells are left out."""
        tree: dict[str, Any] = {}
        problems: list[str] = []
        broken: list[ArgumentPath] = []
        if self._spread and any(column.path[:2] == (self._spread, "0") for column in self._columns):
            tree[self._spread] = {"0": {}}
        for column in self._columns:
            text = row.cells[column.index]
            if not text:
                continue
            try:
                set_at_path(tree, column.path, self._parse_value(text, column.leaf))
            except ValueError as problem:
                problems.append(f"{column.header}: {problem}")
                broken.append(column.path)
        arguments = build_lists(tree, self._root, self._root)
        for path, message in json_schema.find_issues(arguments, self._root, self._root):
            if path not in broken:
                problems.append(f"{self._name_for_path(path)}: {message}")
        return arguments, problems

    def _parse_value(self, text: str, leaf: json_schema.Schema) -> Any:
        if (
            self._decimal_comma
            and "number" in json_schema.json_types(leaf, self._root)
            and re.fullmatch(r"-?\d+,\d+", text)
        ):
            text = text.replace(",", ".")
        if json_schema.is_list_of_scalars(leaf, self._root) and text[0] not in "[@":
            text = json.dumps([word.strip() for word in text.split(",") if word.strip()])
        return json_schema.parse_value(text, leaf, self._root)

    def _resolve_column(self, index: int, header: str) -> Column:
        steps = [_normalize_header(step) for step in header.removeprefix("--").split(".")]
        properties = self._root.get("properties") or {}
        if steps[0] not in properties:
            steps[0] = self._aliases.get(steps[0], steps[0])
        if steps[0] not in properties and self._spread:
            inner = self._element_fields()
            if steps[0] in inner:
                steps = [self._spread, "0", *steps]
        leaf: json_schema.Schema = {"type": "object", **self._root}
        for step in steps:
            found = schema_at_step(leaf, step, self._root)
            if found is None:
                raise ValueError(self._describe_unknown(header, steps))
            leaf = found
        return Column(index, header, tuple(steps), leaf)

    def _element_fields(self) -> dict[str, Any]:
        array = json_schema.resolve_schema((self._root.get("properties") or {})[self._spread], self._root)
        fields: dict[str, Any] = (
            json_schema.resolve_schema(array.get("items") or {}, self._root).get("properties") or {}
        )
        return fields

    def _describe_unknown(self, header: str, steps: list[str]) -> str:
        from difflib import get_close_matches

        known = [*(self._root.get("properties") or {}), *(self._element_fields() if self._spread else {})]
        near = get_close_matches(steps[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else f"known columns: {', '.join(dict.fromkeys(known)) or 'none'}"
        return f"Column {header!r} is not an argument of this command; {hint}"

    def _name_for_path(self, path: ArgumentPath) -> str:
        """Return the name of a path that the user knows: the header of its column, if there is one."""
        for column in self._columns:
            if column.path == path:
                return column.header
        return ".".join(path[2:] if self._spread and path[:2] == (self._spread, "0") and path[2:] else path)


def find_spread_argument(root: json_schema.Schema) -> str | None:
    """Return the only required list of objects, whose fields may be plain columns (`certs issue`: its recipients)."""
    found = []
    for name in root.get("required") or []:
        leaf = json_schema.resolve_schema((root.get("properties") or {}).get(name), root)
        item = json_schema.resolve_schema(leaf.get("items"), root)
        if "array" in json_schema.json_types(leaf, root) and item.get("properties"):
            found.append(name)
    return found[0] if len(found) == 1 else None


def _normalize_header(header: str) -> str:
    return re.sub(r"[\s-]+", "_", header.strip().lower())


def _find_clashes(columns: list[Column]) -> list[str]:
    problems = []
    for place, column in enumerate(columns):
        for other in columns[:place]:
            size = min(len(column.path), len(other.path))
            if column.path[:size] == other.path[:size]:
                problems.append(f"Columns {other.header!r} and {column.header!r} set the same argument. Remove one")
    return problems
