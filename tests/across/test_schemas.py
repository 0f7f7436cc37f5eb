"""The schemas of all tools, as in REST, OpenAPI and MCP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workspace.interfaces.mcp.instructions import INSTRUCTIONS
from workspace.interfaces.tool_catalog import CATALOG
from workspace.tools.compact_schema import compact_schema

# the keywords of JSON Schema 2020-12 that the catalog uses
_KEYWORDS = """$defs $ref additionalProperties anyOf const contentEncoding default description enum examples
    exclusiveMaximum exclusiveMinimum format items maxItems maxLength maxProperties maximum minItems minLength
    minProperties minimum multipleOf oneOf pattern properties propertyNames required type uniqueItems"""
KEYWORDS = frozenset(_KEYWORDS.split())
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
