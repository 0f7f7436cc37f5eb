"""Static analysis of a form: where its pages lead, and which pages and fields no guest can reach.

No answers are tried. A page or field is reported as unreachable only if that follows from the form alone. In
conditions, a field that is never shown is always empty, and a field that everyone answers never is. If jumps cover
every option of such a question, no guest continues to the next page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.products.form.rules import field_types
from workspace.products.form.rules.condition_parser import Condition

# comparisons that an empty answer meets
_OPS_MET_BY_EMPTY = ("is_empty", "is_not", "not_contains", "none_of")


@dataclass(frozen=True, slots=True)
class PagePath:
    """A path to a page's key, or END.

    Without a condition, it is for everyone. `is_reachable` is false if no guest can take it.
    """

    to: str
    condition: Condition | None = None
    is_reachable: bool = True


@dataclass(slots=True)
class PagePaths:
    """The paths of a form.

    `jumps` are the jumps of each page, in order. `continuing` are the keys of pages from which guests can continue to
    the next page. `unreachable` are keys of pages and fields.
    """

    jumps: dict[str, list[PagePath]] = field(default_factory=dict)
    continuing: set[str] = field(default_factory=set)
    unreachable: list[str] = field(default_factory=list)


def find_paths(definition: Mapping[str, Any]) -> PagePaths:
    """Find the paths through the pages of a stored form."""
    pages: Sequence[Mapping[str, Any]] = definition["pages"]
    page_paths, known = PagePaths(), _AnswerFacts()
    reached = {page["key"] for page in pages[:1]}
    for place, page in enumerate(pages):
        is_open = page["key"] in reached
        if not is_open:
            page_paths.unreachable.append(page["key"])
        known.enter_page(page, is_open)
        leaps: list[PagePath] = []
        for leap in page.get("next", ()):
            holds = known.check_condition(leap["if"]) if "if" in leap else True
            is_taken = is_open and holds is not False
            leaps.append(PagePath(leap["go_to"], leap.get("if"), is_taken))
            if is_taken:
                reached.add(leap["go_to"])
            is_open = is_open and holds is not True
        page_paths.jumps[page["key"]] = leaps
        if is_open and not known.covers_all_answers(page, leaps):
            page_paths.continuing.add(page["key"])
            reached.update(page["key"] for page in pages[place + 1 : place + 2])
    page_paths.unreachable += known.never_shown
    return page_paths


class _AnswerFacts:
    """Facts about fields that do not depend on answers.

    `never_shown` are fields that are never shown. `always_answered` are fields that every guest who gets here has
    answered.
    """

    def __init__(self) -> None:
        self.never_shown: list[str] = []
        self.always_answered: set[str] = set()

    def enter_page(self, page: Mapping[str, Any], is_reached: bool) -> None:
        fields = {field["key"]: field for field in page["fields"]}
        self.always_answered.clear()  # other guests may have come by a different path
        for key in page["order"]:
            item = fields[key]
            rule = self.check_condition(item["show_if"]) if "show_if" in item else True
            if not is_reached or item.get("section") in self.never_shown or rule is False:
                self.never_shown.append(key)
            elif rule is True and "section" not in item and item.get("required") and not item.get("hidden"):
                self.always_answered.add(key)

    def check_condition(self, condition: Condition) -> bool | None:
        """Return whether a condition is met, or None if it depends on answers."""
        if "field" in condition:
            if condition["field"] in self.never_shown:
                return condition["op"] in _OPS_MET_BY_EMPTY
            if condition["field"] in self.always_answered and condition["op"] in field_types.UNARY_OPS:
                return bool(condition["op"] == "is_answered")
            return None
        if "not" in condition:
            inner = self.check_condition(condition["not"])
            return None if inner is None else not inner
        joint = "all" if "all" in condition else "any"
        parts = [self.check_condition(part) for part in condition[joint]]
        settles = joint == "any"  # one met part decides "any", and one unmet part decides "all"
        if settles in parts:
            return settles
        return None if None in parts else not settles

    def covers_all_answers(self, page: Mapping[str, Any], jumps: Sequence[PagePath]) -> bool:
        """Return whether the jumps cover every possible answer of a question on the page."""
        left = {
            field["key"]: _possible_answers(field) for field in page["fields"] if field["key"] in self.always_answered
        }
        for leap in jumps:
            leaf = leap.condition or {}
            if leap.is_reachable and leaf.get("field") in left and leaf["op"] in ("is", "any_of"):
                values = leaf["value"] if isinstance(leaf["value"], list) else [leaf["value"]]
                rest = left[leaf["field"]]
                if rest is not None:
                    rest.difference_update(values)
        return any(rest is not None and not rest for rest in left.values())


def _possible_answers(item: Mapping[str, Any]) -> set[Any] | None:
    """Return all possible answers, or None if they are unlimited."""
    family = field_types.answer_family(item["type"])
    if family == field_types.YES_NO:
        return {True, False}
    if family == field_types.CHOICE and not item.get("other"):
        return {option["value"] for option in item["options"]}
    return None
