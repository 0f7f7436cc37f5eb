"""Recipients as callers write them, and as one certificate each is made of them. All that is wrong is told at once, at
the path that the caller wrote (`recipients.3.name`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from workspace.brand.languages import language as clean_language
from workspace.documents import glyph_coverage
from workspace.publishing.arguments import LONGEST_EMAIL, clean_email
from workspace.tools import object_parser
from workspace.tools.object_parser import Entry, Issues

MOST = 500
RECIPIENTS = "{name, email, course, date, hours, custom, expires, language, reference, send}"
NAMES = {
    "name": ("full_name", "recipient", "student"),
    "first_name": (),
    "last_name": (),
    "email": ("mail", "e_mail"),
    "course": (),
    "date": (),
    "hours": (),
    "custom": (),
    "expires": ("valid_until",),
    "language": (),
    "reference": (),
    "send": (),
}
_LIKE_A_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_TEXT = {"type": "string"}


class Recipient(TypedDict):
    """`send` None: mailed where there is an address. What is empty takes the default of the call."""

    name: str
    email: str
    course: str
    date: str
    hours: str
    custom: str
    expires: str
    language: str
    reference: str
    send: bool | None


WRITTEN = WithJsonSchema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 120},
            **dict.fromkeys(("email", "course", "date", "hours", "custom"), _TEXT),
            "expires": {"type": "string", "description": "Last valid day"},
            "language": _TEXT,
            "reference": {"type": "string", "description": "Your own number"},
            "send": {"type": "boolean", "description": "Mail it; true when left out"},
        },
        "required": ["name"],
    }
)


def read_recipients(given: Any) -> Any:
    if not isinstance(given, list):
        return given
    issues = Issues()
    found = [_read(one, str(number), issues) for number, one in enumerate(given[: MOST + 1])]
    object_parser.raise_from(issues, given)
    return found


def _read(given: Any, path: str, issues: Issues) -> Recipient:
    if isinstance(given, str):
        given = {"name": given}
    entry = Entry(given, path, NAMES, issues, "a recipient")
    first, last = entry.read("first_name", _printed(60), ""), entry.read("last_name", _printed(60), "")
    known = len(issues)
    name = entry.read("name", _printed(120), "") or " ".join(filter(None, (first, last)))
    if not name and len(issues) == known and entry.is_object:
        entry.wrong("name", "Write the name that stands on the certificate")
    found: Recipient = {
        "name": name,
        "email": entry.read("email", _email, ""),
        "course": entry.read("course", _printed(200), ""),
        "date": entry.read("date", day_text, ""),
        "hours": entry.read("hours", _number_or(_printed(40)), ""),
        "custom": entry.read("custom", _printed(200), ""),
        "expires": entry.read("expires", last_day, ""),
        "language": entry.read("language", _language, ""),
        "reference": entry.read("reference", _number_or(object_parser.line(80)), ""),
        "send": entry.read("send", object_parser.flag, None),
    }
    entry.finish()
    return found


def _printed(most: int) -> Callable[[Any], str]:
    line = object_parser.line(most)

    def read(value: Any) -> str:
        text = unicodedata.normalize("NFC", line(value))
        if missing := glyph_coverage.missing(text):
            raise ValueError(glyph_coverage.refusal(missing))
        return text

    return read


def _number_or(read: Callable[[Any], str]) -> Callable[[Any], str]:
    def found(value: Any) -> str:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return read(f"{value:g}" if is_number and abs(value) < 10**9 else value)

    return found


def _language(value: Any) -> str:
    text = object_parser.line(35)(value)
    return clean_language(text) if text else ""


def _email(value: Any) -> str:
    return clean_email(object_parser.line(LONGEST_EMAIL)(value))


def day_text(value: Any) -> str:
    """A day as YYYY-MM-DD, or words. Raises ValueError for what looks like a day and is none."""
    text = _printed(60)(value)
    if _LIKE_A_DAY.fullmatch(text):
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise ValueError("There is no such day: write it as YYYY-MM-DD") from None
    return text


def last_day(value: Any) -> str:
    text = object_parser.line(10)(value)
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise ValueError("Write the last valid day as YYYY-MM-DD") from None


def day_of(text: str) -> date | None:
    return date.fromisoformat(text) if _LIKE_A_DAY.fullmatch(text) else None


def doubtful(recipients: Sequence[Recipient]) -> Iterator[tuple[str, str]]:
    """Paths and texts in which a mark of one script stands on a letter of another: fonts have both, and may not be able
    to draw them as one."""
    for number, one in enumerate(recipients):
        for field in ("name", "course", "date", "hours", "custom"):
            if _mixes(one[field]):
                yield f"recipients.{number}.{field}", one[field]


def _mixes(text: str) -> bool:
    base = ""
    for char in text:
        if unicodedata.category(char)[0] != "M":
            base = _script(char)
        elif _script(char) not in (base, "COMBINING", "VARIATION") or (
            base not in _MARKED and _script(char) == "COMBINING"
        ):
            return True
    return False


_MARKED = ("LATIN", "GREEK", "CYRILLIC")


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
