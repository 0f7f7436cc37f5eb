"""Malformed and hostile requests to the MCP server."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx2
import pytest

from workspace.accounts.models import Account, ApiKey
from workspace.interfaces.mcp.request_checks import MAX_BODY_BYTES
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.rate_limits.models import CallQuota
from workspace.testing.api import make_api
from workspace.testing.oauth_client import Flow, register, sign_in_browser

pytestmark = pytest.mark.any_database  # requests rejected here use no table but that of keys
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
WRITE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "svc_note_write", "arguments": {"name": "x"}},
}
MODERN = {"mcp-protocol-version": "2026-07-28"}


def send(
    server: Serving, body: Any = None, key: str = "", query: str = "", method: str = "POST", **headers: str
) -> Any:
    given = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    if key:
        given["authorization"] = f"Bearer {key}"
    content = body if isinstance(body, bytes) else json.dumps(body or LIST).encode()
    return httpx2.request(method, server.mcp + query, content=content, headers=given, timeout=120)


@pytest.fixture
def key(shop: Account) -> str:
    return make_api(shop).key


def test_without_a_credential_the_response_says_where_to_get_one(server: Serving) -> None:
    for method in ("POST", "GET", "DELETE"):
        response = send(server, method=method)
        assert response.status_code == 401
        challenge = response.headers["www-authenticate"]
        assert f'resource_metadata="{server.url}/.well-known/oauth-protected-resource/mcp"' in challenge
        assert 'scope="read write"' in challenge and "error=" not in challenge
    assert httpx2.get(f"{server.url}/.well-known/oauth-protected-resource/mcp").json()["resource"] == server.mcp


def test_a_revoked_expired_or_invented_credential_is_reported_as_invalid(
    server: Serving, shop: Account, key: str
) -> None:
    ApiKey.objects.update(revoked_at="2020-01-01T00:00Z")
    for bad in (key, "svc_live_x", "svc_oat_" + "x" * 43, "é", "a b", "x" * 5000):
        response = send(server, authorization=f"Bearer {bad}".encode())
        assert response.status_code == 401, bad
        assert 'error="invalid_token"' in response.headers["www-authenticate"]
        assert response.json()["error"] == "unauthorized"


def test_a_token_without_write_gets_the_missing_scope(server: Serving, shop: Account) -> None:
    flow = Flow(sign_in_browser(shop.owner), register()["client_id"])
    token = flow.tokens(shop, access="read")["access_token"]
    for headers in ({}, MODERN):
        response = send(server, WRITE, token, **headers)
        assert response.status_code == 403
        challenge = response.headers["www-authenticate"]
        assert 'error="insufficient_scope"' in challenge and 'scope="read write"' in challenge
        assert "resource_metadata=" in challenge
    shop.refresh_from_db()
    assert shop.name != "x"
    assert CallQuota.objects.get(key__startswith="oauth:").used == 2
    assert send(server, LIST, token).status_code == 200
    limit = shop.daily_calls
    CallQuota.objects.update(used=limit)
    spent = send(server, WRITE, token)
    assert (spent.status_code, spent.json()["error"]) == (429, "rate_limited")
    seconds = spent.headers["retry-after"]
    assert spent.headers["ratelimit"] == f'"daily";r=0;t={seconds}'
    assert spent.headers["ratelimit-policy"] == f'"daily";q={limit};w=86400'


def test_another_type_of_credential_gets_where_to_get_a_token(server: Serving) -> None:
    challenge = send(server, authorization="Basic abc").headers["www-authenticate"]
    assert challenge.startswith("Bearer ") and "error=" not in challenge


def test_only_post_is_served(server: Serving, key: str) -> None:
    for method in ("GET", "DELETE", "PUT", "HEAD"):
        response = send(server, b"", key, method=method)
        assert response.status_code == 405
        assert response.headers["allow"] == "POST"


@pytest.mark.parametrize("headers", [{}, MODERN])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":NaN}',
        b'{"id":1,"id":2}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 10_000,
        b'"' + b"x" * 1000,
    ],
)
def test_malformed_json_is_a_parse_error(server: Serving, key: str, body: bytes, headers: dict[str, str]) -> None:
    response = send(server, body, key, **headers) if body else send(server, b" ", key, **headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32700
    assert response.json()["id"] is None


@pytest.mark.parametrize("headers", [{}, MODERN])
@pytest.mark.parametrize(
    "message",
    [
        [LIST],
        [],
        "text",
        7,
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": None, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": {}, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []},
    ],
)
def test_an_invalid_message_is_refused(server: Serving, key: str, message: Any, headers: dict[str, str]) -> None:
    response = send(server, json.dumps(message).encode(), key, **headers)
    assert response.status_code == 400, response.text
    assert response.json()["error"]["code"] in (-32600, -32602, -32020, -32001)


@pytest.mark.parametrize(
    "params",
    [None, {}, {"name": 5}, {"name": "svc_me", "arguments": []}, {"name": "svc_me", "arguments": "x"}],
)
def test_a_call_without_a_name_or_with_odd_arguments_is_refused(server: Serving, key: str, params: Any) -> None:
    response = send(server, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    assert response.status_code in (200, 400)
    assert response.json()["error"]["code"] in (-32602, -32600)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "a\x00b"},
        {"name": "\ud800"},
        {"name": 1e400},
        {"name": 2**60},
        {"name": {"a": {}}},
        {"\x00": 1},
    ],
)
def test_hostile_values_are_validated_as_over_rest(server: Serving, key: str, arguments: Any) -> None:
    body = json.dumps({**WRITE, "params": {"name": "svc_note_write", "arguments": arguments}}).encode()
    response = send(server, body, key)
    if response.status_code == 200:
        result = response.json()["result"]
        assert result["isError"] is True and "structuredContent" not in result
        assert result["content"][0]["text"].startswith("invalid_input: ")
    else:
        assert (response.status_code, response.json()["error"]["code"]) == (400, -32700)


@pytest.mark.parametrize("params", [None, {}, {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {}}])
@pytest.mark.parametrize("method", ["completion/complete", "prompts/get", "resources/list", "no/such"])
def test_a_method_that_is_not_served_is_not_found(server: Serving, key: str, method: str, params: Any) -> None:
    answer = send(server, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, key).json()
    assert answer["error"]["code"] == -32601


def test_a_body_over_the_cap_is_refused(server: Serving, key: str) -> None:
    response = send(server, b'"' + b"x" * MAX_BODY_BYTES + b'"', key)
    assert response.status_code == 413
    assert "upload files over REST" in response.json()["error"]["message"]


def test_a_compressed_body_is_refused(server: Serving, key: str) -> None:
    packed = gzip.compress(json.dumps(LIST).encode())
    for encoding in ("gzip", "br"):
        response = send(server, packed, key, content_encoding=encoding)
        assert (response.status_code, response.json()["error"]) == (415, "unsupported_media_type")
    assert send(server, LIST, key, content_encoding="identity").status_code == 200


def test_another_content_type_is_refused(server: Serving, key: str) -> None:
    assert send(server, LIST, key, content_type="text/plain").status_code == 415
    assert send(server, LIST, key, content_type="application/json; charset=utf-8").status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example", "http://[", "x"])
def test_a_web_page_of_another_site_may_not_call(server: Serving, key: str, origin: str) -> None:
    assert send(server, LIST, key, origin=origin).status_code == 403


def test_a_page_on_this_computer_may_call_a_loopback_instance(server: Serving, key: str, settings) -> None:
    assert send(server, LIST, key, origin="http://localhost:6274").status_code == 200
    settings.LOOPBACK = False
    assert send(server, LIST, key, origin="http://localhost:6274").status_code == 403
    assert send(server, LIST, key, origin=server.url).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "["])
def test_another_host_name_is_not_served(server: Serving, key: str, host: str) -> None:
    assert send(server, LIST, key, host=host).status_code == 421


@pytest.mark.parametrize("query", ["?products=nothing", "?products=", "?products=qr,x", "?products=%00"])
def test_an_unknown_product_is_refused_with_the_known_ones(server: Serving, key: str, query: str) -> None:
    response = send(server, LIST, key, query)
    assert response.status_code == 400
    if "%00" not in query:
        assert "Choose from account" in response.json()["error"]["message"]


def test_full_is_the_only_value_of_schemas(server: Serving, key: str) -> None:
    response = send(server, LIST, key, "?schemas=short")
    assert response.status_code == 400 and "?schemas=full" in response.json()["error"]["message"]


def test_an_unknown_cursor_is_refused(server: Serving, key: str) -> None:
    response = send(server, {**LIST, "params": {"cursor": "abc"}}, key)
    assert response.json()["error"]["code"] == -32602


def test_responses_are_uncacheable_json_with_a_request_id(server: Serving, key: str) -> None:
    response = send(server, LIST, key)
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-store"
    assert len(response.headers.get_list("x-request-id")) == 1
    assert "access-control-allow-origin" not in response.headers
    assert "mcp-session-id" not in response.headers


def test_a_notification_is_accepted(server: Serving, key: str) -> None:
    response = send(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, key)
    assert response.status_code == 202
