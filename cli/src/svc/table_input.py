"""Tables passed to a command: a file, or `-` for standard input."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from svc import json_schema
from svc.app_folders import read_bytes
from svc.csv_columns import ColumnMapping
from svc.csv_encoding import decode_text
from svc.csv_file import CsvFile, CsvRow, read_csv
from svc.entry_schema import EntrySchema
from svc.errors import FileError
from svc.output import print_message

MAX_PROBLEMS = 20
TableRows = list[tuple[CsvRow, dict[str, Any]]]


def read_entries(path: str, entries: EntrySchema, names: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the entries of a list, one per row. Raise FileError if the file is unusable."""
    _, read = read_table(path, entries.root, entries.aliases, names)
    return [arguments for _, arguments in read]


def read_text(path: str) -> str:
    """Return a table as text, for a tool that parses it itself. Raise FileError if the file is unusable."""
    try:
        text, note = decode_text(_read_bytes(path))
    except ValueError as problem:
        raise FileError(f"{source_name(path)}: nothing was sent.\n{problem}") from problem
    if note:
        print_message(note)
    return text


def read_table(
    path: str, root: json_schema.Schema, aliases: dict[str, str] | None = None, names: Collection[str] = ()
) -> tuple[CsvFile, TableRows]:
    """Return the rows of a file as valid arguments. Raise FileError, which lists all invalid rows.

    `aliases` and `names` are those of ColumnMapping.
    """
    raw = _read_bytes(path)
    try:
        file = read_csv(raw)
        mapping = ColumnMapping(file, root, aliases, names)
    except ValueError as problem:
        raise FileError(f"{source_name(path)}: nothing was sent.\n{problem}") from problem
    if file.note:
        print_message(file.note)
    if mapping.ignored_headers:
        print_message(f"Skipped columns that the command does not accept: {', '.join(mapping.ignored_headers)}.")
    if not file.rows:
        raise FileError(f"{source_name(path)} has a header but no rows.")
    read, problems = [], []
    for row in file.rows:
        arguments, found = mapping.build_arguments(row)
        read.append((row, arguments))
        problems += [f"  Row {row.number}, {problem}" for problem in found]
    if problems:
        more = len(problems) - MAX_PROBLEMS
        shown = problems[:MAX_PROBLEMS] + ([f"  ... and {more} more"] if more > 0 else [])
        raise FileError(f"{source_name(path)}: nothing was sent, because some rows are not valid.\n" + "\n".join(shown))
    return file, read


def source_name(path: str) -> str:
    return "Standard input" if path == "-" else path


def _read_bytes(path: str) -> bytes:
    try:
        return read_bytes(path)
    except (OSError, ValueError) as problem:
        raise FileError(f"Could not read {path}: {getattr(problem, 'strerror', None) or problem}.") from problem
