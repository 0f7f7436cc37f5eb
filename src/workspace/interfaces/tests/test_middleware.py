from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/sign-in/", "/q/abc", "/report/qr/abc", "/sign-up/"])
def test_nul_in_a_form_or_a_query_causes_no_server_error(path: str) -> None:
    assert Client().post(path, {"email": "a\x00b", "password": "\x00", "note": "\x00"}).status_code < 500
    assert Client().get(path, {"next": "\x00", "test": "\x00"}).status_code < 500


def test_every_page_has_a_content_security_policy() -> None:
    response = Client().get("/sign-in/")
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Content-Type-Options"] == "nosniff"
