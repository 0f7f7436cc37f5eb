"""Where the pages of a form lead, and what nobody can ever come to, whatever they answer.

Nothing is tried: a page or a field is only called out of reach where that follows from the form alone. A field that is
never shown is empty for all that asks about it; one that everybody answers is not; and jumps that take up every option
of such a question leave nobody who would go on to the next page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.products.form.rules import field_types
from workspace.products.form.rules.conditions import Condition

# what holds of an answer that is empty
_OF_NOTHING = ("is_empty", "is_not", "not_contains", "none_of")


@dataclass(frozen=True, slots=True)
class Way:
    """To a page's key, or END; without a condition for everybody who comes to it. `is_taken`: whether anybody can."""

    to: str
    condition: Condition | None = None
    is_taken: bool = True


@dataclass(slots=True)
class Ways:
    """`leaps` of each page, in their order; `onward`, the keys of pages from which somebody goes on to the next one;
    `never`, keys of pages and of fields that nobody can come to."""

    leaps: dict[str, list[Way]] = field(default_factory=dict)
    onward: set[str] = field(default_factory=set)
    never: list[str] = field(default_factory=list)


def ways_of(definition: Mapping[str, Any]) -> Ways:
    """Of a form as it is stored."""
    pages: Sequence[Mapping[str, Any]] = definition["pages"]
    found, known = Ways(), _Known()
    reached = {page["key"] for page in pages[:1]}
    for place, page in enumerate(pages):
        is_open = page["key"] in reached
        if not is_open:
            found.never.append(page["key"])
        known.come_to(page, is_open)
        leaps: list[Way] = []
        for leap in page.get("next", ()):
            holds = known.holds(leap["if"]) if "if" in leap else True
            is_taken = is_open and holds is not False
            leaps.append(Way(leap["go_to"], leap.get("if"), is_taken))
            if is_taken:
                reached.add(leap["go_to"])
            is_open = is_open and holds is not True
        found.leaps[page["key"]] = leaps
        if is_open and not known.take_up_all(page, leaps):
            found.onward.add(page["key"])
            reached.update(one["key"] for one in pages[place + 1 : place + 2])
    found.never += known.dead
    return found


class _Known:
    """What is known of fields before anybody answers: `dead` are never shown, `sure` have an answer of everybody who
    has come so far along with them."""

    def __init__(self) -> None:
        self.dead: list[str] = []
        self.sure: set[str] = set()

    def come_to(self, page: Mapping[str, Any], is_reached: bool) -> None:
        fields = {one["key"]: one for one in page["fields"]}
        self.sure.clear()  # others may have come another way
        for key in page["order"]:
            one = fields[key]
            rule = self.holds(one["show_if"]) if "show_if" in one else True
            if not is_reached or one.get("section") in self.dead or rule is False:
                self.dead.append(key)
            elif rule is True and "section" not in one and one.get("required") and not one.get("hidden"):
                self.sure.add(key)

    def holds(self, condition: Condition) -> bool | None:
        """None where it depends on what somebody answers."""
        if "field" in condition:
            if condition["field"] in self.dead:
                return condition["op"] in _OF_NOTHING
            if condition["field"] in self.sure and condition["op"] in field_types.ALONE:
                return bool(condition["op"] == "is_answered")
            return None
        if "not" in condition:
            inner = self.holds(condition["not"])
            return None if inner is None else not inner
        joint = "all" if "all" in condition else "any"
        parts = [self.holds(part) for part in condition[joint]]
        settles = joint == "any"  # one part that holds settles any, one that does not settles all
        if settles in parts:
            return settles
        return None if None in parts else not settles

    def take_up_all(self, page: Mapping[str, Any], leaps: Sequence[Way]) -> bool:
        """Whether the jumps name every answer that a question of the page can have."""
        left = {one["key"]: _answers(one) for one in page["fields"] if one["key"] in self.sure}
        for leap in leaps:
            leaf = leap.condition or {}
            if leap.is_taken and leaf.get("field") in left and leaf["op"] in ("is", "any_of"):
                told = leaf["value"] if isinstance(leaf["value"], list) else [leaf["value"]]
                rest = left[leaf["field"]]
                if rest is not None:
                    rest.difference_update(told)
        return any(rest is not None and not rest for rest in left.values())


def _answers(one: Mapping[str, Any]) -> set[Any] | None:
    """All answers that there can be; None where they cannot be told."""
    family = field_types.family(one["type"])
    if family == field_types.YES_NO:
        return {True, False}
    if family == field_types.CHOICE and not one.get("other"):
        return {option["value"] for option in one["options"]}
    return None
