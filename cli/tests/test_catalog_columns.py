"""The columns named in the catalog are those that a terminal of 80 characters shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import svc
from svc.catalog import Catalog, Tool
from svc.cell_text import format_cell
from svc.text_table import format_table

BUNDLED = json.loads(Path(svc.__file__).with_name("catalog.json").read_text())["tools"]
LISTS = [tool for tool in Catalog(BUNDLED).tools if tool.columns]
TEXT = "A text that is rather longer than a column"
LIKELY = {"id": "gst_01m836dx81x4aa6tyr0rx95jhs", "slug": "ku3ufnf", "state": "live", "status": "confirmed"}
LIKELY |= {"reason": "outdated", "number": "2026-0012", "reference": "R-2041", "plan": "free", "currency": "EUR"}
LIKELY |= {"at": "2026-10-07T04:47:25Z", "start": "2026-10-07T09:00:00+02:00", "date": "2026-10-07", "when": "7 Oct"}


def row_of(tool: Tool) -> dict[str, Any]:
    """Return a row that matches the tool's schema, with values of typical length."""
    schema = tool.output_schema
    rows = schema["properties"].get("items") or next(iter(schema["properties"].values()))
    row = rows["items"]
    row = schema["$defs"][row["$ref"].rsplit("/", 1)[1]] if "$ref" in row else row
    return {name: _value(name, part) for name, part in row["properties"].items()}


def _value(name: str, schema: dict[str, Any]) -> Any:
    kinds = [part.get("type") for part in schema.get("anyOf", [schema])]
    if "integer" in kinds or "number" in kinds:
        return 1161
    if "boolean" in kinds:
        return False
    if "string" not in kinds:
        return []
    return LIKELY.get(name) or LIKELY.get(name.rpartition("_")[2]) or TEXT


@pytest.mark.parametrize("tool", LISTS, ids=lambda tool: tool.name)
def test_a_list_shows_its_named_columns_at_80_characters(tool: Tool) -> None:
    rows = [row_of(tool)] * 2
    lines = format_table(rows, 80, column_names=tool.columns)[0].splitlines()
    named = [name for name in tool.columns if rows[0][name] != []]
    assert lines[0].split() == [name.upper() for name in named]
    assert len(named) >= 4 and max(map(len, lines)) <= 80
    last = format_cell(rows[0][named[-1]])
    assert lines[1].endswith(last) or last == TEXT or last.endswith("Z"), "what the next command needs is whole"


def test_every_list_of_the_service_names_four_to_six_columns() -> None:
    assert len(LISTS) > 30
    assert all(4 <= len(tool.columns) <= 6 for tool in LISTS)


def test_a_narrow_terminal_shows_the_name_and_what_the_next_command_needs() -> None:
    rows = [{"name": "Menu on the tables", "target_url": "https://example.com", "state": "live", "slug": "ku3ufnf"}]
    named = ("name", "target_url", "state", "slug")
    assert format_table(rows, 20, column_names=named)[0].splitlines() == ["NAME         SLUG", "Menu on th…  ku3ufnf"]
    assert format_table(rows, 10, column_names=named)[0].splitlines()[0] == "NAME"


def test_an_empty_column_is_left_out_and_a_time_is_shown_to_the_minute() -> None:
    rows = [{"start": "2026-10-07T09:00:00+02:00", "name": "Ada", "folder": ""}]
    text, _ = format_table(rows, 80, column_names=("start", "name", "folder"))
    assert text.splitlines() == ["START             NAME", "2026-10-07 09:00  Ada"]


def test_a_table_without_a_limit_shows_all_columns() -> None:
    text, _ = format_table([{"name": "Ada", "views": 3}], None, column_names=("name",))
    assert text.splitlines()[0].split() == ["NAME", "VIEWS"]
