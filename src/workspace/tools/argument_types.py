"""Argument types that several tools share, with validation and JSON Schema."""

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
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)

from workspace.lib.languages import parse_language
from workspace.lib.text import has_control_characters
from workspace.tools import messages
from workspace.tools.json_schema import LABEL_KEY

MAX_ID_LENGTH = 300  # an id may be replaced by the public URL of its item


def _check_one_line(text: str) -> str:
    if has_control_characters(text):
        raise ValueError(messages.PLAIN_LINE_REQUIRED)
    return text


def _normalize_lines(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if has_control_characters(text, multiline=True):
        raise ValueError(messages.PLAIN_TEXT_REQUIRED)
    return text


@dataclass(frozen=True, slots=True)
class Line(GroupedMetadata):
    """One line of text with `least` to `most` characters, without outer white space: `Annotated[str, Line(80)]`."""

    most: int
    least: int = 1

    def __iter__(self) -> Iterator[Any]:
        yield StringConstraints(strip_whitespace=True, min_length=self.least, max_length=self.most)
        yield AfterValidator(_check_one_line)


@dataclass(frozen=True, slots=True)
class Lines(GroupedMetadata):
    """Text that may have several lines, with at most `most` characters."""

    most: int
    least: int = 0

    def __iter__(self) -> Iterator[Any]:
        yield StringConstraints(strip_whitespace=True, min_length=self.least, max_length=self.most)
        yield AfterValidator(_normalize_lines)


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an argument in forms and lists of errors: `Annotated[str, Line(40), Label("Job title")]`.

    Published schemas do not contain it (`Tool.form_schema`). The last label counts, so an argument can have another
    label than its type.
    """

    text: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the argument's schema with the label. Pydantic calls this."""
        return {**handler(schema), LABEL_KEY: self.text}


FIRST_YEAR, LAST_YEAR = 1900, 9900  # within which a date one day or one time zone away is still valid


def _parse_date(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        found = Date.fromisoformat(value) if len(value) == 10 else _raise_bad_date()
    except ValueError:
        return _raise_bad_date()
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise ValueError(messages.DATE_OUT_OF_RANGE(first=FIRST_YEAR, last=LAST_YEAR))
    return found


def _raise_bad_date() -> Any:
    raise ValueError(messages.INVALID_DATE)


Day = Annotated[
    Date, BeforeValidator(_parse_date), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-12-31"]})
]


def _check_moment(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(messages.INVALID_TIME)
    if value == "":
        return value
    try:
        moment = datetime.fromisoformat(value)
        if not 1971 < moment.year < 9990:
            raise ValueError
    except ValueError:
        raise ValueError(messages.INVALID_TIME) from None
    return value


# Stored as text: a time without an offset is in the account's time zone, and a type does not have the account.
MomentText = Annotated[
    str,
    BeforeValidator(_check_moment),
    WithJsonSchema(
        {
            "type": "string",
            "description": "ISO 8601 date and time. In the account's time zone if it has no offset. A date alone is "
            "its first moment.",
        }
    ),
]


def build_validation_error(faults: Mapping[Any, str], value: Any) -> ValidationError:
    """Return a ValidationError for an object or a list, to be raised by validators.

    `faults` are messages by member name or position, or by a path as a tuple."""
    paths = ((name if isinstance(name, tuple) else (name,), text) for name, text in faults.items())
    details = [
        {"type": "value_error", "loc": path, "input": value, "ctx": {"error": ValueError(text)}} for path, text in paths
    ]
    return ValidationError.from_exception_data("object", details)  # type: ignore[arg-type]


def require_when_new(*names: str, unless: str = "", instead: Mapping[str, str] | None = None) -> BeforeValidator:
    """Return a validator for list entries that requires `names` in a new entry.

    An entry is new if it has neither `id` nor the member `unless`. All missing names are reported together, at their
    paths. `instead` maps a name to a member that can replace it.
    """

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
# The dispatcher replaces a slug or a public URL with the id, so that tools get only ids.
Id = Annotated[_Reference, AfterValidator(_resolve_own_reference)]
# the same for an item of any product
AnyItem = Annotated[
    _Reference,
    AfterValidator(_resolve_reference),
    Field(description="Any item: its ID, slug or public URL."),
]
Limit = Annotated[int, Field(ge=1, le=200, description="Maximum number of results, from 1 to 200. Defaults to 50.")]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1, description="Number of results to skip. Defaults to 0.")]
Query = Annotated[str, Line(200, least=0)]

Language = Annotated[str, StringConstraints(max_length=35), AfterValidator(parse_language)]  # a code, normalized
