"""A person's name in its parts, as address books file it (RFC 2426, N).

Whatever way round it is written, `nameparser` tells them apart; a guess, which the owner can correct."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class PersonName:
    """`given` holds all first names; `prefix` and `suffix` are what comes before and after (`Dr.`, `Jr.`)."""

    given: str = ""
    family: str = ""
    prefix: str = ""
    suffix: str = ""


@lru_cache(maxsize=4096)
def parse_name(full_name: str) -> PersonName:
    """`Smith, John`, `Dr. John Smith Jr.` and `王 小明` alike; what holds no name is one of one part."""
    from nameparser import parse

    found = parse(full_name)
    if not (found.given_names or found.family):
        return PersonName(given=full_name)
    return PersonName(found.given_names, found.family, found.title, found.suffix)


def initials(full_name: str, name: PersonName) -> str:
    """One or two letters that stand for a face: of the first and the family name, past `van` and `de la`; in a script
    without capitals the first that is written."""
    family = next((word for word in name.family.split() if word[:1].isupper()), name.family)
    letters = [part[0] for part in (name.given, family) if part]
    if any(letter.isalpha() and letter.upper() == letter.lower() for letter in letters):
        return full_name[0]
    return "".join(letters).upper()
