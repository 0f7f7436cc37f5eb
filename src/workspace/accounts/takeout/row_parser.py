"""Parsing and validating an exported row.

A line of untrusted JSON becomes an unsaved row that fits the database, or raises InvalidRowError.
"""

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
from workspace.accounts.takeout.tables import AccountTable
from workspace.tools.argument_types import FIRST_YEAR, LAST_YEAR

MAX_DEPTH = 20
MAX_NUMBER = 2**63 - 1


class InvalidRowError(ValueError):
    """A row is invalid. The message describes the problem."""


def parse_line(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode(), parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise InvalidRowError("this line isn’t valid JSON") from None
    if not isinstance(found, dict):
        raise InvalidRowError("this line isn’t a row")
    return found


def build_row(table: AccountTable, raw_values: Mapping[str, Any]) -> Any:
    """Build an unsaved instance. Its foreign keys contain the exported values, which the caller must check."""
    known = {column.name: column for column in table.columns}
    if unknown := sorted(set(raw_values).difference(known, table.takeout.serializers, table.takeout.former_columns)):
        raise InvalidRowError(f"{unknown[0][:40]!r} isn’t supported by this version. Upgrade this instance first")
    values = {}
    for name, column in known.items():
        if name not in raw_values:
            if not column.has_default() and not column.null and not (column.empty_strings_allowed and column.blank):
                raise InvalidRowError(f"{name} is missing")
            continue
        try:
            values[column.attname] = _parse_value(table, column, raw_values[name])
        except ValidationError as problem:
            raise InvalidRowError(f"{name}: {'; '.join(problem.messages)[:200]}") from None
        except (ValueError, OverflowError, TypeError, RecursionError) as problem:
            raise InvalidRowError(f"{name}: {str(problem)[:200]}") from None
    model: type[Model] = table.model
    row = model(**values)
    if table.takeout.check_row is not None:
        try:
            table.takeout.check_row(row)
        except ValueError as problem:
            raise InvalidRowError(str(problem)[:200]) from None
    return row


def _parse_value(table: AccountTable, column: Field[Any, Any], raw_value: Any) -> Any:
    if raw_value is None:
        if not column.null:
            raise ValueError("must not be empty")
        return None
    reader = table.column_type(column)
    if isinstance(column, JSONField):
        return _parse_json_value(column, reader, raw_value)
    if isinstance(column, ForeignKey):
        column = column.target_field
    _check_kind(column, raw_value)
    value = column.to_python(raw_value)
    _check_value(column, value)
    if column.primary_key and isinstance(column, IntegerField):
        if not 0 < value <= MAX_NUMBER:
            raise ValueError("is out of range")
        return value
    _check_bounds(column, value)
    if column.choices and value not in column.empty_values and value not in dict(column.flatchoices):
        raise ValueError("isn’t an allowed value")
    if value == "" and (column.blank or column.default == ""):
        return value
    return value if value is None or reader is None else _validate_value(reader, value)


def _parse_json_value(column: JSONField, reader: Any, raw_value: Any) -> Any:
    _check_storable(raw_value, 0)
    default = column.get_default()
    if isinstance(default, (dict, list)) and not isinstance(raw_value, type(default)):
        raise ValueError("has the wrong structure")
    return raw_value if raw_value == default else _validate_value(reader, raw_value)


def _check_value(column: Field[Any, Any], value: Any) -> None:
    if isinstance(value, date):
        _check_day(column, value)
    if isinstance(value, str):
        _check_storable(value, 0)


def _check_bounds(column: Field[Any, Any], value: Any) -> None:
    """Check the lengths and ranges that databases enforce."""
    for bound in column.validators:
        if isinstance(bound, BaseValidator) and value not in column.empty_values:
            bound(value)


def _validate_value(reader: Any, value: Any) -> Any:
    if reader is None:
        raise ValueError("can’t be imported by this version")
    return column_types.parse_value(reader, value)


def _check_day(column: Field[Any, Any], value: date) -> None:
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError("has no time zone")
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"Enter a date from {FIRST_YEAR} to {LAST_YEAR}")


def _check_kind(column: Field[Any, Any], raw_value: Any) -> None:
    wanted: type | tuple[type, ...] = str
    if isinstance(column, BooleanField):
        wanted = bool
    elif isinstance(column, IntegerField):
        wanted = int
    elif isinstance(column, FloatField):
        wanted = (int, float)
    elif isinstance(column, (CharField, TextField)):
        wanted = str
    if not isinstance(raw_value, wanted) or (isinstance(raw_value, bool) and wanted is not bool):
        raise ValueError("has the wrong type")
    if isinstance(raw_value, int) and abs(raw_value) > MAX_NUMBER:
        raise ValueError("is out of range")
    if isinstance(raw_value, float) and not math.isfinite(raw_value):
        raise ValueError("isn’t a number")


def _check_storable(value: Any, depth: int) -> None:
    """Raise ValueError if the database cannot store a string or number inside the value."""
    if depth > MAX_DEPTH:
        raise ValueError("is nested too deeply")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, float)):
        if not math.isfinite(value) or abs(value) > MAX_NUMBER:
            raise ValueError("contains a number that is out of range")
    elif isinstance(value, list):
        for one in value:
            _check_storable(one, depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            _check_storable(key, depth + 1)
            _check_storable(one, depth + 1)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise ValueError("contains a character that isn’t allowed")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("contains an incomplete character") from None


def _reject_constant(text: str) -> Any:
    raise ValueError(text)
