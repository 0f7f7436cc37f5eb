"""Queries for people: names, emails and phone numbers in comparable form.

The check compares whole words, never their beginnings: Ann is not Anna.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workspace.lib.name_key import split_words
from workspace.lib.text import search_key

MIN_DIGITS = 6
MAX_WORDS = 12
_SEPARATOR_PATTERN = re.compile(r"[\n;&|]|\s(?:and|und|y|e|et)\s")  # a capital E is an initial


@dataclass(frozen=True, slots=True)
class PersonQuery:
    """A parsed query. One of the three fields is set, or none if the query names no one."""

    email: str = ""
    numbers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.email or self.numbers or self.words)


def normalize_email(text: str) -> str:
    return text.strip().casefold()


def phone_forms(text: str, region: str) -> frozenset[str]:
    """Return the possible stored forms of a phone number, or an empty set if the text is not a phone number.

    These are E.164 if possible, and the national digits without the leading zero. `region` is the ISO 3166 country of
    the account, or empty.
    """
    digits = re.sub("[^0-9]", "", search_key(text))
    if len(digits) < MIN_DIGITS or len(digits) > 20:
        return frozenset()
    whole = format_e164(text, region)
    results = {digits.lstrip("0")} if not text.strip().startswith(("+", "00")) else set()
    if whole:
        results |= {whole, national_digits(whole)}
    return frozenset(value for value in results if value)


def format_e164(text: str, region: str) -> str:
    """Return a number such as `+436601234567`, or an empty string if the country is unknown."""
    import phonenumbers  # its tables load slowly, and few requests need them

    try:
        parsed = phonenumbers.parse(search_key(text), region or None)
    except phonenumbers.NumberParseException:
        return ""
    if not phonenumbers.is_possible_number(parsed):
        return ""
    return str(phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164))


def national_digits(number: str) -> str:
    """Return the national digits without the leading zero."""
    import phonenumbers

    return str(phonenumbers.parse(number).national_number)


def split_lines(text: str) -> list[str]:
    """Return the lines of a pasted list, without empty lines and without separators at the ends of lines."""
    return [line for part in text.split("\n") if (line := part.strip(" \t,;"))]


def split_names(text: str) -> list[str]:
    """Return the people listed in the text: `Anna Low, Ben Ott and Cara Diaz`.

    Return nothing if there is only one person. `King, Ada` is one person, as is any pair in which one part is a single
    word.
    """
    lines = [part.strip() for part in _SEPARATOR_PATTERN.split(text) if part.strip()]
    parts = [part.strip() for line in lines for part in line.split(",") if part.strip()]
    if len(lines) == 1 and len(parts) == 2 and not all(_is_full_name(part) for part in parts):
        return []
    return parts if len(parts) > 1 else []


def _is_full_name(part: str) -> bool:
    return "@" in part or len(part.split()) > 1 or sum(char.isdigit() for char in part) >= MIN_DIGITS


def parse_query(text: str, region: str) -> PersonQuery:
    """Parse a check-in query: an email, a phone number or a name."""
    if "@" in text:
        return PersonQuery(email=normalize_email(text))
    folded = search_key(text)
    if not any(char.isalpha() for char in folded) and sum(char.isdigit() for char in folded) >= MIN_DIGITS:
        return PersonQuery(numbers=phone_forms(text, region))
    return PersonQuery(words=frozenset(split_words(text)[: MAX_WORDS + 1]))
