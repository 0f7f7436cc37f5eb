"""The data of a result bypasses the protocol's models and equals that of REST. Nothing else is changed."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from workspace.accounts.models import Account
from workspace.interfaces.mcp.raw_json import PLACEHOLDER_KEY
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.testing.api import make_api

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def _call_tool(server: Serving, key: str, name: str, arguments: Any, *, newer: bool) -> Any:
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    headers |= {"authorization": f"Bearer {key}", "mcp-protocol-version": "2025-06-18"}
    params = {"name": name, "arguments": arguments}
    if newer:
        headers |= {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name}
        params["_meta"] = ENVELOPE
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    told = httpx2.post(server.mcp, content=json.dumps(body), headers=headers, timeout=120)
    assert told.status_code == 200 and int(told.headers["content-length"]) == len(told.content)
    return told.json()["result"]


@pytest.mark.parametrize("newer", [False, True])
def test_data_is_complete_and_texts_that_look_like_the_placeholder_are_unchanged(
    server: Serving, shop: Account, newer: bool
) -> None:
    key = make_api(shop).key
    shop.name = f'é😀 {{"{PLACEHOLDER_KEY}":"{"0" * 32}"}}'
    shop.save()
    told = _call_tool(server, key, "svc_note_read", {}, newer=newer)
    assert told["structuredContent"] == {
        "name": f"{shop.name} here",
        "nothing": None,
        "nested": [{"a": None, "b": 1}],
    }
    assert told["content"][0]["text"] == "**A note**"


@pytest.mark.parametrize("newer", [False, True])
def test_an_error_has_no_structured_content(server: Serving, shop: Account, newer: bool) -> None:
    told = _call_tool(server, make_api(shop).key, "svc_note_delete", {"id": "plan"}, newer=newer)
    assert told["isError"] and "structuredContent" not in told
