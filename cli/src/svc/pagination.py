"""Fetching complete lists page by page."""

from __future__ import annotations

from typing import Any

from svc import json_schema
from svc.catalog import Tool
from svc.client import Client, Result
from svc.output import find_list_name


def fetch_all_pages(client: Client, tool: Tool, arguments: dict[str, Any]) -> Result:
    """Return the answer with the rows of all pages.

    Rows that are added or removed in the meantime may be missing or repeated.
    """
    root = tool.input_schema
    most = json_schema.resolve_schema(root["properties"]["limit"], root).get("maximum")
    size = {"limit": most} if most else {}
    result = client.run(tool, {**arguments, **size})
    data, name = result.data, find_list_name(result.data)
    if name is None:
        return result
    rows, texts, page = list(data[name]), [result.text], data
    while page.get("has_more") and page[name]:
        result = client.run(tool, {**arguments, **size, "offset": len(rows)})
        page = result.data
        rows += page[name]
        texts.append(result.text)
    whole = {**data, name: rows}
    if "has_more" in data:
        whole |= {"count": len(rows), "has_more": False}
    return Result("\n\n".join(texts), whole, result.calls_left)
