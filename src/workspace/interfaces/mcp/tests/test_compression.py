"""Compression of MCP responses for clients that accept it."""

from __future__ import annotations

import gzip
import json

import httpx2
import pytest

from workspace.accounts.models import Account
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.testing.api import make_api

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_list_products", "arguments": {}}}


def raw(server: Serving, key: str, body: object, accepts: str) -> tuple[httpx2.Headers, bytes]:
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    headers |= {"authorization": f"Bearer {key}", "accept-encoding": accepts}
    with httpx2.stream("POST", server.mcp, content=json.dumps(body), headers=headers, timeout=120) as response:
        assert response.status_code == 200
        return response.headers, b"".join(response.iter_raw())


@pytest.mark.parametrize("body", [LIST, CALL], ids=["list", "call"])
def test_a_response_is_compressed_for_clients_that_accept_it(server: Serving, shop: Account, body: object) -> None:
    key = make_api(shop).key
    headers, packed = raw(server, key, body, "gzip")
    plain_headers, plain = raw(server, key, body, "identity")
    assert headers["content-encoding"] == "gzip" and int(headers["content-length"]) == len(packed)
    assert headers["vary"] == "Accept-Encoding" == plain_headers["vary"]
    assert "content-encoding" not in plain_headers
    assert json.loads(gzip.decompress(packed)) == json.loads(plain)
    assert len(packed) < len(plain) / 2


def test_a_short_response_is_not_compressed(server: Serving, shop: Account) -> None:
    headers, plain = raw(server, make_api(shop).key, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "gzip")
    assert "content-encoding" not in headers and json.loads(plain)["result"] == {}
