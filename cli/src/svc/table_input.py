"""Tables that are handed to a command: a file, or `-` for standard input."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from svc import json_schema
from svc.app_folders import bytes_of
from svc.csv_columns import Mapping
from svc.csv_encoding import text_of
from svc.csv_file import CsvFile, Row, read_csv
from svc.errors import BadFile
from svc.list_items import Entries
from svc.output import say

MOST_PROBLEMS = 20
Read = list[tuple[Row, dict[str, Any]]]


def entries_in(path: str, entries: Entries, told: Collection[str] = ()) -> list[dict[str, Any]]:
    """The entries of a list, one a row. Raises BadFile."""
    _, read = table(path, entries.root, entries.aliases, told)
    return [arguments for _, arguments in read]


def text_in(path: str) -> str:
    """A table as it stands, for a tool that reads it itself. Raises BadFile."""
    try:
        text, note = text_of(_bytes(path))
    except ValueError as problem:
        raise BadFile(f"{named(path)}: nothing was sent.\n{problem}") from problem
    if note:
        say(note)
    return text


def table(
    path: str, root: json_schema.Schema, aliases: dict[str, str] | None = None, told: Collection[str] = ()
) -> tuple[CsvFile, Read]:
    """A file's rows as arguments that fit; `aliases` and `told` as Mapping takes them. Raises BadFile naming each row
    that does not."""
    raw = _bytes(path)
    try:
        file = read_csv(raw)
        mapping = Mapping(file, root, aliases, told)
    except ValueError as problem:
        raise BadFile(f"{named(path)}: nothing was sent.\n{problem}") from problem
    if file.note:
        say(file.note)
    if mapping.left_out:
        say(f"Left out, as the command does not take them: {', '.join(mapping.left_out)}.")
    if not file.rows:
        raise BadFile(f"{named(path)} has a header but no rows.")
    read, problems = [], []
    for row in file.rows:
        arguments, found = mapping.arguments(row)
        read.append((row, arguments))
        problems += [f"  Row {row.number}, {problem}" for problem in found]
    if problems:
        more = len(problems) - MOST_PROBLEMS
        shown = problems[:MOST_PROBLEMS] + ([f"  ... and {more} more"] if more > 0 else [])
        raise BadFile(f"{named(path)}: nothing was sent, as some rows do not fit.\n" + "\n".join(shown))
    return file, read


def named(path: str) -> str:
    return "Standard input" if path == "-" else path


def _bytes(path: str) -> bytes:
    try:
        return bytes_of(path)
    except (OSError, ValueError) as problem:
        raise BadFile(f"Could not read {path}: {getattr(problem, 'strerror', None) or problem}.") from problem
