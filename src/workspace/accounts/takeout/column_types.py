"""Types for validating the columns of an imported row.

A product declares the types of its tool arguments for its tables:

    TakeoutTable(model=Guest, column_types={**from_columns(Guest, GuestFields), "sort_key": OneLine})

Columns without a declaration get a type from `DEFAULT_TYPES` by their name. A test fails if a text or JSON column has
no type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError as DjangoError
from django.core.validators import validate_email
from django.db.models import JSONField, Model
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from workspace.accounts.plans import PRODUCTS
from workspace.lib.data_subject import ERASED_MARKER
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.money import CURRENCIES
from workspace.lib.text import has_control_characters
from workspace.lib.web_address import clean_web_address
from workspace.storage.database.columns import TEXT, argument_columns
from workspace.tools.argument_types import FIRST_YEAR, LAST_YEAR
from workspace.tools.validation import issue_from_error

MAX_AMOUNT_MINOR = 10**15  # minor units


def from_arguments(arguments: Any, *names: str, **renamed: str) -> dict[str, Any]:
    """Return the types of a tool's arguments, keyed by the columns with the same names.

    Use `column="argument"` where the names differ.
    """
    hints = get_type_hints(arguments, include_extras=True)
    return {
        column: _strip_required(hints[name])
        for column, name in {**dict(zip(names, names, strict=True)), **renamed}.items()
    }


def from_columns(model: type[Model], arguments: Any, *, skip: Collection[str] = ()) -> dict[str, Any]:
    """Return the types of a tool's arguments for text and JSON columns with the same names, except those in `skip`.

    Skip columns that store the value in a different form than the argument. Columns of other kinds need no type.
    """
    return from_arguments(arguments, *argument_columns(model, arguments, kinds=(*TEXT, JSONField), skip=skip))


def _strip_required(type: Any) -> Any:
    while get_origin(type) in (Required, NotRequired):
        (type,) = get_args(type)
    return type


@cache
def _get_adapter(type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type)


def parse_value(type: Any, value: Any) -> Any:
    """Validate a value with this type and return the result.

    Raise ValueError with the problem and its path inside the value.
    """
    try:
        return _get_adapter(type).validate_python(value, strict=True)
    except ValidationError as problem:
        found = issue_from_error(problem.errors(include_url=False)[0])
        raise ValueError(f"{found.path}: {found.message}" if found.path else found.message) from None


def _text_validator(is_valid: Callable[[str], object], problem: str) -> AfterValidator:
    def check(text: str) -> str:
        if not is_valid(text):
            raise ValueError(problem)
        return text

    return AfterValidator(check)


# More permissive than what owners may enter, because guests' forms accepted more in the past.
_EMAIL = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+\.[^\s@<>()\[\]\\,;:\".]+")


def _is_email(text: str) -> bool:
    if text == ERASED_MARKER or (_EMAIL.fullmatch(text) and not has_control_characters(text)):
        return True
    try:
        validate_email(text)
    except DjangoError:
        return False
    return True


def text_matching(pattern: str, problem: str) -> Any:
    return Annotated[str, _text_validator(re.compile(pattern, re.ASCII).fullmatch, problem)]


def one_of(*words: str) -> Any:
    return Literal[words]


def integer_up_to(maximum: int, minimum: int = 0) -> Any:
    return Annotated[int, Field(ge=minimum, le=maximum)]


def _is_local_time(text: str) -> bool:
    try:
        return FIRST_YEAR <= datetime.strptime(text, "%Y-%m-%dT%H:%M").replace(tzinfo=UTC).year <= LAST_YEAR
    except ValueError:
        return False


def _check_product_key(key: str) -> str:
    if key not in PRODUCTS:  # products register after this module is imported
        raise ValueError(f"Use one of {', '.join(PRODUCTS)}")
    return key


def _parse_web_address(text: str) -> str:
    return text if text == ERASED_MARKER else clean_web_address(text)


_DEFAULT_LENGTH_LIMIT = StringConstraints(max_length=100_000)  # used if neither the column nor a tool has a lower limit
OneLine = Annotated[
    str,
    _DEFAULT_LENGTH_LIMIT,
    _text_validator(lambda text: not has_control_characters(text), "Use plain text on one line"),
]
PlainText = Annotated[
    str,
    _DEFAULT_LENGTH_LIMIT,
    _text_validator(lambda text: not has_control_characters(text, multiline=True), "Use plain text"),
]
AnyText = str  # for what others wrote, and for values that are only searched or hashed
Email = Annotated[str, _text_validator(_is_email, "Enter a valid email address")]
ProductKey = Annotated[str, AfterValidator(_check_product_key)]
Identifier = text_matching(r"[A-Za-z0-9_.:+/=@-]{1,120}", "Use an ID: letters, digits, and . _ : + / = @ -")
Token = text_matching(r"[a-z0-9_.-]{1,60}", "Use a-z, 0-9, and _ . -")
EventName = text_matching(r"[A-Za-z0-9_.:-]{1,60}", "Use the name of an event, such as booking.made")
Digest = text_matching(r"[0-9a-f]{64}", "Use a SHA-256 digest: 64 of 0-9 and a-f")
Color = text_matching(r"#[0-9a-f]{6}", "Enter a color as #rrggbb")
ClockTime = text_matching(r"([01][0-9]|2[0-3]):[0-5][0-9]", "Enter a time as HH:MM, from 00:00 to 23:59")
LocalTime = Annotated[str, _text_validator(_is_local_time, "Enter a time such as 2026-12-31T18:00")]
TimeZoneName = Annotated[
    str, _text_validator(lambda text: text in available_zones(), "Use a time zone such as Europe/Berlin")
]
Currency = Annotated[str, _text_validator(CURRENCIES.__contains__, "Enter a currency code like EUR")]
GuestLanguage = Literal[GUEST_LANGUAGES]  # type: ignore[valid-type]  # a list, not literals
LanguageCode = text_matching(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}", "Enter a language code like de or pt-br")
MediaType = text_matching(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}", "Use a media type, such as image/png")
WebAddress = Annotated[str, StringConstraints(max_length=2048), AfterValidator(_parse_web_address)]
Path = text_matching(r"/(?![/\\])[A-Za-z0-9/_.~%?=&#+-]*", "Use a path on this instance, such as /p/abc")
Money = integer_up_to(MAX_AMOUNT_MINOR)


def list_of(type: Any, max_items: int, min_items: int = 0) -> Any:
    return Annotated[list[type], Field(min_length=min_items, max_length=max_items)]


def dict_of(key: Any, value: Any, max_items: int = 1000) -> Any:
    return Annotated[dict[key, value], Field(max_length=max_items)]


def any_of(*types: Any) -> Any:
    return Union[types]  # noqa: UP007  of types that are only known here


def object_of(_optional: Mapping[str, Any] | None = None, /, **members: Any) -> Any:
    """Return the type of an object with these required and optional members."""
    hints = {**members, **{name: NotRequired[type] for name, type in (_optional or {}).items()}}
    make: Any = TypedDict
    return with_config(ConfigDict(extra="forbid", strict=True))(make("Shape", hints))


def with_checks(type: Any, *checks: Callable[[Any], Any]) -> Any:
    """Return the type with more checks. Each check returns the value or raises ValueError."""
    return Annotated[(type, *map(AfterValidator, checks))]


def validate_unchanged(type: Any) -> Any:
    """Return a type that validates a value but does not change it."""

    def check(value: Any) -> Any:
        parse_value(type, value)
        return value

    return Annotated[Any, AfterValidator(check)]


def allow_erased(type: Any) -> Any:
    """Extend the type to allow the marker that replaces erased personal data in required columns."""
    return type | Literal[ERASED_MARKER]


def json_text(type: Any) -> Any:
    """Return the type of a text containing JSON of the given type.

    The text itself is not changed, because a hash may have been computed from it.
    """

    def check(text: str) -> str:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("Use valid JSON") from None
        parse_value(type, found)
        return text

    return Annotated[str, AfterValidator(check)]


_AMOUNT_COLUMNS = (
    *("amount", "refunded"),
    *("price_minor", "deposit_minor", "due_minor", "paid_minor", "refunded_minor"),
)
DEFAULT_TYPES: dict[str, Any] = {
    **dict.fromkeys(("id", "key", "record", "pdf_key", "uid", "thing", "item_id", "token"), Identifier),
    "live_block_item_id": Identifier,
    **dict.fromkeys(("hash", "head", "pdf_sha256"), Digest),
    **dict.fromkeys(("email", "client_email"), Email),
    **dict.fromkeys(("time_zone", "guest_zone"), TimeZoneName),
    **dict.fromkeys(_AMOUNT_COLUMNS, Money),
    "currency": Currency,
    "language": GuestLanguage,
    "color": Color,
    "search": AnyText,
    **dict.fromkeys(
        ("name", "title", "phone", "reason", "venue", "subject", "actor", "actor_name", "actor_key", "problem"), OneLine
    ),
    "dedupe_key": OneLine,
    **dict.fromkeys(("company", "organization", "role", "text", "note", "notes", "reference"), PlainText),
    **dict.fromkeys(("description", "intro", "bio", "address", "consent", "consent_text"), PlainText),
    **dict.fromkeys(
        ("kind", "event", "state", "status", "decided_by", "author", "source", "suspicion", "theme"), Token
    ),
}
# Half of the column's range, so that counters can still grow.
_NUMBER_TYPES = {
    "PositiveSmallIntegerField": integer_up_to(2**14),
    "SmallIntegerField": integer_up_to(2**14, -(2**14)),
    "PositiveIntegerField": integer_up_to(2**30),
    "IntegerField": integer_up_to(2**30, -(2**30)),
    "PositiveBigIntegerField": integer_up_to(2**52),
    "BigIntegerField": integer_up_to(2**52, -(2**52)),
    "FloatField": Annotated[float, Field(ge=-(10**9), le=10**9)],
}


def default_type(column: Any) -> Any:
    """Return the default type of a column according to its name or else its kind, or None."""
    kind = column.get_internal_type()
    if kind in _NUMBER_TYPES and column.name not in _AMOUNT_COLUMNS:
        return _NUMBER_TYPES[kind]  # even if its name means text elsewhere, such as the status of an answer
    return DEFAULT_TYPES.get(column.name)


@cache
def available_zones() -> frozenset[str]:
    return frozenset(available_timezones())
