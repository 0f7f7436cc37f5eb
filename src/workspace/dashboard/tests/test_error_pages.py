"""Error pages say what to do next and need no database: these tests have none."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.views import defaults


def test_an_unknown_url_gets_a_helpful_page() -> None:
    response = Client(raise_request_exception=False).get("/nope")
    assert response.status_code == 404
    assert b"Page not found" in response.content
    assert b'href="/"' in response.content


def test_a_form_without_its_token_asks_to_reload() -> None:
    response = Client(enforce_csrf_checks=True).post("/app/switch", {})
    assert response.status_code == 403
    assert b"reload the page" in response.content


def test_bad_requests_and_server_errors_have_pages() -> None:
    request = RequestFactory().get("/")
    assert b"could not read your request" in defaults.bad_request(request, ValueError()).content
    assert b"Something went wrong" in defaults.server_error(request).content


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500"])
def test_error_pages_render_without_a_request(name: str) -> None:
    html = render_to_string(f"{name}.html")
    assert "<h1>" in html
    assert html.count("<title>") == 1
