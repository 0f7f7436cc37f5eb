"""Cached tool lists, which must equal the protocol library's own response."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from workspace.accounts.models import Account
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.testing.api import make_api

LEGACY = {"mcp-protocol-version": "2025-06-18"}
NEWER = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def built_lists(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets an entry each time the protocol library builds the tool list."""
    from workspace.interfaces.mcp import server

    gone: list[str] = []
    own = server._CachedToolList.__call__

    async def record_call(self: Any, ctx: Any, call_next: Any) -> Any:
        if ctx.method == "tools/list":
            gone.append(ctx.protocol_version)
        return await own(self, ctx, call_next)

    monkeypatch.setattr(server._CachedToolList, "__call__", record_call)
    return gone


def _request_list(server: Serving, key: str, id: Any, meta: Any, query: str = "", **headers: str) -> Any:
    given = {"accept": "application/json, text/event-stream", "authorization": f"Bearer {key}", **headers}
    given["user-agent"] = "a test of known lists"
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": "tools/list"}
    if meta is not None:
        body["params"] = {"_meta": meta}
    return httpx2.post(f"{server.mcp}{query}", content=json.dumps(body), headers=given | _JSON, timeout=120)


_JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(("headers", "meta"), [(LEGACY, {"mark": 1}), (NEWER, {**ENVELOPE, "mark": 1})])
def test_the_list_is_built_once_and_then_differs_only_in_the_id(
    server: Serving, shop: Account, built_lists: list[str], headers: dict[str, str], meta: dict[str, Any]
) -> None:
    key = make_api(shop).key
    first = _request_list(server, key, 1, meta, **headers)
    assert len(built_lists) == 1
    for number, id in enumerate([2, "é😀", "x" * 40]):
        told = _request_list(server, key, id, {**meta, "progressToken": number}, **headers)
        assert told.status_code == first.status_code == 200
        assert told.json() == {**first.json(), "id": id}
        assert told.headers["content-type"] == first.headers["content-type"]
        assert told.headers["cache-control"] == "no-store" and told.headers["x-request-id"]
    assert len(built_lists) == 1


def test_a_caller_with_less_access_does_not_get_the_list_of_another(server: Serving, shop: Account) -> None:
    def names(key: str, query: str = "") -> set[str]:
        return {tool["name"] for tool in _request_list(server, key, 1, None, query, **LEGACY).json()["result"]["tools"]}

    whole, reads = make_api(shop).key, make_api(shop, read_only=True).key
    for _ in range(2):
        assert "svc_qr_create" in names(whole)
        assert "svc_qr_create" not in names(reads) and "svc_qr_list" in names(reads)
        assert "svc_qr_list" not in names(whole, "?products=card")


def test_a_refused_request_is_refused_again(server: Serving, shop: Account) -> None:
    key = make_api(shop).key
    for _ in range(2):
        assert "error" in _request_list(server, key, 1, {}, **NEWER).json()
        assert _request_list(server, key, 1, ENVELOPE, **{**NEWER, "mcp-method": "tools/call"}).json()["error"]
        assert _request_list(server, key, 1, None, **LEGACY, accept="text/html").status_code == 406
    assert _request_list(server, "svc_live_x", 1, ENVELOPE, **NEWER).status_code == 401
