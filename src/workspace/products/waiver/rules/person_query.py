"""Who is meant: names, addresses and numbers as they are compared. A check compares whole words, never their
beginnings: Ann is not Anna."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workspace.lib.name_key import words
from workspace.lib.text import fold

FEWEST_DIGITS = 6
MOST_WORDS = 12
_LINES = re.compile(r"[\n;&|]|\s(?:and|und|y|e|et)\s")  # a capital E is an initial


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked: one of the three is there, or none where it names nobody."""

    email: str = ""
    numbers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.email or self.numbers or self.words)


def email(text: str) -> str:
    return text.strip().casefold()


def numbers(text: str, region: str) -> frozenset[str]:
    """A telephone number in the forms by which it is found: E.164 where it is one, and its digits at home without the
    leading zero. Empty for what is none. `region`: ISO 3166 of the account, or empty."""
    digits = re.sub("[^0-9]", "", fold(text))
    if len(digits) < FEWEST_DIGITS or len(digits) > 20:
        return frozenset()
    whole = e164(text, region)
    found = {digits.lstrip("0")} if not text.strip().startswith(("+", "00")) else set()
    if whole:
        found |= {whole, national(whole)}
    return frozenset(one for one in found if one)


def e164(text: str, region: str) -> str:
    """`+436601234567`; empty where it cannot be told."""
    import phonenumbers  # its tables take long to read, and few requests need them

    try:
        parsed = phonenumbers.parse(fold(text), region or None)
    except phonenumbers.NumberParseException:
        return ""
    if not phonenumbers.is_possible_number(parsed):
        return ""
    return str(phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164))


def national(whole: str) -> str:
    """Its digits at home, without the leading zero."""
    import phonenumbers

    return str(phonenumbers.parse(whole).national_number)


def split_lines(text: str) -> list[str]:
    """Return the lines of a pasted list without empty ones and without separators at their ends."""
    return [line for part in text.split("\n") if (line := part.strip(" \t,;"))]


def split_names(text: str) -> list[str]:
    """Return the people whom a text names one after the other: `Anna Low, Ben Ott and Cara Diaz`. Return nothing for
    one person. `King, Ada` is one person, as is any pair of which one part is a single word."""
    lines = [part.strip() for part in _LINES.split(text) if part.strip()]
    parts = [part.strip() for line in lines for part in line.split(",") if part.strip()]
    if len(lines) == 1 and len(parts) == 2 and not all(_is_whole(part) for part in parts):
        return []
    return parts if len(parts) > 1 else []


def _is_whole(part: str) -> bool:
    return "@" in part or len(part.split()) > 1 or sum(char.isdigit() for char in part) >= FEWEST_DIGITS


def read(text: str, region: str) -> Query:
    """What somebody typed at the door: an e-mail address, a number, or a name."""
    if "@" in text:
        return Query(email=email(text))
    folded = fold(text)
    if not any(char.isalpha() for char in folded) and sum(char.isdigit() for char in folded) >= FEWEST_DIGITS:
        return Query(numbers=numbers(text, region))
    return Query(words=frozenset(words(text)[: MOST_WORDS + 1]))
