"""Messages about unknown names."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from workspace.lib.errors import InvalidInputError
from workspace.tools.answer import Answer
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Tool, Toolbox
from workspace.tools.validation import parse_query, validate_arguments

box = Toolbox("menu", "Menus")


class Dish(TypedDict, total=False):
    name: str
    price: float


@box.tool("svc_menu_create", title="Create", about="Create.")
def create(account: Any, restaurant_name: str, currency: str = "EUR") -> Answer[Any]:
    return Answer({}, "")


@box.tool("svc_menu_edit", title="Edit", about="Edit.")
def edit(account: Any, menu_id: str, logo_id: str = "") -> Answer[Any]:
    return Answer({}, "")


@box.tool("svc_menu_save_items", title="Save", about="Save.")
def save(account: Any, menu_id: str, items: Annotated[list[Dish], Field(max_length=500)]) -> Answer[Any]:
    return Answer({}, "")


@box.tool(
    "svc_menu_list", title="List", about="List.", reads=True, columns="restaurant_name item_count views live slug"
)
def list_menus(account: Any, folder: str = "") -> Answer[Any]:
    return Answer({}, "")


def issues(tool: Tool[Any], **arguments: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidInputError) as caught:
        validate_arguments(tool, arguments)
    return [(issue.path, issue.message) for issue in caught.value.issues]


def list_suggestions(tool: Tool[Any], **arguments: Any) -> dict[str, str]:
    return {path: message.removeprefix("Unknown argument").lstrip(": ") for path, message in issues(tool, **arguments)}


def test_a_similar_argument_is_suggested() -> None:
    assert list_suggestions(create, restaurant_name="A", curency="EUR") == {"curency": "did you mean currency?"}
    assert list_suggestions(save, menu_id="m", items=[{"nam": "Soup"}]) == {"items.0.nam": "did you mean name?"}


def test_the_sibling_that_accepts_an_argument_is_suggested() -> None:
    assert list_suggestions(create, restaurant_name="A", logo_id="x") == {"logo_id": "use svc_menu_edit"}
    assert list_suggestions(create, restaurant_name="A", price=3) == {
        "price": "use svc_menu_save_items and pass it in items"
    }


def test_the_right_place_of_an_argument_at_the_wrong_depth_is_named() -> None:
    assert list_suggestions(save, menu_id="m", items=[], price=3) == {"price": "pass it inside items"}
    assert list_suggestions(save, menu_id="m", items=[{"menu_id": "m"}]) == {
        "items.0.menu_id": "pass it next to the list, not in an entry"
    }


def test_a_word_of_a_longer_name_is_suggested_otherwise_the_members_are_listed() -> None:
    assert list_suggestions(create, name="A") == {
        "name": "did you mean restaurant_name?",
        "restaurant_name": "Required",
    }
    assert list_suggestions(save, menu_id="m", items=[{"color": "red"}]) == {
        "items.0.color": "an entry accepts name, price"
    }


def test_tools_that_read_have_no_dry_run_and_suggest_no_tools_that_write() -> None:
    assert list_suggestions(list_menus, dry_run=True, logo_id="x") == {
        "dry_run": "this tool is read-only",
        "logo_id": "",
    }


def test_all_issues_are_reported_together_and_the_rest_is_counted() -> None:
    found = issues(save, items=[{"name": 1, "price": "x", "color": "red"}, {"name": None, "price": True}], more=1)
    assert [path for path, _ in found] == ["menu_id", "items.0.name", "items.0.price", "items.0.color",
                                          "items.1.price", "more"]  # fmt: skip
    many = issues(save, menu_id="m", items=[{"price": "x"}] * 300)
    assert len(many) == 51 and many[-1] == ("", "250 more arguments are wrong")
    with pytest.raises(InvalidInputError) as caught:
        parse_query(list_menus, [("folder", "a"), ("folder", "b"), ("q", "a"), ("q", "b")])
    assert [issue.path for issue in caught.value.issues] == ["folder", "q"]


def test_the_three_nearest_tools_share_the_most_words() -> None:
    catalogue = Catalog([box])
    assert catalogue.suggest_names("svc_menu_add_items")[0] == "svc_menu_save_items"
    assert catalogue.suggest_names("svc_menus_list")[0] == "svc_menu_list"
    assert len(catalogue.suggest_names("")) == len(catalogue.suggest_names("x" * 1_000_000)) == 3
