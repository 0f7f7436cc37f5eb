"""Types that read columns of an imported row. A product declares the types of its tool arguments beside its tables:

    Carried(model=Guest, reads={**as_given(GuestFields, "party", "meals"), "sort_key": OneLine})

What needs no declaration stands in `USUAL`, by the name of the column. A text or JSON column without a reader fails a
test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError as DjangoError
from django.core.validators import validate_email
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from workspace.lib.data_subject import ERASED
from workspace.lib.money import CURRENCIES
from workspace.lib.text import has_controls
from workspace.lib.web_address import clean_web_address
from workspace.tools.argument_types import FIRST_YEAR, LAST_YEAR
from workspace.tools.validation import issue

MOST_MONEY = 10**15  # minor units
LANGUAGES = tuple(dict(settings.LANGUAGES))


def as_given(arguments: Any, *names: str, **renamed: str) -> dict[str, Any]:
    """Types of a tool's arguments, for the columns of the same names. `column="argument"` where a name differs."""
    hints = get_type_hints(arguments, include_extras=True)
    return {column: _bare(hints[name]) for column, name in {**dict(zip(names, names, strict=True)), **renamed}.items()}


def _bare(type: Any) -> Any:
    while get_origin(type) in (Required, NotRequired):
        (type,) = get_args(type)
    return type


@cache
def _adapter(type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type)


def read(type: Any, value: Any) -> Any:
    """The value as this type reads it. Raises ValueError with the place inside of the value and what is wrong."""
    try:
        return _adapter(type).validate_python(value, strict=True)
    except ValidationError as problem:
        found = issue(problem.errors(include_url=False)[0])
        raise ValueError(f"{found.path}: {found.message}" if found.path else found.message) from None


def _checked(is_right: Callable[[str], object], problem: str) -> AfterValidator:
    def check(text: str) -> str:
        if not is_right(text):
            raise ValueError(problem)
        return text

    return AfterValidator(check)


# wider than what owners may write, since guests' forms have let more through
_EMAIL = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+\.[^\s@<>()\[\]\\,;:\".]+")


def _is_email(text: str) -> bool:
    if text == ERASED or (_EMAIL.fullmatch(text) and not has_controls(text)):
        return True
    try:
        validate_email(text)
    except DjangoError:
        return False
    return True


def matching(pattern: str, problem: str) -> Any:
    return Annotated[str, _checked(re.compile(pattern, re.ASCII).fullmatch, problem)]


def one_of(*words: str) -> Any:
    return Literal[words]


def up_to(most: int, least: int = 0) -> Any:
    return Annotated[int, Field(ge=least, le=most)]


def _is_local_time(text: str) -> bool:
    try:
        return FIRST_YEAR <= datetime.strptime(text, "%Y-%m-%dT%H:%M").replace(tzinfo=UTC).year <= LAST_YEAR
    except ValueError:
        return False


def _web_address(text: str) -> str:
    return text if text == ERASED else clean_web_address(text)


_SHORT = StringConstraints(max_length=100_000)  # where neither the column nor a tool says less
OneLine = Annotated[str, _SHORT, _checked(lambda text: not has_controls(text), "Use plain text on one line")]
PlainText = Annotated[str, _SHORT, _checked(lambda text: not has_controls(text, multiline=True), "Use plain text")]
AnyText = str  # of what others wrote, and of what is only searched or hashed
Email = Annotated[str, _checked(_is_email, "This is not an email address")]
Identifier = matching(r"[A-Za-z0-9_.:+/=@-]{1,120}", "Use an ID: letters, digits, and . _ : + / = @ -")
Token = matching(r"[a-z0-9_.-]{1,60}", "Use a-z, 0-9, and _ . -")
EventName = matching(r"[A-Za-z0-9_.:-]{1,60}", "Use the name of an event, such as booking.made")
Digest = matching(r"[0-9a-f]{64}", "Use a SHA-256 digest: 64 of 0-9 and a-f")
Color = matching(r"#[0-9a-f]{6}", "Write the color as #rrggbb")
Clock = matching(r"([01][0-9]|2[0-3]):[0-5][0-9]", "Write the time as HH:MM, from 00:00 to 23:59")
LocalTime = Annotated[str, _checked(_is_local_time, "Write the time as 2026-12-31T18:00")]
Zone = Annotated[str, _checked(lambda text: text in available_zones(), "Name a time zone such as Europe/Berlin")]
Currency = Annotated[str, _checked(CURRENCIES.__contains__, "Give the three letters of a currency, such as EUR")]
GuestLanguage = Literal[LANGUAGES]  # type: ignore[valid-type]  # as the settings list them
LanguageCode = matching(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}", "Write a language as de or pt-br")
MediaType = matching(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}", "Use a media type, such as image/png")
WebAddress = Annotated[str, StringConstraints(max_length=2048), AfterValidator(_web_address)]
Path = matching(r"/(?![/\\])[A-Za-z0-9/_.~%?=&#+-]*", "Give a path on this service, such as /p/abc")
Money = up_to(MOST_MONEY)


