"""A data subject: a person, identified by an email address, a phone number or both, and mentions in text.

An email address matches in any case, in a link (`mailto:a%40b.com`) and with Markdown escapes, but never as a part of a
longer one. A phone number matches in any format: `+43 (0)660 123 45 67`, `0660/1234567` and `tel:+436601234567` are the
same. Without a country code, it matches that number in any country.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.text import search_key

ERASED_MARKER = "[erased]"
MIN_DIGITS, MAX_DIGITS = 6, 15  # digits of a phone number; the maximum is from ITU-T E.164
MAX_EMAIL_LENGTH = 254
_SHARED_DIGITS = 7  # last digits of a number that are the same in all formats
_GAP = r"(?:\(0\)|[\s().\-/\u00a0\u202f\u2010-\u2015]|%20){0,4}"
_EMAIL = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\"]+")
_NUMBER = re.compile(r"\+?[0-9\s().\-/\u00a0\u202f\u2010-\u2015]+")
_LINK_SCHEMES = ("mailto:", "tel:", "sms:")
_MARKDOWN_CHARACTERS = set("\\`*_[]<>|#")


@dataclass(frozen=True)
class DataSubject:
    """A person. `email` is in lower case, `number` is as it was entered, and either may be empty."""

    email: str = ""
    number: str = ""
    _pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        patterns = [*map(_email_pattern, self._emails()), *map(_number_pattern, [self.number] if self.number else [])]
        object.__setattr__(self, "_pattern", re.compile("|".join(patterns) or "(?!)", re.IGNORECASE))

    @classmethod
    def parse(cls, email: str, phone: str) -> DataSubject:
        """Build a data subject from user input. Raise InvalidInputError at `email` and `phone`."""
        email, phone = email.strip(), phone.strip()
        issues = []
        if not email and not phone:
            issues.append(Issue("email", "Enter an email address, a phone number, or both"))
        if email and (len(email) > MAX_EMAIL_LENGTH or not _EMAIL.fullmatch(email)):
            issues.append(Issue("email", "Enter a valid email address"))
        digits = sum(char in "0123456789" for char in phone)
        if phone and not (_NUMBER.fullmatch(phone) and MIN_DIGITS <= digits <= MAX_DIGITS + 3):
            issues.append(
                Issue("phone", f"Enter a phone number with at least {MIN_DIGITS} digits, such as +43 660 123 45 67")
            )
        if issues:
            raise InvalidInputError(issues)
        return cls(email.lower(), phone)

    @property
    def label(self) -> str:
        """The email address and the number, for display."""
        return " and ".join(filter(None, (self.email, self.number)))

    def search_terms(self) -> tuple[list[str], str]:
        """Return terms for a first search in the database. Each match is then checked in detail.

        These are the spellings of the email address, and the last digits of the number or "".
        """
        spelled = [spelling for email in self._emails() for spelling in (email, email.replace("@", "%40"))]
        spelled += [json.dumps(email)[1:-1].replace("\\", "") for email in self._emails() if not email.isascii()]
        return list(dict.fromkeys(spelled)), _core_digits(self.number)[0][-_SHARED_DIGITS:]

    def is_named_in(self, value: Any) -> bool:
        """Return whether a string, or any string in a list or an object, mentions the person."""
        if isinstance(value, str):
            return self._pattern.search(value) is not None
        if isinstance(value, dict):
            return any(map(self.is_named_in, value.values())) or any(map(self.is_named_in, value))
        return isinstance(value, (list, tuple)) and any(map(self.is_named_in, value))

    def remove_from(self, value: Any) -> Any:
        """Remove the person from a value and return it.

        A string that contains nothing else becomes empty, as does a link to the person. A list entry that would
        lose one of its strings is removed.
        """
        if isinstance(value, str):
            return self._remove_from_text(value)
        if isinstance(value, list):
            return [self.remove_from(one) for one in value if not self._would_lose_text(one)]
        if isinstance(value, dict):
            return {name: self.remove_from(one) for name, one in value.items() if not self.is_named_in(name)}
        return value

    def _remove_from_text(self, text: str) -> str:
        if not self.is_named_in(text):
            return text
        if text.strip().lower().startswith(_LINK_SCHEMES):
            return ""
        if "://" in text and not re.search(r"\s", text.strip()):
            return self._pattern.sub("", text)
        rest = self._pattern.sub("", text)
        return self._pattern.sub(ERASED_MARKER, text) if re.search(r"\w", rest) else ""

    def _would_lose_text(self, value: Any) -> bool:
        texts = value.values() if isinstance(value, dict) else [value]
        return any(isinstance(text, str) and text and not self._remove_from_text(text) for text in texts)

    def _emails(self) -> list[str]:
        return list(dict.fromkeys(filter(None, (self.email, search_key(self.email)))))


def _email_pattern(email: str) -> str:
    spelled = "".join(
        "(?:@|%40)" if char == "@" else (r"\\?" if char in _MARKDOWN_CHARACTERS else "") + re.escape(char)
        for char in email
    )
    # an escaped character in a link may precede the address: mailto%3Aa%40b.com
    return rf"(?:(?<![\w.+-])|(?<=%[0-9A-Fa-f]{{2}})){spelled}(?![\w-]|\.\w)"


def _core_digits(number: str) -> tuple[str, bool]:
    """Return the digits without dialing prefixes, and whether they start with a country code."""
    bare = number.replace("(0)", "")
    digits = re.sub("[^0-9]", "", bare)
    is_whole = bare.strip().startswith("+") or digits.startswith("00")
    return digits.lstrip("0"), is_whole


def _number_pattern(number: str) -> str:
    core, is_whole = _core_digits(number)
    abroad = rf"(?:(?:\+|00){_GAP})?"
    patterns = [rf"{abroad}0?{_allow_gaps(core)}"]
    if is_whole:
        # national format: without the 1 to 3 digits of the country code, usually with a leading zero
        patterns += [
            rf"(?:\(?0{_GAP})?{_allow_gaps(core[cut:])}" for cut in (1, 2, 3) if len(core) - cut >= _SHARED_DIGITS
        ]
    elif len(core) >= _SHARED_DIGITS:
        patterns += [rf"{abroad}[1-9][0-9]{{0,2}}{_GAP}0?{_allow_gaps(core)}"]
    return rf"(?<![0-9])(?:{'|'.join(patterns)})(?![0-9])"


def _allow_gaps(digits: str) -> str:
    return _GAP.join(digits)
