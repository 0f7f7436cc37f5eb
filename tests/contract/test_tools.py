"""The catalog compared with the pinned contract, which is not generated from the code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workspace.interfaces.tool_catalog import CATALOG

HERE = Path(__file__).resolve().parent
PINNED = HERE / "tools.json"
SHARED = HERE.parents[2] / "shared" / "contract" / "tools.json"
CONTRACT: dict[str, dict[str, Any]] = {tool["name"]: tool for tool in json.loads(PINNED.read_text())["tools"]}

# Tools not implemented yet. This list may only shrink: an implemented tool on the list fails below.
NOT_BUILT: frozenset[str] = frozenset()
# optional arguments in addition to those of the contract
ADDED = {"svc_seat_guests": ["filter", "sort"], "svc_waiver_check": ["people"]}
BUILT = sorted(set(CONTRACT) - NOT_BUILT)


def test_the_pinned_contract_is_the_given_one() -> None:
    assert len(CONTRACT) == 45
    if SHARED.exists():
        assert PINNED.read_bytes() == SHARED.read_bytes()


def test_the_list_of_missing_tools_only_shrinks() -> None:
    assert set(CONTRACT) >= NOT_BUILT
    built_after_all = NOT_BUILT & set(CATALOG.by_name)
    assert not built_after_all, f"built, so take them off the list: {sorted(built_after_all)}"


@pytest.mark.parametrize("name", BUILT)
def test_a_tool_has_the_method_path_and_hints_of_the_contract(name: str) -> None:
    pinned, tool = CONTRACT[name], CATALOG.by_name[name]
    assert (tool.method, tool.path) == (pinned["method"], pinned["path"])
    assert tool.hints["destructive"] is pinned["destructive"]
    assert tool.hints["read_only"] is (pinned["method"] == "GET")


@pytest.mark.parametrize("name", BUILT)
def test_a_tool_accepts_exactly_the_arguments_of_the_contract(name: str) -> None:
    schema = CATALOG.by_name[name].input_schema
    properties = {key: shown for key, shown in schema.get("properties", {}).items() if key != "dry_run"}
    pinned = {argument["name"]: argument for argument in CONTRACT[name]["arguments"]}
    assert list(properties) == [*pinned, *ADDED.get(name, [])]
    assert schema["additionalProperties"] is False
    assert set(schema.get("required", [])) == {key for key, argument in pinned.items() if argument["required"]}
    for key, argument in pinned.items():
        found = properties[key]
        assert found["type"] == argument["type"], key
        assert found.get("default") == argument.get("default"), key
        assert ("default" in found) == ("default" in argument), key
        assert found.get("enum") == argument.get("enum"), key
        for limit in ("minimum", "maximum", "maxItems"):
            if limit in argument:
                assert found[limit] == argument[limit], (key, limit)


def test_every_deletion_and_cancellation_has_the_destructive_hint() -> None:
    for tool in CATALOG:
        if {"delete", "cancel", "remove"} & set(tool.name_parts):
            assert tool.destructive, tool.name


def test_every_tool_and_argument_has_a_description() -> None:
    for tool in CATALOG:
        assert tool.title and len(tool.description) > 20, tool.name
        assert tool.output_schema["type"] == "object", tool.name
