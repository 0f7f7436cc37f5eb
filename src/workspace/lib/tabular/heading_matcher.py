"""Matching a list's headings by the words in them: `Dieta / alergias` means the diet.

    VOCABULARY = Vocabulary({"table": "table, mesa, tisch*", "name": "name, full name, nombre y apellidos"})
    VOCABULARY.match("Tischnummer").field == "table"

A phrase is one word or several consecutive words. A star at its end or start matches the rest of a word. If several
phrases match, the longest one wins, then the field that comes first in the vocabulary.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workspace.lib.text import search_key

HEADING_SEARCH_LINES = 10  # lines that are not empty, in which the heading is looked for
MAX_HEADING_LENGTH = 80  # characters of a cell that may be a heading
_WORD = re.compile(r"[^\W_]+|#")
# words that alone do not describe a column
_FILLER_TEXT = """
    a an the of for if any and or y e et o u und oder der die das den des dem fur fuer von zu zum zur mit de del la el
    los las do da dos das no na com para por si en in your my our please bitte s optional opcional
"""
FILLER_WORDS = frozenset(_FILLER_TEXT.split())


@dataclass(frozen=True, slots=True)
class HeadingMatch:
    """The match of a heading.

    `field` is "" if there is none. `is_whole` means that all of its words matched. `is_remembered` means that the owner
    chose the field for this heading before.
    """

    field: str = ""
    is_whole: bool = False
    words: int = 0
    is_remembered: bool = False


NO_MATCH = HeadingMatch()


class Vocabulary:
    """The fields of a list, with the possible headings of their columns."""

    def __init__(self, phrases: Mapping[str, str]) -> None:
        """Create a vocabulary from `phrases`: comma-separated phrases by field."""
        self.fields = tuple(phrases)
        self._exact: dict[tuple[str, ...], str] = {}
        self._open: list[tuple[str, bool, str]] = []
        for field, field_phrases in phrases.items():
            for phrase in filter(None, (search_key(one).strip() for one in field_phrases.split(","))):
                if phrase.endswith("*") or phrase.startswith("*"):
                    self._open.append((phrase.strip("*"), phrase.endswith("*"), field))
                else:
                    self._exact.setdefault(tuple(_WORD.findall(phrase)), field)
        self._longest = max(map(len, self._exact), default=1)
        self._remembered: dict[str, str] = {}

    def with_remembered(self, fields_by_heading: Mapping[str, str]) -> Vocabulary:
        """Return a vocabulary that also knows these headings. Keys are those of `heading_key`."""
        if not fields_by_heading:
            return self
        other = copy.copy(self)
        other._remembered = dict(fields_by_heading)
        return other

    def match(self, heading: str) -> HeadingMatch:
        """Return the field that the words of a heading match best, or `NO_MATCH`."""
        if not heading or len(heading) > MAX_HEADING_LENGTH:
            return NO_MATCH
        words = _WORD.findall(search_key(heading))
        if self._remembered and (known := self._remembered.get(" ".join(words))):
            return HeadingMatch(known, True, MAX_HEADING_LENGTH, True)
        found: list[tuple[int, int, str]] = []
        covered: set[int] = set()
        for size in range(1, min(self._longest, len(words)) + 1):
            for start in range(len(words) - size + 1):
                if (field := self._find_field(tuple(words[start : start + size]))) is not None:
                    found.append((size, -self.fields.index(field), field))
                    covered |= set(range(start, start + size))
        if not found:
            return NO_MATCH
        rest = {word for place, word in enumerate(words) if place not in covered}
        size, _, field = max(found)
        return HeadingMatch(field, rest <= FILLER_WORDS, size)

    def _find_field(self, words: tuple[str, ...]) -> str | None:
        if words in self._exact:
            return self._exact[words]
        if len(words) == 1 and len(words[0]) > 2:
            for part, begins, field in self._open:
                if words[0].startswith(part) if begins else words[0].endswith(part):
                    return field
        return None


@dataclass(frozen=True, slots=True)
class _HeadingScore:
    """How much a line looks like a heading."""

    whole_matches: int
    partial_matches: int
    filled_count: int
    is_plain: bool

    @property
    def is_heading(self) -> bool:
        some = self.whole_matches + self.partial_matches
        if self.whole_matches > 1 or (self.whole_matches and 2 * self.whole_matches >= self.filled_count):
            return self.is_plain or self.whole_matches > 1
        return self.is_plain and some > (1 if self.whole_matches else 2) and 2 * some >= self.filled_count


def find_heading(lines: Sequence[Sequence[str]], vocabulary: Vocabulary) -> int | None:
    """Return the position of the heading among the first ten lines, or None."""
    scores = [_score_line(cells, vocabulary) for cells in lines[:HEADING_SEARCH_LINES]]
    fitting = [
        (score.whole_matches, score.partial_matches, -place) for place, score in enumerate(scores) if score.is_heading
    ]
    return -max(fitting)[2] if fitting else None


def count_known_columns(lines: Sequence[Sequence[str]], vocabulary: Vocabulary) -> int:
    """Return how many known columns the heading among these lines names, or 0 if there is no heading."""
    place = find_heading(lines, vocabulary)
    return 0 if place is None else sum(bool(vocabulary.match(cell).field) for cell in lines[place])


def looks_like_heading(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line could be a heading with unknown words.

    Its cells are filled, short and different from one another, and none of them appears again below.
    """
    if len(lines) < 2 or not _has_plain_cells(lines[0]):
        return False
    first = [cell for cell in lines[0] if cell]
    below = {(place, cell) for line in lines[1:] for place, cell in enumerate(line)}
    widest = max(sum(map(bool, line)) for line in lines[1:])
    again = any((place, cell) in below for place, cell in enumerate(lines[0]) if cell)
    return len(set(first)) == len(first) >= max(2, widest) and not again


def _score_line(cells: Sequence[str], vocabulary: Vocabulary) -> _HeadingScore:
    found = [vocabulary.match(cell) for cell in cells if cell]
    fields = {one.field for one in found if one.is_whole}
    whole = len(fields)  # a repeated field counts once
    part = len({one.field for one in found if one.field} - fields)
    return _HeadingScore(whole, part, len(found), _has_plain_cells(cells))


def _has_plain_cells(cells: Sequence[str]) -> bool:
    """Return whether no cell looks like data."""
    return not any(
        "@" in cell or re.search(r"\d{3}|\d[.:/]\d", cell) or len(cell) > MAX_HEADING_LENGTH for cell in cells
    )


def heading_key(heading: str) -> str:
    """Return a heading without case, accents and punctuation, which is the key of its remembered field."""
    return " ".join(_WORD.findall(search_key(heading[:MAX_HEADING_LENGTH])))


def column_letters(place: int) -> str:
    """Return the letters of a spreadsheet's column: A, B, … Z, AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(65 + rest) + name
    return name


def format_line_numbers(numbers: Sequence[int]) -> str:
    """Format line numbers for display: `3`, `3, 5 and 8 to 12`."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    words = [
        f"{one[0]} to {one[-1]}" if len(one) > 2 else str(number)
        for one in parts
        for number in one[: 1 if len(one) > 2 else 2]
    ]
    shown = words if len(words) <= 8 else [*words[:7], f"{len(words) - 7} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
