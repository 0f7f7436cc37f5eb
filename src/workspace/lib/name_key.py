"""Comparing people's names: by whole words in any order, without case, accents and apostrophes.

`O'Brien-Løvås, Zoë` becomes obrien, lovas and zoe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from workspace.lib.text import search_key

_APOSTROPHES = re.compile("['\u2018\u2019\u02bc\u02b9`\u00b4\u2032]")
_PARTS = re.compile(r"[\s,;.\-\u2010-\u2015\u2212_/]+")


def split_words(name: str) -> tuple[str, ...]:
    parts = _PARTS.split(_APOSTROPHES.sub("", search_key(name)))
    return tuple(word for part in parts if (word := part if part.isalnum() else _keep_letters(part)))


def _keep_letters(part: str) -> str:
    return "".join(char for char in part if char.isalnum())


def build_key(name: str) -> str:
    """Return a key that is equal for different spellings of a name, regardless of the order of its words."""
    return key_from_words(split_words(name))


def key_from_words(words: Iterable[str]) -> str:
    """Return the key of a name that consists of these words."""
    return " ".join(sorted(words))
