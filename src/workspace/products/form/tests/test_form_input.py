"""The parser of forms reports all errors at once, at the paths that the caller wrote."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.form.rules.form_input import parse_form


def faults(fields: Any = None, pages: Any = None, **more: Any) -> dict[str, str]:
    return {issue.path: issue.message for issue in parse_form(fields=fields, pages=pages, **more)[1]}


def test_all_errors_are_reported_at_once() -> None:
    result = faults(
        [
            {"label": "Size", "type": "radio"},
            {"label": "Count", "type": "number", "show_if": {"field": "age", "gt": 3}},
            {"label": "Again", "key": "a", "min": 3, "default": 5},
            {"label": "Again", "key": "a", "pattern": "(a"},
            {"type": "emial", "color": "red"},
            {"label": "Sum", "type": "formula", "formula": "{nobody} + {a} + 2 ^ 3"},
            {"label": "Total", "type": "calculated", "formula": "{a}"},
            "Name",
            {"label": "Course", "type": "single_choise", "options": [{"label": "A", "score": 3}], "max_mb": 1},
            {"label": "Price", "type": "calculated", "formula": "{course} * 2"},
        ]
    )
    assert result == {
        "fields.0.options": "This field is required.",
        "fields.1.show_if.field": "No field has the key age.",
        "fields.2.min": "Not allowed for type=short_text. Omit it.",
        "fields.3.pattern": "Close the group with a parenthesis.",
        "fields.3.key": "This key is used twice. Choose another key.",
        "fields.4.type": result["fields.4.type"],
        "fields.4.label": "This field is required.",
        "fields.4.color": result["fields.4.color"],
        "fields.5.formula": result["fields.5.formula"],
        "fields.6.formula": "a isn’t a number. Use another field.",
        "fields.7": "Expected an object",
        "fields.8.type": result["fields.4.type"],  # and no errors that only follow from it
    }
    assert result["fields.4.type"].startswith("Use one of short_text")
    assert "“^” isn’t allowed here" in result["fields.5.formula"]


def test_cycles_are_described_and_later_pages_cannot_be_used() -> None:
    a = {"label": "A", "key": "a", "type": "calculated", "formula": "{b} + 1"}
    b = {"label": "B", "key": "b", "type": "calculated", "formula": "{a} + 1"}
    assert faults([a, b]) == {"fields.0.formula": "These fields depend on each other: a → b → a. Change one of them."}
    own = {"label": "A", "key": "a", "show_if": {"field": "a", "is": "x"}}
    assert faults([own]) == {"fields.0.show_if": "These fields depend on each other: a → a. Change one of them."}
    early = {"label": "A", "show_if": {"field": "late", "is": "x"}}
    result = faults(pages=[{"fields": [early]}, {"fields": [{"label": "Late", "key": "late"}]}])
    message = "late is on a later page. Use a field on the same page or an earlier one."
    assert result == {"pages.0.fields.0.show_if.field": message}


def test_jumps_lead_forward_to_existing_pages() -> None:
    pages = [
        {"key": "one", "fields": [{"label": "A", "key": "a"}], "next": [{"go_to": "three"}, {"if": {"field": "z"}}]},
        {
            "key": "two",
            "fields": [{"label": "Z", "key": "z"}],
            "next": [{"if": {"field": "a", "is": "x"}, "go_to": "one"}],
        },
        {"key": "two", "fields": []},
    ]
    assert faults(pages=pages) == {
        "pages.0.next.0.go_to": "No page has the key three.",
        "pages.0.next.1.go_to": "Provide the key of a later page, or end.",
        "pages.0.next.1.if.op": faults(pages=pages)["pages.0.next.1.if.op"],
        "pages.1.next.0.go_to": "Jumps only go forward. Use the key of a later page, or end.",
        "pages.2.key": "This key is used twice. Choose another key.",
    }


@pytest.mark.parametrize(
    ("field", "path", "message"),
    [
        ({"type": "yes_no", "show_if": {"field": "n", "contains": "1"}}, "show_if.contains", "n supports only"),
        ({"show_if": {"field": "n", "gt": "many"}}, "show_if.gt", "Enter a number like 12.5"),
        ({"show_if": {"field": "c", "is": "Blue"}}, "show_if.is", "“Blue” isn’t an option"),
        ({"show_if": {"field": "d", "after": "soon"}}, "show_if.after", "Enter a date like 2027-05-01, or today"),
        ({"show_if": {"field": "h", "is": "x"}}, "show_if.field", "h isn’t a question"),
        ({"show_if": {"all": []}}, "show_if.all", "Expected an array with at least one condition"),
        ({"show_if": "always"}, "show_if", "Use a condition like {"),
        ({"type": "rating", "max": 11}, "max", "Enter a whole number from 1 to 10"),
        ({"type": "number", "min": 5, "max": 4}, "max", "The maximum can’t be less than the minimum"),
        ({"type": "radio", "options": ["A", "A"]}, "options.1", "This option is listed twice"),
        ({"type": "radio", "options": [{"value": "a"}]}, "options.0.label", "This field is required"),
        ({"type": "file", "accept": ["*"]}, "accept", "Enter file extensions"),
        ({"key": "1a"}, "key", "Start with a letter"),
        ({"type": "number", "default": "many"}, "default", "Enter a default that is a valid answer"),
        ({"pattern": "a{1000}"}, "pattern", "This pattern is too large"),
        ({"pattern": "(a{99}){99}"}, "pattern", "This pattern is too large"),
        ({"type": "calculated", "formula": "(" * 30 + "1" + ")" * 30}, "formula", "Parentheses can be nested"),
        ({"type": "calculated", "formula": "{c}"}, "formula", "c has no scores"),
        ({"type": "calculated", "formula": "{n * 2"}, "formula", "Close the brace after the field’s key: {n}"),
        ({"type": "calculated", "formula": "n} * 2"}, "formula", "Open the brace before the field’s key"),
        ({"type": "calculated", "formula": "2 * {How many}"}, "formula", "“{How many}” isn’t a field. Use its key"),
        ({"type": "calculated", "formula": "2 {n}"}, "formula", "Add + - * or / before {n}"),
        ({"type": "calculated", "formula": "{nn} * 2"}, "formula", "No field has the key nn. Available fields: {n}"),
        ({"type": "heading", "required": True}, "required", "Fields of this type have no answer"),
    ],
)  # fmt: skip
def test_each_error_has_its_path(field: dict[str, Any], path: str, message: str) -> None:
    others = [
        {"label": "N", "key": "n", "type": "number"},
        {"label": "C", "key": "c", "type": "radio", "options": ["Red", "Green"]},
        {"label": "D", "key": "d", "type": "date"},
        {"label": "H", "key": "h", "type": "heading"},
    ]
    result = faults([*others, {"label": "X", **field}])
    assert list(result) == [f"fields.4.{path}"]
    assert result[f"fields.4.{path}"].startswith(message)


def test_limits_are_enforced() -> None:
    item = {"label": "A"}
    assert "fields" in faults([item] * 201)
    assert "fields" in faults([item] * 5000)
    assert "pages" in faults(pages=[{"fields": []}] * 51)
    deep: Any = {"field": "a", "is": "x"}
    for _ in range(12):
        deep = {"not": deep}
    [(path, message)] = faults([{"label": "A", "key": "a"}, {"label": "B", "show_if": deep}]).items()
    assert message == "Conditions can be nested at most 10 levels deep." and path.startswith("fields.1.show_if.not")
    wide = {"any": [{"any": [{"field": "a", "is": "x"}] * 90}] * 2}
    assert (
        "Use at most 100 conditions." in faults([{"label": "A", "key": "a"}, {"label": "B", "show_if": wide}]).values()
    )


def test_keys_are_derived_from_labels_and_never_reused() -> None:
    result, issues = parse_form(
        fields=[
            {"label": "Your name"},
            {"label": "Your name"},
            {"label": "名前"},
            {"label": "2nd", "key": "your_name_2"},
        ],
        taken_keys={"your_name": "number"},
    )
    assert not issues
    assert [field["key"] for field in result["pages"][0]["fields"]] == [
        "your_name_3",
        "your_name_4",
        "short_text",
        "your_name_2",
    ]
    [(path, message)] = faults([{"label": "A", "key": "size"}], taken_keys={"size": "number"}).items()
    assert (path, message[:30]) == ("fields.0.key", "An earlier field of another ty")


def test_synonyms_are_accepted() -> None:
    result, issues = parse_form(
        fields=[
            {"title": "Email", "type": "Email", "help": "For the receipt"},
            {
                "question": "Colors",
                "type": "multiple_choice",
                "multiple": True,
                "choices": ["Red", {"name": "Blue", "id": "b"}, 3],
            },
            {"type": "page", "title": "Then"},
            {"label": "Seats", "type": "integer", "minimum": 1, "maximum": "12"},
            {"label": "A statement to read", "type": "statement"},
        ]
    )
    assert not issues
    first, second = result["pages"]
    assert first["fields"][0] == {"key": "email", "type": "email", "label": "Email", "hint": "For the receipt"}
    assert first["fields"][1]["options"][1:] == [{"value": "b", "label": "Blue"}, {"value": "3", "label": "3"}]
    assert (second["title"], second["fields"][0]["whole"], second["fields"][0]["max"]) == ("Then", True, "12")


def test_a_parsed_form_can_be_sent_back_unchanged() -> None:
    from workspace.products.form.rules.definition_as_input import pages_as_input
    from workspace.testing.form_cases import TABLE, definition_of

    for case in TABLE["cases"]:
        definition = definition_of(case)
        assert parse_form(pages=pages_as_input(definition)) == (definition, [])
