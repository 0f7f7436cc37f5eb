"""Invalid input to the API: the contract's error JSON, never a 500, and no changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.across.samples import SAMPLES, things
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products.qr.models import Code
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
ERRORS = {
    "unauthorized",
    "invalid_input",
    "tool_error",
    "not_found",
    "rate_limited",
    "forbidden",
    "method_not_allowed",
    "conflict",
    "too_large",
    "unsupported_media_type",
    "idempotency_key_reused",
}


def raw(api: Api, path: str, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    response = api.client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)
    return response.status_code, json.loads(response.content)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'"text"',
        b"1",
        b"null",
        b"NaN",
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b"\xff\xfe",
        b'{"name": "\xff"}',
        b'{"name": "a", "name": "b", "target_url": "a.de"}',
        b"[" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b'{"name": 1' + b"0" * 5_000 + b"}",
        b'{"name": "\\ud800", "target_url": "a.de"}',
        b'{"name": "\\u0000", "target_url": "a.de"}',
    ],
)
def test_a_body_that_is_not_a_plain_json_object_is_refused(body: bytes, api: Api) -> None:
    for path in ("qr/create", "call"):
        status, answer = raw(api, path, body)
        assert (status, answer["error"]) == (400, "invalid_input"), (path, answer)
        assert answer["ok"] is False and answer["issues"] and answer["message"]
    assert not Code.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"target_url": "a.de"}, "name"),
        ({"name": "x"}, "target_url"),
        ({"name": None, "target_url": "a.de"}, "name"),
        ({"name": True, "target_url": "a.de"}, "name"),
        ({"name": ["x"], "target_url": "a.de"}, "name"),
        ({"name": "", "target_url": "a.de"}, "name"),
        ({"name": "x" * 121, "target_url": "a.de"}, "name"),
        ({"name": "two\nlines", "target_url": "a.de"}, "name"),
        ({"name": "x", "target_url": 5}, "target_url"),
        ({"name": "x", "target_url": "a.de", "color": "red"}, "color"),
        ({"name": "x", "target_url": "a.de", "folder": 7}, "folder"),
    ],
)
def test_an_invalid_argument_is_reported_at_its_path(arguments: dict[str, Any], path: str, api: Api) -> None:
    body = api.refuse("svc_qr_create", **arguments)
    assert body["error"] == "invalid_input"
    assert [issue["path"] for issue in body["issues"]] == [path]
    if path not in arguments or arguments[path] is None:
        assert body["issues"][0]["message"] == "Required"
    assert not Code.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "ftp://example.com",
        "file:///etc/passwd",
        "https://user:pass@example.com",
        "https://user@example.com",
        "//",
        "https://",
        "http:///x",
        "https://exa mple.com",
        "https://a.de\\@b.de",
        "https://example.com:99999",
        "https://[::1",
        "https://a..de",
        "https://-a.de",
        "x" * 3000,
        "https://example.com/\x7f",
        "mailto:a@b.de",
        "http://127.0.0.1:8000/q/abc",
        "HTTP://127.0.0.1:8000/Q/ABC",
        "127.0.0.1:8000/q/abc",
        "https://\u202eexample.com",
        "https://1.2.3",
    ],
)
def test_a_hostile_target_is_refused(url: str, api: Api) -> None:
    body = api.refuse("svc_qr_create", name="x", target_url=url)
    assert body["error"] == "invalid_input"
    assert [issue["path"] for issue in body["issues"]] == ["target_url"]


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("example.com", "https://example.com"),
        ("  example.com:8080/x ", "https://example.com:8080/x"),
        ("HTTP://EXAMPLE.com/Path?q=ä#f", "http://example.com/Path?q=%C3%A4#f"),
        ("https://münchen.de", "https://xn--mnchen-3ya.de"),
        ("localhost:3000", "https://localhost:3000"),
        ("http://127.0.0.1:8000/m/lunch", "http://127.0.0.1:8000/m/lunch"),
    ],
)
def test_a_target_is_stored_in_its_normal_form(url: str, kept: str, api: Api) -> None:
    assert api.run("svc_qr_create", name="x", target_url=url)["target_url"] == kept


def test_query_arguments_are_coerced_by_type_and_refused_when_repeated(api: Api) -> None:
    assert api.get("qr/list", limit="5", offset="0")[0] == 200
    for query in (
        "limit=5&limit=6",
        "limit=abc",
        "limit=1e9",
        "limit=",
        "nothing=1",
        "limit=5.5",
        "q=%FF",
        "limit=true",
        "limit=null",
        "offset=null",
        "nothing=null",
    ):
        response = api.client.get(f"/api/v1/qr/list?{query}")
        assert (response.status_code, response.json()["error"]) == (400, "invalid_input"), query


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_null_under_an_unknown_name_is_an_unknown_argument(name: str, api: Api) -> None:
    body = api.refuse(name, nonsense=None)
    assert {"path": "nonsense", "message": "Unknown argument"} in body["issues"]


def test_a_number_without_a_fraction_is_an_integer_and_a_boolean_is_not(api: Api) -> None:
    assert api.run("svc_qr_list", limit=5.0)["items"] == []
    assert api.client.get("/api/v1/qr/list?limit=5.0").status_code == 200
    assert api.refuse("svc_qr_list", limit=5.5)["issues"][0]["path"] == "limit"
    assert api.refuse("svc_qr_list", limit=True)["issues"][0]["path"] == "limit"


def _properties(node: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        for name, member in node.get("properties", {}).items():
            yield name, next((part for part in member.get("anyOf", []) if part != {"type": "null"}), member)
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        yield from _properties(part)


def test_schemas_limit_every_url_and_every_number_of_days() -> None:
    addresses, days = 0, 0
    for tool in CATALOG:
        for name, node in _properties(tool.input_schema):
            if name.split("_")[-1] == "url":
                may_be_empty = re.search("empty (for|string)", node.get("description", "").lower())
                least = 0 if may_be_empty else 1
                assert node.get("minLength", 0) >= least and node["maxLength"] <= 2048, (tool.name, name)
                addresses += 1
            if name == "days" and node["type"] == "integer":
                assert node["minimum"] == 1 and node["maximum"] <= 3660, (tool.name, name)
                days += 1
    assert addresses and days


def test_a_read_accepts_post_too_and_a_write_never_accepts_get(api: Api) -> None:
    assert api.post("qr/list", {"limit": 1})[0] == 200
    response = api.client.get("/api/v1/qr/create?name=x&target_url=a.de")
    assert (response.status_code, response.json()["error"], response["Allow"]) == (405, "method_not_allowed", "POST")
    assert not Code.objects.exists()


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Basic abc", "Bearer svc_live_" + "a" * 38, "Bearer \xff"]
)
def test_without_a_valid_key_the_answer_is_unauthorized(header: str, db: None) -> None:
    response = Client().get("/api/v1/me", headers={"authorization": header} if header else {})
    assert (response.status_code, response.json()["error"]) == (401, "unauthorized")
    assert response["WWW-Authenticate"].startswith("Bearer")
    credential = header.removeprefix("Bearer").strip() if header.startswith("Bearer") else ""
    assert ('error="invalid_token"' in response["WWW-Authenticate"]) == bool(credential)
    assert response["Cache-Control"] == "no-store" and "Access-Control-Allow-Origin" not in response


def test_an_unknown_endpoint_and_an_unknown_tool_are_not_found(api: Api) -> None:
    assert api.get("qr/nothing")[0] == 404
    assert api.post("call", {"name": "svc_nothing"})[1]["error"] == "not_found"


def test_every_answer_carries_a_request_id(api: Api) -> None:
    response = api.client.get("/api/v1/qr/get")
    assert response["X-Request-Id"] == response.json()["request_id"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def test_no_value_of_any_argument_causes_an_internal_error(api: Api) -> None:
    made = things(api)

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(data=st.data())
    def attempt(data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(SAMPLES)))
        arguments = SAMPLES[name](made)
        names = list(CATALOG.by_name[name].input_schema.get("properties", {})) or ["x"]
        arguments[data.draw(st.sampled_from(names))] = data.draw(JSON)
        body = json.dumps({"name": name, "arguments": arguments}).encode()
        try:
            with transaction.atomic():
                status, answer = raw(api, "call", body)
                raise _Undo
        except _Undo:
            pass
        assert status < 500, answer
        assert answer["ok"] is True or answer["error"] in ERRORS

    attempt()


class _Undo(Exception):
    """An exception that rolls back an attempt, so that the next one starts with the same data."""
