"""The parser of recipients. All errors are reported at once, at the caller's paths (`recipients.3.name`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from workspace.documents import glyph_coverage
from workspace.lib.languages import parse_language as clean_language
from workspace.products.certs import messages
from workspace.products.certs.rules.recipient_list_headings import MAX_RECIPIENTS
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, clean_email
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues, ObjectReader

RECIPIENT_SHAPE = "{name, email, course, date, hours, custom, expires_on, language, reference, send}"
FIELD_ALIASES = {
    "name": ("full_name", "recipient", "student"),
    "first_name": (),
    "last_name": (),
    "email": ("mail", "e_mail"),
    "course": (),
    "date": (),
    "hours": (),
    "custom": (),
    "expires_on": ("expires", "valid_until"),
    "language": (),
    "reference": (),
    "send": (),
}
_DAY_PATTERN = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")


class Recipient(TypedDict):
    """A recipient.

    If `send` is None, the certificate is emailed if there is an address. Empty values get the defaults of the call.
    """

    name: str
    email: str
    course: str
    date: str
    hours: str
    custom: str
    expires_on: str
    language: str
    reference: str
    send: bool | None


RECIPIENT_SCHEMA = WithJsonSchema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 120, "description": "Full name of the recipient."},
            "email": {"type": "string", "description": "Email address of the recipient."},
            "course": {"type": "string", "description": "Name of the course."},
            "date": {"type": "string", "description": "Date, as YYYY-MM-DD or text."},
            "hours": {"type": "string", "description": "Number of hours, such as 8."},
            "custom": {"type": "string", "description": "Custom text, such as a grade."},
            "expires_on": {"type": "string", "description": "Last valid day, YYYY-MM-DD."},
            "language": {"type": "string", "description": "Language code of the certificate, such as de."},
            "reference": {"type": "string", "description": "Your internal reference number."},
            "send": {"type": "boolean", "description": "Whether to email the certificate. Defaults to true."},
        },
        "required": ["name"],
    }
)


def parse_recipients(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    issues = Issues()
    recipients = [
        _parse_recipient(item, str(number), issues) for number, item in enumerate(value[: MAX_RECIPIENTS + 1])
    ]
    object_parser.raise_argument_error(issues, value)
    return recipients


def parse_recipient_rows(rows: Sequence[tuple[int, Any]]) -> list[Recipient]:
    """Parse numbered lines of a list. Raise InvalidInputError at `csv.LINE.FIELD`."""
    issues = Issues()
    recipients = [_parse_recipient(value, f"csv.{number}", issues) for number, value in rows]
    issues.raise_if_any()
    return recipients


def _parse_recipient(value: Any, path: str, issues: Issues) -> Recipient:
    if isinstance(value, str):
        value = {"name": value}
    entry = ObjectReader(value, path, FIELD_ALIASES, issues, "a recipient")
    first, last = (
        entry.read_key("first_name", _printable_parser(60), ""),
        entry.read_key("last_name", _printable_parser(60), ""),
    )
    known = len(issues)
    name = entry.read_key("name", _printable_parser(120), "") or " ".join(filter(None, (first, last)))
    if not name and len(issues) == known and entry.is_object:
        entry.add_issue("name", messages.RECIPIENT_NAME_NEEDED)
    recipient: Recipient = {
        "name": name,
        "email": entry.read_key("email", _parse_email, ""),
        "course": entry.read_key("course", _printable_parser(200), ""),
        "date": entry.read_key("date", parse_day_text, ""),
        "hours": entry.read_key("hours", _with_number_input(_printable_parser(40)), ""),
        "custom": entry.read_key("custom", _printable_parser(200), ""),
        "expires_on": entry.read_key("expires_on", parse_last_valid_day, ""),
        "language": entry.read_key("language", _parse_language, ""),
        "reference": entry.read_key("reference", _with_number_input(object_parser.line_parser(80)), ""),
        "send": entry.read_key("send", object_parser.parse_flag, None),
    }
    entry.reject_unknown_keys()
    return recipient


def _printable_parser(max_length: int) -> Callable[[Any], str]:
    line = object_parser.line_parser(max_length)

    def parse_text(value: Any) -> str:
        text = unicodedata.normalize("NFC", line(value))
        if missing := glyph_coverage.find_unprintable(text):
            raise ValueError(glyph_coverage.unprintable_message(missing))
        return text

    return parse_text


def _with_number_input(read: Callable[[Any], str]) -> Callable[[Any], str]:
    def parse_value(value: Any) -> str:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return read(f"{value:g}" if is_number and abs(value) < 10**9 else value)

    return parse_value


def _parse_language(value: Any) -> str:
    text = object_parser.line_parser(35)(value)
    return clean_language(text) if text else ""


def _parse_email(value: Any) -> str:
    return clean_email(object_parser.line_parser(MAX_EMAIL_LENGTH)(value))


def parse_day_text(value: Any) -> str:
    """Parse a date as YYYY-MM-DD. Other text is returned as is. Raise ValueError for a date that does not exist."""
    text = _printable_parser(60)(value)
    if _DAY_PATTERN.fullmatch(text):
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise ValueError(messages.NO_SUCH_DATE) from None
    return text


def parse_last_valid_day(value: Any) -> str:
    text = object_parser.line_parser(10)(value)
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise ValueError(messages.INVALID_EXPIRY_DATE) from None


def find_date(text: str) -> date | None:
    """Return the date if the text has the form YYYY-MM-DD, or None."""
    return date.fromisoformat(text) if _DAY_PATTERN.fullmatch(text) else None


def find_mixed_script_texts(recipients: Sequence[Recipient]) -> Iterator[tuple[int, str, str]]:
    """Yield texts in which a letter is followed by a combining mark of another script, with recipient and field.

    Fonts contain both characters, but may be unable to render them together.
    """
    for number, recipient in enumerate(recipients):
        for field in ("name", "course", "date", "hours", "custom"):
            if _mixes_scripts(recipient[field]):
                yield number, field, recipient[field]


def _mixes_scripts(text: str) -> bool:
    base = ""
    for char in text:
        if unicodedata.category(char)[0] != "M":
            base = _script_of_character(char)
        elif _script_of_character(char) not in (base, "COMBINING", "VARIATION") or (
            base not in _ACCENTED_SCRIPTS and _script_of_character(char) == "COMBINING"
        ):
            return True
    return False


_ACCENTED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")


def _script_of_character(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]
