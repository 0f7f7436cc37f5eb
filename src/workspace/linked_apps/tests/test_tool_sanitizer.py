"""Descriptions of an app's tools are untrusted, and are sanitized before anyone reads them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.linked_apps.config import Application
from workspace.linked_apps.tool_sanitizer import MAX_TOOLS, MAX_TOTAL_BYTES, local_tool_name, sanitize_tools

SHOP = Application("shop", "Shop", "https://shop.example", "https://shop.example/mcp")
PLAIN: dict[str, Any] = {"name": "sell", "inputSchema": {"type": "object"}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TOOL = st.fixed_dictionaries(
    {"name": st.text(max_size=90) | JSON, "inputSchema": st.just({"type": "object"}) | JSON},
    optional={"title": JSON, "description": JSON | st.text(max_size=3000), "annotations": JSON},
)


@given(st.lists(TOOL, max_size=12))
def test_sanitized_tools_are_plain_small_and_distinct(tools: list[dict[str, Any]]) -> None:
    kept, left = sanitize_tools(SHOP, tools)
    names = [one["name"] for one in kept]
    assert len(names) == len(set(names)) and len(kept) + len(left) >= min(len(tools), 1)
    for one in kept:
        assert re.fullmatch(r"shop_[A-Za-z0-9_-]{1,59}", one["name"])
        assert one["told"]["title"].endswith("(Shop)") and one["told"]["description"].startswith("Shop")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", json.dumps(one, ensure_ascii=False))
        assert one["told"]["annotations"]["readOnlyHint"] is one["reads"]
        assert not (one["reads"] and one["told"]["annotations"]["destructiveHint"])


def test_local_names_are_stable_and_short_enough() -> None:
    assert local_tool_name("shop", "sell") == "shop_sell"
    long = local_tool_name("shop", "x" * 64)
    assert len(long) == 64 and long == local_tool_name("shop", "x" * 64) != local_tool_name("shop", "x" * 65)
    assert local_tool_name("shop", "a.b") != local_tool_name("shop", "a_b") and local_tool_name(
        "shop", "a.b"
    ).startswith("shop_a_b_")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"inputSchema": {"type": "array"}}, "isn’t valid"),
        ({"inputSchema": None}, "isn’t valid"),
        ({"inputSchema": {"type": "object", "x": "y" * 13_000}}, "is too long"),
        ({"inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://evil.example"}}}}, "other document"),
        ({"inputSchema": {"type": "object", "a": json.loads("[" * 30 + "]" * 30)}}, "too deeply"),
        ({"name": "se\u202ell"}, "its name isn’t valid"),
        ({"name": ""}, "its name isn’t valid"),
    ],
)
def test_unusable_tools_are_rejected_with_a_reason(change: dict[str, Any], why: str) -> None:
    kept, left = sanitize_tools(SHOP, [PLAIN, {**PLAIN, "name": "other", **change}])
    assert [one["name"] for one in kept] == ["shop_sell"]
    assert len(left) == 1 and why in left[0]


def test_duplicate_and_excess_tools_are_rejected() -> None:
    kept, left = sanitize_tools(SHOP, [PLAIN, {**PLAIN, "description": "x"}])
    assert len(kept) == 1 and left == ["sell: another tool has this name"]
    kept, left = sanitize_tools(SHOP, [{**PLAIN, "name": f"t{number}"} for number in range(5000)])
    assert len(kept) == MAX_TOOLS and left == [f"This app has more tools. Only {MAX_TOOLS} were added."]
    wide = {"type": "object", "a": "y" * 900, "b": "z" * 900, "c": ["q" * 900] * 9}
    kept, _ = sanitize_tools(SHOP, [{**PLAIN, "name": f"t{number}", "inputSchema": wide} for number in range(100)])
    assert 0 < len(json.dumps(kept)) < MAX_TOTAL_BYTES * 1.1 and len(kept) < 100


def test_tools_without_annotations_count_as_destructive() -> None:
    [bare] = sanitize_tools(SHOP, [PLAIN])[0]
    assert bare["told"]["annotations"] == {
        "title": "sell (Shop)",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    [odd] = sanitize_tools(SHOP, [{**PLAIN, "annotations": {"readOnlyHint": "yes"}}])[0]
    assert odd["reads"] is False
