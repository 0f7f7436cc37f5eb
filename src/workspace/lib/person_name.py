"""A person's name, split into parts as in address books (RFC 2426, N).

`nameparser` detects the parts in any order. The result is a guess, which the owner can correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a name.

    `given` contains all given names. `prefix` and `suffix` are titles before and after, such as `Dr.` and `Jr.`"""

    given: str = ""
    family: str = ""
    prefix: str = ""
    suffix: str = ""


@lru_cache(maxsize=4096)
def parse_name(full_name: str) -> PersonName:
    """Split a name such as `Smith, John`, `Dr. John Smith Jr.` or `王 小明`.

    A name that cannot be split becomes one part.
    """
    from nameparser import parse

    found = parse(full_name)
    if not (found.given_names or found.family):
        return PersonName(given=full_name)
    return PersonName(found.given_names, found.family, found.title, found.suffix)


def initials(full_name: str, name: PersonName) -> str:
    """Return one or two letters for an avatar, from the given and family names without `van` or `de la`.

    For a script without capital letters, return the first letter.
    """
    family = next((word for word in name.family.split() if word[:1].isupper()), name.family)
    letters = [part[0] for part in (name.given, family) if part]
    if any(letter.isalpha() and letter.upper() == letter.lower() for letter in letters):
        return full_name[0]
    return "".join(letters).upper()