def list_of(type: Any, most: int, least: int = 0) -> Any:
    return Annotated[list[type], Field(min_length=least, max_length=most)]


def keyed(key: Any, value: Any, most: int = 1000) -> Any:
    return Annotated[dict[key, value], Field(max_length=most)]


def any_of(*types: Any) -> Any:
    return Union[types]  # noqa: UP007  of types that are only known here


def shape(_optional: Mapping[str, Any] | None = None, /, **members: Any) -> Any:
    """An object with these members, and those that may be missing."""
    hints = {**members, **{name: NotRequired[type] for name, type in (_optional or {}).items()}}
    make: Any = TypedDict
    return with_config(ConfigDict(extra="forbid", strict=True))(make("Shape", hints))


def checked_by(type: Any, *checks: Callable[[Any], Any]) -> Any:
    """A value of this type that each check answers, or refuses with a ValueError."""
    return Annotated[(type, *map(AfterValidator, checks))]


def as_stored(type: Any) -> Any:
    """Judges a value by this type, and leaves it as it is."""

    def check(value: Any) -> Any:
        read(type, value)
        return value

    return Annotated[Any, AfterValidator(check)]


def or_erased(type: Any) -> Any:
    """Also what erasing a person leaves where nothing may not stand."""
    return type | Literal[ERASED]


def json_text(type: Any) -> Any:
    """Text that holds JSON of this type. It stays as it is, since a hash may be of it."""

    def check(text: str) -> str:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("Use JSON") from None
        read(type, found)
        return text

    return Annotated[str, AfterValidator(check)]


USUAL: dict[str, Any] = {
    **dict.fromkeys(("id", "key", "record", "pdf_key", "uid", "thing", "thing_id", "token"), Identifier),
    **dict.fromkeys(("hash", "head", "pdf_sha256"), Digest),
    **dict.fromkeys(("email", "client_email"), Email),
    **dict.fromkeys(("time_zone", "guest_zone"), Zone),
    **dict.fromkeys(("amount", "refunded", "price_minor", "deposit_minor", "due_minor", "paid_minor"), Money),
    "refunded_minor": Money,
    "currency": Currency,
    "language": GuestLanguage,
    "colour": Color,
    "search": AnyText,
    **dict.fromkeys(
        ("name", "title", "phone", "reason", "venue", "subject", "who", "actor", "problem", "once"), OneLine
    ),
    **dict.fromkeys(("company", "organization", "role", "text", "note", "notes", "reference"), PlainText),
    **dict.fromkeys(("description", "intro", "bio", "address", "consent", "consent_text"), PlainText),
    **dict.fromkeys(("kind", "event", "state", "status", "by", "source", "suspicion", "theme"), Token),
}
# half of what the column holds, so that what is counted can go on
_WHOLE = {
    "PositiveSmallIntegerField": up_to(2**14),
    "SmallIntegerField": up_to(2**14, -(2**14)),
    "PositiveIntegerField": up_to(2**30),
    "IntegerField": up_to(2**30, -(2**30)),
    "PositiveBigIntegerField": up_to(2**52),
    "BigIntegerField": up_to(2**52, -(2**52)),
    "FloatField": Annotated[float, Field(ge=-(10**9), le=10**9)],
}


def usual(column: Any) -> Any:
    """The reader of a column that declares none, by its name and then by its kind; None where there is none."""
    kind = column.get_internal_type()
    return _WHOLE.get(kind) if kind in _WHOLE and column.name not in USUAL else USUAL.get(column.name)


@cache
def available_zones() -> frozenset[str]:
    return frozenset(available_timezones())
