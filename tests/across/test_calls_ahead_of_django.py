"""A server answers calls of the API without Django's handler around them; tests go through it. Both answer alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, RequestFactory

from workspace.interfaces.rest.paths import ahead_of
from workspace.testing import Api

ME = json.dumps({"name": "svc_me"})
CALLS: list[tuple[str, str, str, dict[str, str]]] = [
    ("POST", "call", ME, {}),
    ("POST", "call", ME, {"HTTP_ACCEPT_ENCODING": "gzip"}),
    ("POST", "call", ME, {"HTTP_AUTHORIZATION": "Bearer nothing"}),
    ("POST", "call", "{", {}),
    ("POST", "call", ME, {"HTTP_CONTENT_ENCODING": "gzip"}),
    ("GET", "call", "", {}),
    ("GET", "qr/list?limit=1", "", {"HTTP_ACCEPT_ENCODING": "gzip"}),
    ("GET", "list/products", "", {"HTTP_ACCEPT_ENCODING": "gzip"}),
    ("GET", "list/products", "", {}),
    ("GET", "qr/gét", "", {}),
    ("HEAD", "qr/list", "", {}),
    ("GET", "nothing", "", {}),
]


@pytest.mark.django_db
def test_a_call_is_answered_as_by_django(api: Api) -> None:
    ahead = ahead_of(_django)
    for method, name, body, more in CALLS:
        asked: dict[str, Any] = {
            "path": f"/api/v1/{name}",
            "data": body,
            "content_type": "application/json",
            "workspace.request_id": "0123456789",
            "HTTP_HOST": "testserver",
            "HTTP_AUTHORIZATION": f"Bearer {api.key}",
            **more,
        }
        began: list[Any] = []
        ours = b"".join(ahead(RequestFactory().generic(method, **asked).environ, _into(began)))
        its = Client().generic(method, **asked)
        assert began[0] == f"{its.status_code} {its.reason_phrase}"
        assert _lasting(began[1]) == _lasting(its.items())
        assert ours == its.content or method == "HEAD"  # whose body the server leaves out


def test_all_else_is_left_to_django() -> None:
    ahead = ahead_of(_django)
    for path, host in (
        ("/apiary", "testserver"),
        ("/api/v1/upload", "testserver"),
        ("/api/v1/call", "elsewhere.example"),
    ):
        assert ahead(RequestFactory().post(path, HTTP_HOST=host).environ, print) == [b"Django"]


def _into(began: list[Any]) -> Callable[..., None]:
    return lambda *told: began.extend(told)


def _django(environ: Any, start_response: Any) -> list[bytes]:
    return [b"Django"]


def _lasting(headers: Any) -> dict[str, str]:
    # the id and the length are the server's to add
    return {name: value for name, value in headers if name not in ("RateLimit", "Content-Length", "X-Request-Id")}
