"""Tools built from typed functions: names, schemas and defaults."""

from __future__ import annotations

import sys
from datetime import date
from types import SimpleNamespace
from typing import Annotated, Any, Unpack

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from workspace.lib.errors import InvalidInputError
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Tool, Toolbox, tools_from_modules
from workspace.tools.validation import coerce_text, parse_query, validate_arguments


class Found(TypedDict):
    first: str | None


tools = Toolbox("booking", "Booking")


@tools.tool("svc_fixture_list", title="A fixture", about="A fixture.", reads=True)
def list_things(
    account: Any,
    page_id: str,
    from_: Day | None = None,
    upcoming: bool = True,
    limit: Annotated[int, Field(ge=1, le=200)] = 50,
) -> Answer[Found]:
    """Lists things."""
    return Answer({"first": str(from_)}, "done")


class Changes(TypedDict, total=False):
    name: str
    public: Annotated[bool, Field(default=True)]


@tools.tool("svc_fixture_edit", title="Edit a fixture", about="Edit a fixture.")
def edit(account: Any, id: str, **changes: Unpack[Changes]) -> Answer[dict[str, Any]]:
    """Return the arguments that the caller passed."""
    return Answer(dict(changes), id)


TOOL = list_things
CALLER = SimpleNamespace(account=None)


def refused(arguments: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInputError) as caught:
        validate_arguments(TOOL, arguments)
    return [(issue.path, issue.message) for issue in caught.value.issues]


def test_path_method_and_words_follow_from_the_name() -> None:
    assert (TOOL.path, TOOL.method, TOOL.name_parts) == ("/api/v1/fixture/list", "GET", ("fixture", "list"))


def test_an_argument_named_like_a_keyword_has_its_plain_name_in_the_api() -> None:
    assert list(TOOL.input_schema["properties"]) == ["page_id", "from", "upcoming", "limit"]
    assert TOOL.run(CALLER, validate_arguments(TOOL, {"page_id": "x", "from": "2026-03-01"})).data == {
        "first": "2026-03-01"
    }
    assert refused({"page_id": "x", "from_": "2026-03-01"}) == [("from_", "Unknown argument: did you mean from?")]
    assert refused({"page_id": "x", "from": "1 March"}) == [("from", "Enter the date as YYYY-MM-DD")]


def test_the_schema_has_plain_types_and_true_defaults() -> None:
    schema = TOOL.input_schema
    assert schema["properties"]["from"]["type"] == "string"
    assert "default" not in schema["properties"]["from"]
    assert schema["properties"]["upcoming"] == {"type": "boolean", "default": True}
    assert schema["required"] == ["page_id"]
    assert schema["additionalProperties"] is False


def test_null_means_left_out() -> None:
    given = validate_arguments(TOOL, {"page_id": "x", "from": None, "limit": None})
    assert (given.from_, given.limit) == (None, 50)  # type: ignore[attr-defined]
    assert refused({"page_id": None}) == [("page_id", "Required")]


@pytest.mark.parametrize("limit", [True, "5", 5.5, 0, 201, [], {}])
def test_a_boolean_a_text_and_a_fraction_are_not_integers(limit: Any) -> None:
    assert [path for path, _ in refused({"page_id": "x", "limit": limit})] == ["limit"]


@pytest.mark.parametrize("limit", [5.0, 200.0])
def test_a_number_without_a_fraction_is_an_integer(limit: float) -> None:
    given = validate_arguments(TOOL, {"page_id": "x", "limit": limit})
    assert given.limit == limit and type(given.limit) is int  # type: ignore[attr-defined]


def test_a_null_under_an_unknown_name_is_an_unknown_argument() -> None:
    assert refused({"page_id": "x", "nonsense": None}) == [("nonsense", "Unknown argument")]


def test_every_invalid_argument_is_reported() -> None:
    found = refused({"limit": 0, "upcoming": "yes", "more": 1})
    assert found == [
        ("page_id", "Required"),
        ("upcoming", "Expected true or false"),
        ("limit", "Must be at least 1"),
        ("more", "Unknown argument"),
    ]


@pytest.mark.parametrize(
    "bad", ["a\x00b", "\ud800", 2**60, float("nan"), {"deep": [[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]}]
)
def test_forbidden_values_are_rejected_at_their_path(bad: Any) -> None:
    assert refused({"page_id": bad})[0][0].startswith("page_id")


@pytest.mark.parametrize("given", [[], "x", 1, True])
def test_arguments_must_be_an_object(given: Any) -> None:
    assert refused(given) == [("", "Expected an object of arguments")]


def test_a_tool_is_a_value_with_the_name_and_module_of_its_function() -> None:
    assert isinstance(edit, Tool)
    assert tools_from_modules(sys.modules[__name__]) == list(tools) == [list_things, edit]


def test_only_given_unpacked_arguments_are_passed_on() -> None:
    def handed(**given: Any) -> dict[str, Any]:
        return edit.run(CALLER, validate_arguments(edit, {"id": "x", **given})).data

    assert handed() == {} == handed(name=None)
    assert handed(name="", public=False) == {"name": "", "public": False}
    assert edit.input_schema["required"] == ["id"]
    assert list(edit.input_schema["properties"]) == ["id", "name", "public", "dry_run"]
    assert edit.input_schema["properties"]["public"] == {"type": "boolean", "default": True}
    assert "default" not in edit.input_schema["properties"]["name"]


def test_query_text_is_coerced_to_the_declared_type() -> None:
    assert parse_query(TOOL, [("page_id", "5"), ("limit", "7"), ("upcoming", "false")]) == {
        "page_id": "5",
        "limit": 7,
        "upcoming": False,
    }
    assert coerce_text("[1]", "array") == [1]
    assert coerce_text("7.0", "integer") == 7
    assert coerce_text("1" + "0" * 60, "integer") == "1" + "0" * 60
    with pytest.raises(InvalidInputError):
        parse_query(TOOL, [("limit", "1"), ("limit", "2")])


@pytest.mark.parametrize("kind", ["integer", "number", "array", "object"])
@pytest.mark.parametrize("text", ["null", "true", '"5"', "NaN", "", "x"])
def test_query_text_of_another_type_stays_text_to_be_rejected(kind: str, text: str) -> None:
    assert coerce_text(text, kind) == text


def test_dates_are_dates() -> None:
    given = validate_arguments(TOOL, {"page_id": "x", "from": "2026-02-28"})
    assert given.from_ == date(2026, 2, 28)  # type: ignore[attr-defined]
    assert refused({"page_id": "x", "from": "2026-02-30"}) == [("from", "Enter the date as YYYY-MM-DD")]


def _box(*names: str) -> Toolbox:
    box = Toolbox("x", "X")
    for name in names:
        box.tool(name, title=name, about=name)(list_things.function)
    return box


@pytest.mark.parametrize(
    "names", [("svc_a_b", "svc_a_b"), ("svc_qr_update", "svc_qr_update_target"), ("svc_tools_x",), ("svc_import_x",)]
)
def test_a_name_that_would_hide_another_command_is_rejected(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="svc_"):
        Catalog([_box(*names)])


def test_names_that_only_start_alike_are_allowed() -> None:
    assert len(list(Catalog([_box("svc_waiver_check", "svc_waivers_list")]))) == 2


@pytest.mark.parametrize("name", ["svc_", "qr_create", "svc_QR", "svc_a-b", "svc_" + "x" * 61])
def test_a_name_outside_the_scheme_is_rejected(name: str) -> None:
    with pytest.raises(ValueError, match="named svc_word"):
        Toolbox("x", "X").tool(name, title="x", about="x")
