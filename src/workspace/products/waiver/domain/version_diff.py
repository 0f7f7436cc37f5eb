"""What has changed between two versions of a waiver, short enough for somebody who signs again: only what differs, and
within a paragraph the words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from workspace.documents.document import Entries, Flow, Heading
from workspace.publishing.markdown import blocks_of

MOST = 1_000_000  # pairs that are compared, about a second at worst; beyond them a text is shown whole, as gone and new
SAME, NEW, GONE = "same", "new", "gone"


@dataclass(frozen=True, slots=True)
class Part:
    """Words that stayed (for reading the others), are new, or are gone."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """Of a part of the waiver: `where` is the title of a clause, or empty for the text; `kind` is new, gone or
    changed."""

    where: str
    kind: str
    paragraphs: Sequence[Sequence[Part]]


@lru_cache(maxsize=64)
def changes(before: str, after: str) -> Sequence[Change]:
    """Of two versions' bodies."""
    old, new, room = json.loads(before), json.loads(after), _Room()
    found = [_of(room, "", [old["title"], *_paragraphs(old["text"])], [new["title"], *_paragraphs(new["text"])])]
    earlier, later = _clauses(old), _clauses(new)
    for key in [*later, *(key for key in earlier if key not in later)]:
        was, now = earlier.get(key), later.get(key)
        where = (now or was or {})["title"]
        found.append(_of(room, where, _lines(was, where), _lines(now, where)))
    asked = {one["label"] for one in old["questions"]}
    more = [one["label"] for one in new["questions"] if one["label"] not in asked]
    if more:
        found.append(Change("", NEW, [[Part(NEW, label)] for label in more]))
    return [one for one in found if one.paragraphs]


class _Room:
    """For comparing: what is alike costs nothing, anything else its lengths multiplied."""

    def __init__(self) -> None:
        self.left = MOST

    def takes(self, old: Sequence[str], new: Sequence[str]) -> bool:
        self.left -= len(old) * len(new)
        return self.left >= 0


def _clauses(told: Mapping[str, Any]) -> dict[str, Any]:
    return {one["key"]: one for one in told["clauses"]}


def _lines(clause: Mapping[str, Any] | None, where: str) -> list[str]:
    if clause is None:
        return []
    title = clause["title"]
    return [*([title] if title and title != where else []), *_paragraphs(clause["text"])]


def _paragraphs(text: str) -> list[str]:
    found: list[str] = []
    for block in blocks_of(text):
        if isinstance(block, Heading):
            found.append(block.words)
        elif isinstance(block, Flow):
            found.append("".join(run.words for run in block.runs))
        elif isinstance(block, Entries):
            found += [f"{item.mark} {''.join(run.words for run in item.runs)}".strip() for item in block.items]
    return found


def _of(room: _Room, where: str, old: Sequence[str], new: Sequence[str]) -> Change:
    kind = "changed" if old and new else NEW if new else GONE
    if old == new:
        return Change(where, kind, [])
    if not room.takes(old, new):
        return Change(where, kind, [*_whole(GONE, old), *_whole(NEW, new)])
    paragraphs: list[Sequence[Part]] = []
    for what, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if what == "replace" and b - a == d - c:
            paragraphs += [_words(room, *pair) for pair in zip(old[a:b], new[c:d], strict=True)]
        elif what != "equal":
            paragraphs += [*_whole(GONE, old[a:b]), *_whole(NEW, new[c:d])]
    return Change(where, kind, paragraphs)


def _whole(kind: str, lines: Iterable[str]) -> list[Sequence[Part]]:
    return [[Part(kind, line)] for line in lines]


def _words(room: _Room, old: str, new: str) -> Sequence[Part]:
    was, now = old.split(), new.split()
    if not room.takes(was, now):
        return [Part(GONE, old), Part(NEW, new)]
    found: list[Part] = []
    for what, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        for kind, words in ((SAME, was[a:b]),) if what == "equal" else ((GONE, was[a:b]), (NEW, now[c:d])):
            if words:
                found.append(Part(kind, " ".join(words)))
    return found
