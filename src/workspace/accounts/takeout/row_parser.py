"""One row of what came, judged: a line of JSON by a stranger becomes a row that the database would hold, or is refused
with the words for it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import BaseValidator
from django.db.models import (
    BooleanField,
    CharField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
    TextField,
)

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Table
from workspace.tools.argument_types import FIRST_YEAR, LAST_YEAR

DEEPEST = 20
LARGEST_NUMBER = 2**63 - 1


class Wrong(ValueError):
    """What is wrong with a row, in words."""


def parsed(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Wrong("this is no line of JSON") from None
    if not isinstance(found, dict):
        raise Wrong("this is no row")
    return found


def row_of(table: Table, told: Mapping[str, Any]) -> Any:
    """An instance that is not saved; its foreign keys hold what came, and are judged by the caller."""
    known = {column.name: column for column in table.columns}
    if unknown := sorted(set(told).difference(known, table.carried.told, table.carried.former)):
        raise Wrong(f"nothing is known of {unknown[0][:40]!r} here: upgrade this installation first")
    values = {}
    for name, column in known.items():
        if name not in told:
            if not column.has_default() and not column.null and not (column.empty_strings_allowed and column.blank):
                raise Wrong(f"{name} is missing")
            continue
        try:
            values[column.attname] = _value(table, column, told[name])
        except ValidationError as problem:
            raise Wrong(f"{name}: {'; '.join(problem.messages)[:200]}") from None
        except (ValueError, OverflowError, TypeError, RecursionError) as problem:
            raise Wrong(f"{name}: {str(problem)[:200]}") from None
    model: type[Model] = table.model
    row = model(**values)
    if table.carried.agrees is not None:
        try:
            table.carried.agrees(row)
        except ValueError as problem:
            raise Wrong(str(problem)[:200]) from None
    return row


def _value(table: Table, column: Field[Any, Any], told: Any) -> Any:
    if told is None:
        if not column.null:
            raise ValueError("may not be left empty")
        return None
    reader = table.reader(column)
    if isinstance(column, JSONField):
        return _json_value(column, reader, told)
    if isinstance(column, ForeignKey):
        column = column.target_field
    _kind(column, told)
    value = column.to_python(told)
    _check_value(column, value)
    if column.primary_key and isinstance(column, IntegerField):
        if not 0 < value <= LARGEST_NUMBER:
            raise ValueError("is out of range")
        return value
    _check_bounds(column, value)
    if column.choices and value not in column.empty_values and value not in dict(column.flatchoices):
        raise ValueError("is none of its values")
    if value == "" and (column.blank or column.default == ""):
        return value
    return value if value is None or reader is None else _read(reader, value)


def _json_value(column: JSONField, reader: Any, told: Any) -> Any:
    _judge(told, 0)
    default = column.get_default()
    if isinstance(default, (dict, list)) and not isinstance(told, type(default)):
        raise ValueError("has another shape")
    return told if told == default else _read(reader, told)


def _check_value(column: Field[Any, Any], value: Any) -> None:
    if isinstance(value, date):
        _check_day(column, value)
    if isinstance(value, str):
        _judge(value, 0)


def _check_bounds(column: Field[Any, Any], value: Any) -> None:
    """Check lengths and ranges, which databases hold to."""
    for bound in column.validators:
        if isinstance(bound, BaseValidator) and value not in column.empty_values:
            bound(value)


def _read(reader: Any, value: Any) -> Any:
    if reader is None:
        raise ValueError("cannot be imported: nothing here reads it")
    return column_types.read(reader, value)


def _check_day(column: Field[Any, Any], value: date) -> None:
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError("is a time without its zone")
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"Write a date from {FIRST_YEAR} to {LAST_YEAR}")


def _kind(column: Field[Any, Any], told: Any) -> None:
    wanted: type | tuple[type, ...] = str
    if isinstance(column, BooleanField):
        wanted = bool
    elif isinstance(column, IntegerField):
        wanted = int
    elif isinstance(column, FloatField):
        wanted = (int, float)
    elif isinstance(column, (CharField, TextField)):
        wanted = str
    if not isinstance(told, wanted) or (isinstance(told, bool) and wanted is not bool):
        raise ValueError("is of another kind")
    if isinstance(told, int) and abs(told) > LARGEST_NUMBER:
        raise ValueError("is out of range")
    if isinstance(told, float) and not math.isfinite(told):
        raise ValueError("is no number")


def _judge(value: Any, depth: int) -> None:
    """Texts and numbers that a database can hold."""
    if depth > DEEPEST:
        raise ValueError("is nested too deeply")
    if isinstance(value, str):
        _judge_text(value)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, float)):
        if not math.isfinite(value) or abs(value) > LARGEST_NUMBER:
            raise ValueError("holds a number that is out of range")
    elif isinstance(value, list):
        for one in value:
            _judge(one, depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            _judge(key, depth + 1)
            _judge(one, depth + 1)


def _judge_text(text: str) -> None:
    if "\0" in text:
        raise ValueError("holds a character that no text may hold")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("holds half a character") from None


def _no_number(text: str) -> Any:
    raise ValueError(text)
