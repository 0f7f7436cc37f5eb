"""The compact form of a tool for agents: the same arguments with shorter text."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field
from typing_extensions import TypedDict

from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day, Id, Limit, Line
from workspace.tools.compact_schema import MAX_SENTENCE_LENGTH, compact_schema, shorten_description
from workspace.tools.tool import Tool, Toolbox

box = Toolbox("menu", "Menus")


class Size(TypedDict, total=False):
    label: str
    more: Annotated[list[Size], Field(max_length=3)]


class Dish(TypedDict, total=False):
    name: Annotated[str, Line(80)]
    price: Annotated[float, Field(ge=0, le=9999)]
    served: Annotated[Day | None, Field(description="Day on which it is served. Empty for every day.")]
    hot: bool
    sizes: list[Size]


class Kept(Dish, total=False):
    id: Id


@box.tool("svc_x_create", title="Create a menu", about="Create a menu. Returns its link.", short="Create a menu.")
def create(
    account: Any, name: str, dishes: list[Dish] | None = None, kind: Annotated[str, Line(9)] = "a"
) -> Answer[Any]:
    return Answer({}, "")


@box.tool("svc_x_save_dishes", title="Save dishes", about="Save dishes.", idempotent=True)
def save(account: Any, items: Annotated[list[Kept], Field(max_length=500)], limit: Limit = 50) -> Answer[Any]:
    return Answer({}, "")


class Spiced(Dish, total=False):
    heat: int


@box.tool("svc_x_spice", title="Create a spiced menu", about="Create a menu with a field that no other tool lists.")
def spice(account: Any, name: str, dishes: list[Spiced] | None = None) -> Answer[Any]:
    return Answer({}, "")


class Words(TypedDict, total=False):
    title: str
    flavour: Annotated[str, Line(40), Field(description="Flavor, such as mint. Empty for none.")]


@box.tool("svc_x_edit", title="Update a menu", about="Update a menu.")
def edit(account: Any, id: Id, **words: Unpack[Words]) -> Answer[Any]:
    return Answer({}, "")


def test_bounds_are_left_out_but_types_choices_and_required_arguments_stay() -> None:
    assert compact_schema(edit) == {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "title": {"type": "string"},
            "flavour": {"type": "string", "description": "Flavor, such as mint"},
            "dry_run": {"type": "boolean"},
        },
        "required": ["id"],
    }


def test_a_child_is_described_once_in_the_tool_that_saves_it() -> None:
    child = compact_schema(save)["properties"]["items"]["items"]
    assert list(child["properties"]) == ["name", "price", "served", "hot", "sizes", "id"]
    assert child["properties"]["served"] == {
        "description": "Day on which it is served",
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


def test_a_list_of_agents_shows_the_short_text_or_else_the_title() -> None:
    assert (create.short, create.description) == ("Create a menu.", "Create a menu. Returns its link.")
    assert save.short == "Save dishes"


@pytest.mark.parametrize(
    ("name", "description", "listed"),
    [
        ("target_url", "Destination of the QR code. An http or https URL.", "Destination of the QR code"),
        ("resets_at", "When sold-out items return: HH:MM. Empty for never.", "When sold-out items return: HH:MM"),
        (
            "show_if",
            'Condition, such as {"field": "age", "gte": 1.5}.',
            'Condition, such as {"field": "age", "gte": 1.5}',
        ),
        ("email", "Address that guests write to.", ""),
        ("card_id", "Card ID, from svc_card_list.", ""),
        ("logo_id", "Logo: upload_id of an image. Empty for none.", "Logo: upload_id of an image"),
    ],
)
def test_an_argument_is_described_by_its_first_sentence(name: str, description: str, listed: str) -> None:
    assert shorten_description(name, description) == listed
    assert len(listed) <= MAX_SENTENCE_LENGTH
