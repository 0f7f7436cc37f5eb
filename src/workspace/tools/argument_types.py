"""Argument types that several tools share. Each validates itself and describes itself in the tool's JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime
from typing import Annotated, Any

from annotated_types import GroupedMetadata
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)

from workspace.lib.text import has_control_characters

MAX_ID_LENGTH = 300  # a public address stands for the id of what is found there


def _check_one_line(text: str) -> str:
    if has_control_characters(text):
        raise ValueError("Use plain text on one line")
    return text


def _normalize_lines(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if has_control_characters(text, multiline=True):
        raise ValueError("Use plain text")
    return text


@dataclass(frozen=True, slots=True)
class Line(GroupedMetadata):
    """One line of text, outer white space stripped, `least` to `most` characters: `Annotated[str, Line(80)]`."""

    most: int
    least: int = 1

    def __iter__(self) -> Iterator[Any]:
        yield StringConstraints(strip_whitespace=True, min_length=self.least, max_length=self.most)
        yield AfterValidator(_check_one_line)


@dataclass(frozen=True, slots=True)
class Lines(GroupedMetadata):
    """Text that may run over several lines, of at most `most` characters."""

    most: int
    least: int = 0

    def __iter__(self) -> Iterator[Any]:
        yield StringConstraints(strip_whitespace=True, min_length=self.least, max_length=self.most)
        yield AfterValidator(_normalize_lines)


FIRST_YEAR, LAST_YEAR = 1900, 9900  # within which a day more or less, or another zone, is still a date


def _parse_date(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        found = Date.fromisoformat(value) if len(value) == 10 else _raise_bad_date()
    except ValueError:
        return _raise_bad_date()
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise ValueError(f"Write a date from {FIRST_YEAR} to {LAST_YEAR}")
    return found


def _raise_bad_date() -> Any:
    raise ValueError("Write the date as YYYY-MM-DD")


Day = Annotated[
    Date, BeforeValidator(_parse_date), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-12-31"]})
]


def _check_moment(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("Write the time as 2026-12-31T18:00:00Z")
    if value == "":
        return value
    try:
        moment = datetime.fromisoformat(value)
        if not 1971 < moment.year < 9990:
            raise ValueError
    except ValueError:
        raise ValueError("Write the time as 2026-12-31T18:00:00Z") from None
    return value


# Kept as text: which zone a time without an offset belongs to is the account's, and no type knows the account.
MomentText = Annotated[
    str,
    BeforeValidator(_check_moment),
    WithJsonSchema(
        {
            "type": "string",
            "description": "ISO 8601; without an offset in the account's time zone, a date alone is its first moment",
        }
    ),
]


def build_validation_error(faults: Mapping[Any, str], given: Any) -> ValidationError:
    """What is wrong with an object or a list, by the names or places of its members, or the ways to them as tuples; for
    validators to raise."""
    ways = ((name if isinstance(name, tuple) else (name,), text) for name, text in faults.items())
    told = [
        {"type": "value_error", "loc": way, "input": given, "ctx": {"error": ValueError(text)}} for way, text in ways
    ]
    return ValidationError.from_exception_data("object", told)  # type: ignore[arg-type]


def require_when_new(*names: str, unless: str = "", instead: Mapping[str, str] | None = None) -> BeforeValidator:
    """Of an entry of a list: what it must hold where it has no `id`, nor what is named in `unless`, told at its path
    with all else that is wrong. `instead`: what may stand in place of one of them."""

    def check(entry: Any) -> Any:
        if isinstance(entry, dict) and entry.get("id") is None and entry.get(unless) is None:
            others = instead or {}
            missing = [name for name in names if entry.get(name) is None and entry.get(others.get(name, "")) is None]
            if missing:
                raise ValidationError.from_exception_data(
                    "entry", [{"type": "missing", "loc": (name,), "input": entry} for name in missing]
                )
        return entry

    return BeforeValidator(check)


def _resolve_own_reference(text: str, info: ValidationInfo) -> str:
    refer = (info.context or {}).get("refer")
    return refer(text, own=True) if refer else text


def _resolve_reference(text: str, info: ValidationInfo) -> str:
    refer = (info.context or {}).get("refer")
    return refer(text, own=False) if refer else text


_Reference = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ID_LENGTH)]
# The door puts the id in the place of a slug or a public address, so that a tool sees ids only.
Id = Annotated[_Reference, AfterValidator(_resolve_own_reference)]
# the same of a thing of any product
AnyItem = Annotated[
    _Reference,
    AfterValidator(_resolve_reference),
    Field(description="A thing of yours: its id, slug or public address"),
]
Limit = Annotated[int, Field(ge=1, le=200, description="How many to return at most")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1, description="How many to skip")]
Query = Annotated[str, Line(200, least=0)]
