"""Converting submitted forms into arguments of a tool."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from workspace.dashboard.form_arguments import build_arguments, find_unreadable_numbers, parse_form
from workspace.dashboard.tests.sample import create, edit
from workspace.lib.errors import InvalidInputError
from workspace.tools.tool import Tool
from workspace.tools.validation import validate_arguments


def posted(*pairs: tuple[str, str]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, value in pairs:
        data.appendlist(name, value)
    return data


def parsed_arguments(*pairs: tuple[str, str], tool: Tool = create, **more: Any) -> dict[str, Any]:
    return build_arguments(tool.input_schema, parse_form(tool.input_schema, posted(*pairs)), **more)


def test_texts_are_converted_to_the_types_of_the_schema() -> None:
    assert parsed_arguments(("name", "Poster"), ("count", " 3 "), ("price", "12.50"), ("public", "on")) == {
        "name": "Poster",
        "count": 3,
        "price": 12.5,
        "public": True,
    }


def test_numbers_are_parsed_as_people_write_them() -> None:
    assert parsed_arguments(("count", "3,0"), ("price", "1.234,50")) == {"count": 3, "price": 1234.5}
    values = parse_form(create.input_schema, posted(("count", "1,5"), ("price", "1,234")))
    assert find_unreadable_numbers(values) == {
        "count": "Enter a whole number",
        "price": "Do you mean 1.234 or 1,234? Enter 1.234 or 1234",
    }
    assert parse_form(create.input_schema, posted(("price", "1,5")), {"price": "KWD"}) == {"price": "1.500"}


def test_an_invalid_number_remains_text_for_the_tool_to_reject() -> None:
    arguments = parsed_arguments(("name", "Poster"), ("count", "three"), ("price", "1e999"))
    with pytest.raises(InvalidInputError) as refusal:
        validate_arguments(create, arguments)
    assert {issue.path for issue in refusal.value.issues} == {"count", "price"}


def test_an_unchecked_box_is_false_only_if_the_form_shows_it() -> None:
    assert parsed_arguments(("name", "Poster"), ("_has", "public"))["public"] is False
    assert parsed_arguments(("name", "Poster"), ("_has", "public"), ("public", "true"))["public"] is True
    assert "public" not in parsed_arguments(("name", "Poster"))


def test_creating_leaves_empty_fields_out() -> None:
    assert parsed_arguments(
        ("name", "Poster"), ("folder", " "), ("count", ""), ("_has", "tags"), ("style.color", "")
    ) == {"name": "Poster"}


def test_a_required_field_left_empty_is_missing() -> None:
    with pytest.raises(InvalidInputError) as refusal:
        validate_arguments(create, parsed_arguments(("name", "")))
    assert [(issue.path, issue.message) for issue in refusal.value.issues] == [("name", "Required")]


def test_editing_clears_an_emptied_field() -> None:
    assert parsed_arguments(("folder", ""), tool=edit, editing=True, initial={"folder": "Spring"}) == {"folder": ""}


def test_editing_leaves_out_unchanged_values() -> None:
    initial = {"folder": "Spring", "count": 3, "public": False}
    pairs = [("folder", "Spring"), ("count", "3"), ("_has", "public")]
    assert parsed_arguments(*pairs, tool=edit, editing=True, initial=initial) == {}
    assert parsed_arguments(*pairs, ("public", "true"), tool=edit, editing=True, initial=initial) == {"public": True}
    assert parsed_arguments(("count", ""), tool=edit, editing=True, initial={"count": None}) == {}


def test_rows_stay_in_order_without_gaps_and_spare_rows() -> None:
    arguments = parsed_arguments(
        ("name", "x"),
        ("links.10.title", "Last"),
        ("links.10.url", "c.example"),
        ("links.2.title", "First"),
        ("links.2.url", "a.example"),
        ("_has", "links.2.shown"),
        ("links.3.title", ""),
        ("links.3.url", " "),
        ("links.3.size", "large"),
        ("_has", "links.3.shown"),
    )
    assert arguments["links"] == [
        {"title": "First", "url": "a.example", "shown": False},
        {"title": "Last", "url": "c.example"},
    ]


def test_a_list_whose_last_row_was_removed_is_cleared_on_editing() -> None:
    initial = {"name": "x", "links": [{"title": "A", "url": "a.example"}]}
    assert parsed_arguments(("name", "x"), ("_has", "links"), editing=True, initial=initial)["links"] == []


def test_several_boxes_with_one_name_become_a_list() -> None:
    assert parsed_arguments(("name", "x"), ("tags", "vegan"), ("tags", "halal"))["tags"] == ["vegan", "halal"]


def test_lists_and_objects_may_be_sent_as_json() -> None:
    links = [{"title": "A", "url": "a.example"}]
    arguments = parsed_arguments(("name", "x"), ("links", json.dumps(links)), ("style", '{"margin": 2}'))
    assert (arguments["links"], arguments["style"]) == (links, {"margin": 2})


def test_names_that_are_not_arguments_are_ignored() -> None:
    assert parsed_arguments(("name", "x"), ("csrfmiddlewaretoken", "t"), ("_once", "t"), ("save", "1")) == {"name": "x"}


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
names = st.one_of(
    st.sampled_from(["name", "folder", "count", "price", "public", "size", "tags", "links", "style", "_has", "_once"]),
    st.from_regex(r"(links|style|tags|name)(\.(0|1|7|99999|x|title|url|shown|color|margin)){1,8}", fullmatch=True),
    texts,
)


@given(st.lists(st.tuples(names, texts), max_size=12), st.booleans())
def test_any_input_is_either_accepted_or_refused(pairs: list[tuple[str, str]], editing: bool) -> None:
    arguments = parsed_arguments(*pairs, editing=editing, initial={})
    assert set(arguments) <= set(create.input_schema["properties"])
    json.dumps(arguments, allow_nan=False)
    with suppress(InvalidInputError):  # any other exception is a failure
        validate_arguments(create, arguments)


@given(st.integers(1, 9), st.booleans(), st.lists(st.tuples(texts.filter(str.strip), st.booleans()), max_size=3))
def test_what_a_form_shows_is_submitted_unchanged(count: int, public: bool, rows: list[tuple[str, bool]]) -> None:
    pairs = [("name", "x"), ("count", str(count)), ("_has", "public"), *([("public", "true")] if public else [])]
    for number, (text, shown) in enumerate(rows):
        pairs += [(f"links.{number}.title", text), (f"links.{number}.url", text), ("_has", f"links.{number}.shown")]
        pairs += [(f"links.{number}.shown", "true")] if shown else []
    plain = [text.replace("\r\n", "\n").replace("\r", "\n") for text, _ in rows]
    expected = [{"title": t, "url": t, "shown": s} for t, (_, s) in zip(plain, rows, strict=True)]
    arguments = parsed_arguments(*pairs)
    assert (arguments["count"], arguments["public"], arguments.get("links", [])) == (count, public, expected)
    assert parsed_arguments(*pairs, editing=True, initial=arguments) == {"name": "x"}
