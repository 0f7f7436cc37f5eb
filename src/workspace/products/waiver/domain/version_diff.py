"""Differences between two versions of a waiver, short enough for someone who signs again.

Only changed paragraphs are shown, and the changed words within them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from workspace.documents.document_blocks import Heading, RichList, RichParagraph
from workspace.publishing.markdown import parse_blocks

MAX_COMPARISONS = (
    # word pairs to compare, which takes about a second at worst; beyond that, the whole text is shown as removed and
    # added
    1_000_000
)
SAME, NEW, GONE = "same", "new", "gone"


@dataclass(frozen=True, slots=True)
class DiffPart:
    """Words that are unchanged (for context), new or removed."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class SectionChange:
    """A changed section.

    `where` is the title of a clause, or empty for the text. `kind` is new, gone or changed.
    """

    where: str
    kind: str
    paragraphs: Sequence[Sequence[DiffPart]]


@lru_cache(maxsize=64)
def diff_versions(before: str, after: str) -> Sequence[SectionChange]:
    """Return the differences between the bodies of two versions."""
    old, new, room = json.loads(before), json.loads(after), _ComparisonBudget()
    section_changes = [
        _diff_section(
            room, "", [old["title"], *_split_paragraphs(old["text"])], [new["title"], *_split_paragraphs(new["text"])]
        )
    ]
    earlier, later = _clauses_by_key(old), _clauses_by_key(new)
    for key in [*later, *(key for key in earlier if key not in later)]:
        was, now = earlier.get(key), later.get(key)
        where = (now or was or {})["title"]
        section_changes.append(_diff_section(room, where, _clause_lines(was, where), _clause_lines(now, where)))
    old_labels = {question["label"] for question in old["questions"]}
    more = [question["label"] for question in new["questions"] if question["label"] not in old_labels]
    if more:
        section_changes.append(SectionChange("", NEW, [[DiffPart(NEW, label)] for label in more]))
    return [section_change for section_change in section_changes if section_change.paragraphs]


class _ComparisonBudget:
    """The budget of comparisons. Equal parts are free, and others cost the product of their lengths."""

    def __init__(self) -> None:
        self.remaining = MAX_COMPARISONS

    def spend(self, old: Sequence[str], new: Sequence[str]) -> bool:
        self.remaining -= len(old) * len(new)
        return self.remaining >= 0


def _clauses_by_key(data: Mapping[str, Any]) -> dict[str, Any]:
    return {clause["key"]: clause for clause in data["clauses"]}


def _clause_lines(clause: Mapping[str, Any] | None, heading: str) -> list[str]:
    if clause is None:
        return []
    title = clause["title"]
    return [*([title] if title and title != heading else []), *_split_paragraphs(clause["text"])]


def _split_paragraphs(text: str) -> list[str]:
    results: list[str] = []
    for block in parse_blocks(text):
        if isinstance(block, Heading):
            results.append(block.words)
        elif isinstance(block, RichParagraph):
            results.append("".join(run.words for run in block.runs))
        elif isinstance(block, RichList):
            results += [f"{item.mark} {''.join(run.words for run in item.runs)}".strip() for item in block.items]
    return results


def _diff_section(budget: _ComparisonBudget, heading: str, old: Sequence[str], new: Sequence[str]) -> SectionChange:
    kind = "changed" if old and new else NEW if new else GONE
    if old == new:
        return SectionChange(heading, kind, [])
    if not budget.spend(old, new):
        return SectionChange(heading, kind, [*_mark_lines(GONE, old), *_mark_lines(NEW, new)])
    paragraphs: list[Sequence[DiffPart]] = []
    for what, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if what == "replace" and b - a == d - c:
            paragraphs += [_diff_words(budget, *pair) for pair in zip(old[a:b], new[c:d], strict=True)]
        elif what != "equal":
            paragraphs += [*_mark_lines(GONE, old[a:b]), *_mark_lines(NEW, new[c:d])]
    return SectionChange(heading, kind, paragraphs)


def _mark_lines(kind: str, lines: Iterable[str]) -> list[Sequence[DiffPart]]:
    return [[DiffPart(kind, line)] for line in lines]


def _diff_words(budget: _ComparisonBudget, old: str, new: str) -> Sequence[DiffPart]:
    was, now = old.split(), new.split()
    if not budget.spend(was, now):
        return [DiffPart(GONE, old), DiffPart(NEW, new)]
    diff_parts: list[DiffPart] = []
    for what, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        for kind, words in ((SAME, was[a:b]),) if what == "equal" else ((GONE, was[a:b]), (NEW, now[c:d])):
            if words:
                diff_parts.append(DiffPart(kind, " ".join(words)))
    return diff_parts
