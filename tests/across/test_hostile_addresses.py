"""Addresses that look almost like ours: ids that end in a line break, and disguised paths."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("action", ["/pause", "/resume", "/settings", ""])
@pytest.mark.parametrize("scripted", [True, False])
def test_a_line_break_after_an_id_breaks_no_redirect(action: str, scripted: bool, api: Api) -> None:
    code = api.run("svc_qr_create", name="Poster", target_url="example.com")
    browser = Client(raise_request_exception=False)
    browser.force_login(api.account.owner, backend=settings.AUTHENTICATION_BACKENDS[0])
    form = {"name": "Poster", "target_url": "example.org"}
    headers = {"hx-request": "true"} if scripted else {}
    response = browser.post(f"/app/qr/{code['id']}%0A{action}", form, headers=headers)
    assert response.status_code < 500


@pytest.mark.parametrize("path", ["/%71/abc", "/%51/abc", "/./q/abc", "/x/../q/abc", "/%2e/q/abc"])
def test_a_disguised_code_is_refused_as_a_target(path: str, api: Api) -> None:
    refused = api.refuse("svc_qr_create", name="Circle", target_url=f"{settings.BASE_URL}{path}")
    assert refused["issues"][0]["path"] == "target_url"


@pytest.mark.parametrize("host", ["localhost", "[::1]", "127.0.0.1"])
def test_on_a_loopback_service_every_loopback_name_is_its_own(host: str, api: Api) -> None:
    port = settings.BASE_URL.rpartition(":")[2]
    refused = api.refuse("svc_qr_create", name="Circle", target_url=f"http://{host}:{port}/q/abc")
    assert refused["issues"][0]["path"] == "target_url"
