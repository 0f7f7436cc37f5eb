"""A guest whose request is refused because the server is busy gets a page in their language."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workspace.interfaces.error_handlers import error_page
from workspace.interfaces.server.error_responses import (
    ERROR_PAGE,
    RequestRejectedError,
    busy_error,
    internal_error,
    invalid_input_error,
    rate_limited_error,
    send_error,
)
from workspace.testing.publications import run_without_waiting

BROWSER = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


def refused(
    why: RequestRejectedError, path: str = "/m/corner", query: str = "", method: str = "GET", **headers: str
) -> Any:
    """Return the status, the headers and the body sent by the server."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in {**BROWSER, **headers}.items()
        ],
        "state": {ERROR_PAGE: error_page},
    }
    run_without_waiting(send_error(scope, send, why))
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, sent[1]["body"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Temporarily unavailable"), ("de", "Vorübergehend nicht verfügbar"), ("es", "No disponible temporalmente")],
)
@pytest.mark.parametrize("why", [busy_error(), rate_limited_error()])
def test_a_busy_server_answers_guests_with_a_page(why: RequestRejectedError, language: str, words: str) -> None:
    for asked in ({"accept_language": f"{language}-XX"}, {"query": f"lang={language}", "accept_language": "ja"}):
        status, headers, body = refused(why, **asked)
        assert status == why.status and headers["retry-after"] == str(why.retry_after)
        assert headers["content-type"] == "text/html; charset=utf-8" and headers["cache-control"] == "no-store"
        assert headers["content-language"] == language and headers["content-length"] == str(len(body))
        assert f"<h1>{words}</h1>" in body.decode() and f'<html lang="{language}" dir="ltr">' in body.decode()


def test_refused_posts_and_internal_errors_have_specific_texts() -> None:
    assert "Was Sie gesendet haben" in refused(busy_error(), method="POST", accept_language="de")[2].decode()
    assert "Algo ha fallado" in refused(internal_error(), accept_language="es")[2].decode()
    large = RequestRejectedError(413, "too_large", "That is too large.")
    assert "kleinere Dateien" in refused(large, method="POST", accept_language="de")[2].decode()


@pytest.mark.parametrize(
    ("why", "given"),
    [
        (busy_error(), {"path": "/api/v1/call"}),
        (busy_error(), {"path": "/app/menu"}),
        (busy_error(), {"accept": "application/json"}),
        (invalid_input_error("Not so"), {}),
    ],
)
def test_all_other_clients_get_json(why: RequestRejectedError, given: dict[str, str]) -> None:
    status, headers, body = refused(why, **given)
    assert (status, headers["content-type"]) == (why.status, "application/json")
    assert json.loads(body)["error"] == why.error
