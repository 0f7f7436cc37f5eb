"""A server answers API calls without Django's request cycle, while tests use it. Both answer alike."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable

import pytest
from django.test import Client

from workspace.interfaces.rest.direct_routing import find_direct_handler
from workspace.interfaces.server.asgi_types import Scope
from workspace.interfaces.server.error_responses import REQUEST_ID
from workspace.interfaces.server.request_reader import Body
from workspace.testing.api import Api

ME = json.dumps({"name": "svc_me"})
CALLS: list[tuple[str, str, str, dict[str, str]]] = [
    ("POST", "call", ME, {}),
    ("POST", "call", ME, {"accept-encoding": "gzip"}),
    ("POST", "call", ME, {"authorization": "Bearer nothing"}),
    ("POST", "call", "{", {}),
    ("POST", "call", ME, {"content-encoding": "gzip"}),
    ("GET", "call", "", {}),
    ("GET", "qr/list?limit=1", "", {"accept-encoding": "gzip"}),
    ("GET", "list/products", "", {"accept-encoding": "gzip"}),
    ("GET", "list/products", "", {}),
    ("GET", "qr/gét", "", {}),
    ("HEAD", "qr/list", "", {}),
    ("GET", "nothing", "", {}),
]


@pytest.mark.django_db
def test_a_call_is_answered_as_by_django(api: Api) -> None:
    for method, name, body, more in CALLS:
        asked = {
            "content-type": "application/json",
            "host": "testserver",
            "x-request-id": "0123456789",
            "authorization": f"Bearer {api.key}",
            **more,
        }
        path, _, query = f"/api/v1/{name}".partition("?")
        answering = find_direct_handler(_scope(method, path, query, asked))
        assert answering is not None
        ours = answering(Body(io.BytesIO(body.encode()), len(body)))
        its = Client().generic(
            method, path, body, "application/json", QUERY_STRING=query, headers=asked, **{REQUEST_ID: "0123456789"}
        )
        assert ours.status == its.status_code
        assert _lasting((key.decode(), value.decode()) for key, value in ours.headers) == _lasting(its.items())
        assert ours.body == its.content
        assert dict(ours.headers)[b"content-length"] == b"%d" % len(ours.body) or method == "HEAD"


def test_all_other_requests_are_left_to_django() -> None:
    for path, host in (
        ("/apiary", "testserver"),
        ("/api/v1/upload", "testserver"),
        ("/api/v1/call", "elsewhere.example"),
    ):
        assert find_direct_handler(_scope("POST", path, "", {"host": host})) is None


def _scope(method: str, path: str, query: str, headers: dict[str, str]) -> Scope:
    return {
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "state": {REQUEST_ID: "0123456789"},
    }


def _lasting(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    # the server adds the request id and the length
    return {name.lower(): value for name, value in headers if name.lower() not in _OF_THE_MOMENT}


_OF_THE_MOMENT = ("ratelimit", "content-length", "x-request-id")
