"""The compact form of a tool for agents: the same arguments with shorter text."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field
from typing_extensions import TypedDict

from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day, Id, Limit, Line
from workspace.tools.compact_schema import compact_schema, first_sentences, shorten_description
from workspace.tools.tool import Tool, Toolbox

box = Toolbox("menu", "Menus")


class Size(TypedDict, total=False):
    label: str
    more: Annotated[list[Size], Field(max_length=3)]


class Dish(TypedDict, total=False):
    name: Annotated[str, Line(80)]
    price: Annotated[float, Field(ge=0, le=9999)]
    served: Annotated[Day | None, Field(description="The day on which it is served: nothing for every day")]
    hot: bool
    sizes: list[Size]


class Kept(Dish, total=False):
    id: Id


@box.tool("svc_x_create", title="Create")
def create(
    account: Any, name: str, dishes: list[Dish] | None = None, kind: Annotated[str, Line(9)] = "a"
) -> Answer[Any]:
    """Make a menu.

    It is there at once. Whatever is said after this is too long to be told to an agent each time that it connects,
    since it costs every conversation."""
    return Answer({}, "")


@box.tool("svc_x_save_dishes", title="Save", idempotent=True)
def save(account: Any, items: Annotated[list[Kept], Field(max_length=500)], limit: Limit = 50) -> Answer[Any]:
    """Save dishes."""
    return Answer({}, "")


class Spiced(Dish, total=False):
    heat: int


@box.tool("svc_x_spice", title="Spice")
def spice(account: Any, name: str, dishes: list[Spiced] | None = None) -> Answer[Any]:
    """Make a menu of dishes with a field that no other tool lists."""
    return Answer({}, "")


class Words(TypedDict, total=False):
    title: str
    flavour: Annotated[str, Line(40), Field(description="What it tastes of; empty for nothing")]


@box.tool("svc_x_edit", title="Edit")
def edit(account: Any, id: Id, **words: Unpack[Words]) -> Answer[Any]:
    """Edit."""
    return Answer({}, "")


def test_bounds_are_left_out_but_types_choices_and_required_arguments_stay() -> None:
    assert compact_schema(edit) == {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "title": {"type": "string"},
            "flavour": {"type": "string", "description": "What it tastes of"},
            "dry_run": {"type": "boolean"},
        },
        "required": ["id"],
    }


def test_a_child_is_described_once_in_the_tool_that_saves_it() -> None:
    child = compact_schema(save)["properties"]["items"]["items"]
    assert list(child["properties"]) == ["name", "price", "served", "hot", "sizes", "id"]
    assert child["properties"]["served"] == {
        "description": "The day on which it is served",
        "type": "string",
        "format": "date",
    }
    assert compact_schema(create)["properties"]["dishes"]["items"] == {
        "type": "object",
        "description": "as in svc_x_save_dishes",
    }


def test_an_object_shows_all_its_fields_or_none() -> None:
    spiced = compact_schema(spice)["properties"]["dishes"]["items"]
    assert list(spiced["properties"]) == ["name", "price", "served", "hot", "sizes", "heat"]
    assert "description" not in spiced


def test_a_recursive_definition_stays_a_reference() -> None:
    sizes = compact_schema(save)["properties"]["items"]["items"]["properties"]["sizes"]
    assert sizes["items"] == {"$ref": "#/$defs/Size"}
    assert compact_schema(save)["$defs"]["Size"]["properties"]["more"]["items"] == {"$ref": "#/$defs/Size"}


@pytest.mark.parametrize("tool", list(box))
def test_the_compact_schema_accepts_what_the_full_schema_accepts(tool: Tool[Any]) -> None:
    schema = compact_schema(tool)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate({"id": "x", "name": "Lunch", "items": [{"name": "Soup", "sizes": [{}]}]})


def test_a_description_is_cut_to_the_sentences_that_fit() -> None:
    assert first_sentences(create) == "Make a menu. It is there at once."


@pytest.mark.parametrize(
    ("name", "description", "told"),
    [
        ("target_url", "Where a scan leads: an http or https address", "Where a scan leads"),
        ("resets_at", "HH:MM at which it is there again; empty for never", "HH:MM at which it is there again"),
        ("email", "The address that guests write to", ""),
        ("card_id", "The card's id, as svc_card_list tells it", ""),
        ("logo_id", "An upload_id; empty for none", "An upload_id"),
        ("way", "Where a guest who came by the side door is to be led at night", "Where a guest who came…"),
    ],
)
def test_an_argument_is_described_by_its_first_clause(name: str, description: str, told: str) -> None:
    assert shorten_description(name, description) == told
