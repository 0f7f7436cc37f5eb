"""Tools that save a list: the flags build one entry, `--items` and `--csv` many, but never both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from loopback import Command, Service, ok, refuse
from svc.catalog import Catalog
from svc.catalog_cache import SNAPSHOT_PATH
from svc.entry_schema import LIST_ARGUMENTS, find_entry_schema
from svc.flags import RESERVED_FLAGS

SAVE = ("menu", "save", "items")


@pytest.fixture
def saved(service: Service) -> list[dict[str, Any]]:
    """Return the list of entries that the service was asked to save."""
    asked: list[dict[str, Any]] = []
    service.tools["svc_menu_save_items"] = lambda arguments, request: (asked.append(arguments), ok({"items": []}))[1]
    return asked


def test_the_flags_build_one_entry_and_the_output_says_that_it_was_added(
    svc: Command, saved: list[dict[str, Any]]
) -> None:
    ran = svc(*SAVE, "--menu-id", "m", "--name", "Soup", "--price", "6.50")
    assert (ran.code, saved) == (0, [{"menu_id": "m", "items": [{"name": "Soup", "price": 6.5}]}])
    assert "Added a new entry because --id was not set" in ran.err
    assert "This would add a new entry" in svc(*SAVE, "m", "--name", "Soup", "--dry-run").err
    assert saved[-1]["dry_run"] is True


@pytest.mark.parametrize("flag", ["--id", "--item-id"])
def test_an_entry_with_an_id_is_changed_without_a_message_about_adding(
    svc: Command, saved: list[dict[str, Any]], flag: str
) -> None:
    ran = svc(*SAVE, "m", flag, "i_1", "--no-hidden")
    assert (ran.code, ran.err) == (0, "")
    assert saved == [{"menu_id": "m", "items": [{"id": "i_1", "hidden": False}]}]


def test_lists_repeat_their_flag_and_objects_use_dotted_flags(svc: Command, saved: list[dict[str, Any]]) -> None:
    ran = svc(
        *(*SAVE, "m", "--dietary-tags", "vegan", "--dietary-tags", "halal"),
        *("--allergens.milk", "contains", "--variants.0.name", "Small", "--variants.0.price=4", "--price", ""),
    )
    assert ran.code == 0, ran.err
    assert saved[0]["items"] == [
        {
            "dietary_tags": ["vegan", "halal"],
            "allergens": {"milk": "contains"},
            "variants": [{"name": "Small", "price": 4}],
            "price": "",
        }
    ]
    assert svc(*SAVE, "m", "--dietary-tags", '["vegan"]', "--variants", '{"name": "Big", "price": 1}').code == 0
    assert saved[1]["items"] == [{"dietary_tags": ["vegan"], "variants": [{"name": "Big", "price": 1}]}]


def test_a_field_is_cleared_with_the_empty_value_of_its_schema(svc: Command, saved: list[dict[str, Any]]) -> None:
    cleared = [word for name in ("price", "note", "dietary_tags", "--allergens") for word in ("--clear", name)]
    assert svc(*SAVE, "m", "--id", "i_1", *cleared).code == 0
    assert saved[0]["items"] == [{"id": "i_1", "price": "", "note": "", "dietary_tags": [], "allergens": {}}]


def test_arguments_of_both_the_tool_and_its_entries_go_to_the_entry_built_from_flags(
    svc: Command, saved: list[dict[str, Any]]
) -> None:
    svc(*SAVE, "m", "--name", "Soup", "--consented")
    svc(*SAVE, "m", "--items", '[{"name": "Soup"}]', "--consented")
    assert saved[0] == {"menu_id": "m", "items": [{"name": "Soup", "consented": True}]}
    assert saved[1] == {"menu_id": "m", "items": [{"name": "Soup"}], "consented": True}


def test_many_entries_are_given_as_json_or_as_a_table_from_a_file_or_standard_input(
    svc: Command, saved: list[dict[str, Any]]
) -> None:
    dishes = [{"name": "Soup", "price": 5}, {"id": "i_2", "allergens": {"nuts": "contains"}}]
    svc.write(json.dumps(dishes), "dishes.json")
    table = 'name,item_id,price,allergens.nuts,dietary_tags\nSoup,,5,,\n,i_2,,contains,"vegan, halal"\n'
    svc.write(table)
    for given in (("--items", json.dumps(dishes)), ("--items", "@dishes.json"), ("--items", "-")):
        assert svc(*SAVE, "m", *given, stdin=json.dumps(dishes)).code == 0
        assert saved.pop() == {"menu_id": "m", "items": dishes}
    dishes[1]["dietary_tags"] = ["vegan", "halal"]
    for path in ("codes.csv", "-"):
        assert svc(*SAVE, "m", "--csv", path, stdin=table).code == 0
        assert saved.pop() == {"menu_id": "m", "items": dishes}


def test_a_tool_that_parses_tables_itself_gets_the_text(
    svc: Command, service: Service, saved: list[dict[str, Any]]
) -> None:
    (tool,) = (tool for tool in service.catalogue["tools"] if tool["name"] == "svc_menu_save_items")
    tool["input_schema"]["properties"]["csv"] = {"type": "string"}
    svc("tools", "--refresh")
    svc.write("Gericht;Preis\r\nKnödel;8,50\r\n".encode("cp1252"))
    ran = svc(*SAVE, "m", "--csv", "codes.csv")
    assert (ran.code, saved) == (0, [{"menu_id": "m", "csv": "Gericht;Preis\r\nKnödel;8,50\r\n"}])


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("--name", "x", "--items", "[]"), "Use only one of --name (one item) or --items (many)"),
        (("--name", "x", "--csv", "codes.csv"), "Use only one of --name (one item) or --csv (many)"),
        (("--items", "[]", "--csv", "codes.csv"), "Use only one of --items (many) or --csv (many)"),
        ((), "Nothing to save"),
        (("--name", ""), "must be at least 1 characters"),
        (("--price", "dear"), "must be a number or empty"),
        (("--price", "-1"), "must be at least 0"),
        (("--allergens.milk", "no"), "must be one of: contains"),
        (("--allergens.meat", "contains"), "No such option"),
        (("--allergens", "{}", "--allergens.milk", "contains"), "Use either --allergens or --allergens.milk"),
        (("--dietary-tags", "vegan") * 3, "must be at most 2 items"),
        (("--variants", "Small"), 'Use JSON such as [{"name": "Small"}]'),
        (("--variants.0.price", "x"), "'--variants.0.price': must be a number"),
        (("--clear", "name"), "'name' is not one of"),
        (("--clear", "price", "--price", "1"), "Use either --price or --clear price"),
        (("--items", '[{"name": 1}, {"cost": 2}]'), "items.0.name: must be string, not integer"),
        (("--items", '[{"name": 1}, {"cost": 2}]'), "items.1.cost: is not a known field"),
        (("--items", json.dumps([{"name": "x"}] * 151)), "svc import menu save items --csv FILE"),
        (("--csv", "none.csv"), "Could not read none.csv"),
    ],
)
def test_invalid_input_is_a_usage_error_and_sends_nothing(
    svc: Command, saved: list[dict[str, Any]], typed: tuple[str, ...], text: str
) -> None:
    svc.write("name\nSoup\n")
    ran = svc(*SAVE, "m", *typed)
    assert (ran.code, saved) == (2, []), ran.err
    assert text in ran.err


def test_an_error_names_the_flag_of_the_single_entry(svc: Command, service: Service) -> None:
    issues = [{"path": "items.0.price", "message": "Too dear"}, {"path": "menu_id", "message": "Not yours"}]
    service.tools["svc_menu_save_items"] = lambda arguments, request: refuse(
        400, "invalid_input", "Some arguments do not fit.", issues=issues
    )
    ran = svc(*SAVE, "m", "--price", "9")
    assert "--price: Too dear" in ran.err
    assert "--menu-id: Not yours" in ran.err


def test_the_help_separates_the_flags_of_an_entry_many_entries_and_the_whole_call(svc: Command) -> None:
    shown = svc(*SAVE, "--help").out
    one, many = shown.index("One item (updated with --id, otherwise added)"), shown.index("Several in one call")
    assert shown.index("--menu-id") < one < shown.index("--allergens.milk") < many < shown.index("--csv")
    assert many < shown.index("--dry-run")


def _tools() -> Catalog:
    return Catalog(json.loads(Path(SNAPSHOT_PATH).read_text())["tools"])


def test_no_field_of_an_entry_has_a_name_that_its_command_needs() -> None:
    for tool in _tools().tools:
        entries = find_entry_schema(tool)
        if entries is None:
            continue
        required = tool.input_schema.get("required") or []
        parents = {name for name in tool.input_schema["properties"] if name == "id" or name in required}
        taken = {*LIST_ARGUMENTS, *parents, *(name.replace("-", "_") for name in RESERVED_FLAGS)}
        assert not taken & set(entries.fields), tool.name


def test_every_tool_that_accepts_a_list_has_a_command_for_one_and_for_many() -> None:
    found = {tool.name for tool in _tools().tools if find_entry_schema(tool)}
    listed = {tool.name for tool in _tools().tools if "items" in tool.input_schema["properties"]}
    assert found == listed
    assert found


@pytest.mark.parametrize(
    ("tool", "noun", "other_names"),
    [
        ("svc_menu_save_items", "item", {"item_id": "id"}),
        ("svc_card_save", "card", {"card_id": "id"}),
        ("svc_links_save", "link", {"link_id": "id"}),
        ("svc_address_books_save", "address book", {"address_book_id": "id"}),
    ],
)
def test_an_entry_is_named_after_its_tool(tool: str, noun: str, other_names: dict[str, str]) -> None:
    catalog = Catalog(json.loads(SNAPSHOT_PATH.read_text())["tools"])
    [found] = [find_entry_schema(one) for one in catalog.tools if one.name == tool]
    assert found is not None and (found.noun, found.aliases) == (noun, other_names)
