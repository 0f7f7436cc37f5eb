"""The schemas of all tools, as in REST, OpenAPI and MCP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workspace.interfaces.mcp.instructions import INSTRUCTIONS
from workspace.interfaces.tool_catalog import CATALOG
from workspace.tools.compact_schema import MAX_SENTENCE_LENGTH, compact_schema
from workspace.tools.tool import MAX_ABOUT_LENGTH, MAX_SHORT_LENGTH, Tool

# the keywords of JSON Schema 2020-12 that the catalog uses
_KEYWORDS = """$defs $ref additionalProperties anyOf const contentEncoding default description enum examples
    exclusiveMaximum exclusiveMinimum format items maxItems maxLength maxProperties maximum minItems minLength
    minProperties minimum multipleOf oneOf pattern properties propertyNames required type uniqueItems"""
KEYWORDS = frozenset(_KEYWORDS.split())
_VERBS = """Add Approve Bulk Cancel Change Check Connect Create Customize Delete Design Duplicate Email Export Find
    Generate Get Import Invite Issue List Mark Moderate Open Print Raise Record Refund Reply Revoke Save Search
    Seat Stop Test Undo Update Upload Verify Void"""
VERBS = frozenset(_VERBS.split())
NAMED = re.compile(r"\bsvc(?:_[a-z]+)+\b")


def nodes(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema inside a schema, with its path."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in ("properties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield from nodes(part, f"{path}/{name}")
    for key in ("items", "additionalProperties", "propertyNames"):
        yield from nodes(schema.get(key), f"{path}/{key}")
    for key in ("anyOf", "oneOf"):
        for place, part in enumerate(schema.get(key, [])):
            yield from nodes(part, f"{path}/{key}/{place}")


def test_every_array_in_an_answer_defines_its_items() -> None:
    empty = [
        f"{tool.name}{path}"
        for tool in CATALOG
        for path, node in nodes(tool.output_schema)
        if node.get("type") == "array" and not node.get("items")
    ]
    assert not empty


def test_schemas_use_only_keywords_of_json_schema() -> None:
    unknown = {
        f"{tool.name}{path}: {key}"
        for tool in CATALOG
        for schema in (tool.input_schema, tool.output_schema)
        for path, node in nodes(schema)
        for key in node.keys() - KEYWORDS
    }
    assert not unknown


def test_the_limit_of_responses_has_bounds_in_its_schema() -> None:
    bounds = CATALOG.by_name["svc_form_create"].input_schema["properties"]["max_responses"]
    assert (bounds["minimum"], bounds["maximum"]) == (0, 1_000_000)


def test_every_tool_named_in_a_description_exists() -> None:
    texts = [INSTRUCTIONS]
    for tool in CATALOG:
        texts.append(tool.description)
        for schema in (tool.input_schema, tool.output_schema):
            texts += [str(node.get("description", "")) for _, node in nodes(schema)]
    named = {name for text in texts for name in NAMED.findall(text)}
    # a prefix stands for several tools: svc_menu_ for svc_menu_list and others
    assert not {name for name in named if not any(f"{tool.name}_".startswith(f"{name}_") for tool in CATALOG)}


def test_a_compact_schema_shows_the_name_and_price_of_new_items() -> None:
    sections = compact_schema(CATALOG.by_name["svc_menu_create"])["properties"]["sections"]["items"]
    assert {"name", "description", "items"} <= set(sections["properties"])
    dishes = sections["properties"]["items"]["items"]
    assert dishes.get("description") == "as in svc_menu_save_items" or "price" in dishes["properties"]
    assert "and as in" not in str([compact_schema(tool) for tool in CATALOG])


def _argument_descriptions(tool: Tool[Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the description of every argument and of every field inside one."""
    for _, node in nodes(tool.input_schema):
        for name, part in node.get("properties", {}).items():
            yield name, part.get("description", "")


def _allergen_names() -> set[str]:
    """Return the keys of a map: its values need no description."""
    save = CATALOG.by_name["svc_menu_save_items"].input_schema
    return set(save["$defs"]["SavedItem"]["properties"]["allergens"]["properties"])


def test_every_argument_has_a_description_with_a_short_first_sentence() -> None:
    allergens = _allergen_names()
    found = {
        (tool.name, *pair) for tool in CATALOG for pair in _argument_descriptions(tool) if pair[0] not in allergens
    }
    assert not {(tool, name) for tool, name, text in found if not text}
    firsts = {(tool, name, text, re.split(r"(?<=[.!?])\s+", text)[0].removesuffix(".")) for tool, name, text in found}
    assert not {(tool, name, first) for tool, name, _, first in firsts if len(first) > MAX_SENTENCE_LENGTH}


def test_every_tool_has_a_title_a_description_and_a_short_text_that_begin_with_a_verb() -> None:
    for tool in CATALOG:
        assert len(tool.description) <= MAX_ABOUT_LENGTH and len(tool.short) <= MAX_SHORT_LENGTH, tool.name
        assert tool.short != tool.title and tool.short.endswith(".") and tool.description.endswith("."), tool.name
        assert "\n" not in tool.description and "…" not in tool.short, tool.name
        for text in (tool.title, tool.description, tool.short):
            assert text.split()[0].rstrip(",") in VERBS, (tool.name, text)
