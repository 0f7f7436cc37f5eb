"""Importing sessions from a spreadsheet. The whole table is parsed and checked before anything is saved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table
from workspace.products.event import messages
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Session, name_key
from workspace.products.event.rules.session_fields import SavedSession
from workspace.products.event.rules.session_list_headings import SESSION_LIST
from workspace.products.event.rules.session_slot import SESSION_KINDS
from workspace.publishing.list_columns import open_list
from workspace.publishing.models import RememberedColumns
from workspace.tools.object_parser import Issues
from workspace.tools.validation import issue_from_error

LIST_NAME = "event.sessions"
_ARGUMENT_NAMES = {"start": "start_time", "end": "end_time"}
_TIME_PATTERN = re.compile(
    r"(?:\d{4}-\d{2}-\d{2}[T ])?(\d{1,2})(?:[:.h](\d{2}))?(?:[:.]\d{2}(?:\.0+)?)?\s*(?:([ap])\.?\s*m\.?)?"
)
_ISO_DATE_PATTERN = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]00:00(?::00)?)?")
_LOCAL_DATE_PATTERN = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})")
Entry = tuple[str, dict[str, Any]]


def parse_table(
    program: Program,
    text: str,
    columns: Mapping[str, str] | None = None,
    *,
    has_heading: bool = False,
    match: bool,
    replace: bool,
) -> tuple[list[Entry], list[str], list[str]]:
    """Parse a table. Return entries with the paths of their lines (`csv.3.`), ids to remove, and notes for the owner.

    If the table replaces all sessions, the ids are those of sessions that are not in it. The notes explain how the
    table was read, for example which columns were ignored. With `match` or `replace`, a line with an id changes the
    session with that id, and a line without an id changes the session with the same title, day and start. All columns
    of the table are applied. Raise InvalidInputError with an error for each invalid line.
    """
    account = program.event.account
    table = open_list(account, LIST_NAME, SESSION_LIST, text, columns, has_heading=has_heading)
    if table.rows and not table.has_heading and _is_heading(table.rows[0].cells):
        raise InvalidInputError.at_path("csv", messages.COLUMN_NAMES_NEEDED)
    issues = Issues()
    entries: list[Entry] = []
    left = {session.pk: session for session in program.sessions}
    for row in table.rows:
        at = f"csv.{row.number}."
        entry = _parse_row(program, row.cells, table.fields, at, issues)
        id = row.cells.get("id", "")
        if id and id not in left and (match or replace):
            issues.add(f"{at}id", messages.UNKNOWN_LINE_ID)
        elif match or replace:
            known = left.pop(id, None) if id else _find_match(program, left, entry)
            if known is not None:
                left.pop(known.pk, None)
                entry["id"] = known.pk
            else:
                _drop_empty(entry)
        else:
            _drop_empty(entry)
        entries.append((at, _validate_entry(entry, at, issues)))
    issues.raise_if_any()
    RememberedColumns.remember(account, LIST_NAME, table)
    return entries, list(left) if replace else [], table.notes()


def _is_heading(cells: Mapping[str, str]) -> bool:
    """Return whether the first line, which was read as a session, is a heading with unknown column names."""
    text = cells.get("day", "") + cells.get("start", "")
    return bool(text) and not any(char.isdigit() for char in text)


def _parse_row(
    program: Program, cells: Mapping[str, str], columns: tuple[str, ...], path: str, issues: Issues
) -> dict[str, Any]:
    """Parse a line into fields in the format of `svc_event_save_sessions`. An empty cell clears the field."""
    result: dict[str, Any] = {}
    for name in columns:
        text = cells.get(name, "")
        try:
            if name in ("start", "end"):
                result[_ARGUMENT_NAMES[name]] = _parse_time(text, is_end=name == "end")
            elif name == "day" and text:
                result["day"] = _parse_day(program, text)
            elif name == "speakers":
                result["speakers"] = _split_names(text)
            elif name == "kind":
                result["kind"] = _parse_kind(text)
            elif name not in ("id", "day"):
                result[name] = text
        except ValueError as problem:
            issues.add(f"{path}{name}", str(problem))
    if not result.get("title"):
        issues.add(f"{path}title", messages.TITLE_NEEDED)
    return result


def _split_names(text: str) -> list[str]:
    """Split `Ada King; Bo Lind` into names.

    Commas separate names only if each part has a first and a last name: `Lind, Bo` is one person.
    """
    parts = re.split(r"[;\n]", text)
    by_comma = text.split(",")
    if len(parts) == 1 and all(len(part.split()) > 1 for part in by_comma):
        parts = by_comma
    return [part for item in parts if (part := item.strip())]


def _drop_empty(entry: dict[str, Any]) -> None:
    """Remove the empty fields of a new session."""
    for name in [name for name, value in entry.items() if value in ("", [])]:
        del entry[name]


def _parse_time(text: str, *, is_end: bool) -> str:
    """Parse `9:00`, `9.00`, `09:00:00` or `9:00 AM` into `HH:MM`. An end may be 24:00."""
    if not text:
        return ""
    match = _TIME_PATTERN.fullmatch(text.strip().lower())
    if match is None or (match[2] is None and match[3] is None):
        raise ValueError(str(messages.INVALID_TIME(text=csv_table.shorten_text(text))))
    hours, minutes = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hours <= 12:
            raise ValueError(str(messages.INVALID_TIME(text=csv_table.shorten_text(text))))
        hours = hours % 12 + (12 if match[3] == "p" else 0)
    if is_end and (hours, minutes) == (24, 0):
        return "00:00"
    if hours > 23 or minutes > 59:
        raise ValueError(str(messages.INVALID_TIME(text=csv_table.shorten_text(text))))
    return f"{hours:02}:{minutes:02}"


def _parse_day(program: Program, text: str) -> str:
    """Parse a date or the label of a day.

    If day and month are ambiguous, prefer a date that is a day of the program."""
    for day in program.days:
        if day.label and name_key(day.label) == name_key(text):
            return day.date.isoformat()
    if match := _ISO_DATE_PATTERN.fullmatch(text):
        return _build_date(int(match[1]), int(match[2]), int(match[3]), text).isoformat()
    if match := _LOCAL_DATE_PATTERN.fullmatch(text):
        year = int(match[4]) + (2000 if len(match[4]) == 2 else 0)
        first, second = int(match[1]), int(match[3])
        if match[2] == ".":
            return _build_date(year, second, first, text).isoformat()
        both = set()
        for month, day_of_month in ((first, second), (second, first)):
            with suppress(ValueError):
                both.add(date(year, month, day_of_month))
        known = both & {day.date for day in program.days}
        if len(known or both) == 1:
            return (known or both).pop().isoformat()
        raise ValueError(str(messages.AMBIGUOUS_DATE(text=csv_table.shorten_text(text))))
    return text  # the caller checks whether it is a day of the program


def _build_date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError(str(messages.INVALID_DATE(text=csv_table.shorten_text(text)))) from None


def _parse_kind(text: str) -> str:
    kind = text.strip().lower()
    if kind and kind not in SESSION_KINDS:
        known = ", ".join(SESSION_KINDS)
        raise ValueError(str(messages.UNKNOWN_KIND(text=csv_table.shorten_text(text), known=known)))
    return kind or "talk"


def _find_match(
    program: Program, unmatched_sessions: Mapping[str, Session], entry: Mapping[str, Any]
) -> Session | None:
    """Return the session with the same title, day and start that no other line has matched yet, or None."""
    on = entry.get("day") or (program.days[0].date.isoformat() if program.days else "")
    for session in unmatched_sessions.values():
        same = name_key(session.title) == name_key(entry.get("title", ""))
        if same and session.day.date.isoformat() == on and session.start == entry.get("start_time", ""):
            return session
    return None


def _validate_entry(entry: dict[str, Any], path: str, issues: Issues) -> dict[str, Any]:
    """Validate an entry with the rules for lists."""
    try:
        return dict(_entry_adapter().validate_python({key: value for key, value in entry.items() if key != "links"}))
    except ValidationError as problem:
        for detail in problem.errors():
            issue = issue_from_error(detail)
            issues.add(f"{path}{issue.path}", issue.message)
        return entry


@cache
def _entry_adapter() -> TypeAdapter[SavedSession]:
    return TypeAdapter(SavedSession)
