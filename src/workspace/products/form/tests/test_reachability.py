"""Pages and fields are reported as unreachable if, and only if, this follows from the form alone."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.form.rules.form_input import parse_form
from workspace.products.form.rules.reachability import find_paths

FOOD = {"key": "food", "label": "Food", "type": "radio", "options": ["Fish", "Meat"], "required": True}


def pages(*fields: list[Any], leaps: dict[int, list[Any]]) -> list[dict[str, Any]]:
    """Return pages with the keys `p1`, `p2` …. A field is a key, or a complete field."""
    return [
        {
            "key": f"p{number}",
            "fields": [{"key": item, "label": item} if isinstance(item, str) else item for item in field],
            **({"next": leaps[number]} if number in leaps else {}),
        }
        for number, field in enumerate(fields, 1)
    ]


def when(field: str, to: str, **op: Any) -> dict[str, Any]:
    return {"if": {"field": field, **op}, "go_to": to}


FISH, MEAT = when("food", "p3", **{"is": "Fish"}), when("food", "end", **{"is": "Meat"})
SHOWN_BY_B = {"key": "c", "label": "c", "show_if": {"field": "b", "is_answered": True}}


@pytest.mark.parametrize(
    ("given", "never"),
    [
        (pages(["a"], ["b"], ["c"], leaps={1: [when("a", "p3", **{"is": "x"})]}), []),
        (pages(["a"], ["b"], ["c"], leaps={1: [{"go_to": "p3"}]}), ["p2", "b"]),
        # the jumps cover all options of a required question
        (pages([FOOD], ["b"], ["c"], leaps={1: [FISH, MEAT]}), ["p2", "b"]),
        (pages([{**FOOD, "required": False}], ["b"], ["c"], leaps={1: [FISH, MEAT]}), []),
        (pages([{**FOOD, "other": True}], ["b"], ["c"], leaps={1: [FISH, MEAT]}), []),
        (pages([FOOD], ["b"], ["c"], leaps={1: [when("food", "p3", any_of=["Fish", "Meat"])]}), ["p2", "b"]),
        (pages([FOOD], ["b"], leaps={1: [when("food", "end", is_answered=True)]}), ["p2", "b"]),
        # a jump after one that always applies
        (pages(["a"], ["b"], leaps={1: [{"go_to": "end"}, when("a", "p2", is_answered=True)]}), ["p2", "b"]),
        # a field that is never shown hides fields that depend on it, and its jumps are never taken
        (pages(["a"], ["b"], [SHOWN_BY_B], leaps={1: [{"go_to": "p3"}]}), ["p2", "b", "c"]),
        (
            pages(["a"], ["b"], ["c"], ["d"], leaps={1: [{"go_to": "p3"}], 3: [when("b", "end", is_empty=True)]}),
            ["p2", "p4", "b", "d"],
        ),
    ],
)  # fmt: skip
def test_unreachable_pages_and_fields_are_reported(given: list[dict[str, Any]], never: list[str]) -> None:
    form, issues = parse_form(pages=given)
    assert not issues
    assert find_paths(form).unreachable == never


def test_paths_say_where_a_page_leads() -> None:
    form, _ = parse_form(pages=pages([FOOD], ["b"], ["c"], leaps={1: [FISH], 2: [{"go_to": "end"}]}))
    page_paths = find_paths(form)
    assert [(way.to, way.is_reachable) for way in page_paths.jumps["p1"]] == [("p3", True)]
    assert (page_paths.continuing, page_paths.unreachable) == ({"p1", "p3"}, [])
