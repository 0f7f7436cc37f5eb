"""Clients that find no metadata look for the endpoints at the root, where the same endpoints answer."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.testing.oauth_client import CALLBACK, Flow, call_me, redirect_parameters, sign_in_browser

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


def software() -> Client:
    """Return a client without cookies and CSRF tokens, like a program."""
    return Client(enforce_csrf_checks=True)


def test_a_client_connects_by_the_root_paths_alone(account: Account) -> None:
    wanted = {"client_name": "Old", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}
    registered = software().post("/register", json.dumps(wanted), content_type="application/json")
    assert registered.status_code == 201
    browser = sign_in_browser(account.owner)
    browser.handler.enforce_csrf_checks = True
    flow = Flow(browser, registered.json()["client_id"])
    page = browser.get("/authorize", flow.query()).content.decode()
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    form = {"decision": "allow", "account": account.pk, "access": "write"}
    assert browser.post("/authorize", form, query_params=flow.query()).status_code == 403, "a form of another site"
    allowed = browser.post("/authorize", {**form, "csrfmiddlewaretoken": token[1]}, query_params=flow.query())
    spent = {
        "grant_type": "authorization_code",
        "code": redirect_parameters(allowed)["code"],
        "redirect_uri": CALLBACK,
        "client_id": flow.client_id,
        "code_verifier": flow.verifier,
    }
    given = software().post("/token", urlencode(spent), content_type=FORM)
    assert call_me(given.json()["access_token"]).status_code == 200
    renew = {"grant_type": "refresh_token", "refresh_token": given.json()["refresh_token"], "client_id": flow.client_id}
    assert software().post("/token", urlencode(renew), content_type=FORM).status_code == 200


@pytest.mark.parametrize("name", ["authorize", "token", "register"])
@pytest.mark.parametrize("method", ["get", "post", "options", "put", "delete"])
def test_each_endpoint_answers_at_the_root_as_at_its_own_path(name: str, method: str) -> None:
    def get_answer(path: str) -> tuple[int, Any, Any]:
        response = getattr(software(), method)(path, headers={"origin": "https://elsewhere.example"})
        headers = {
            key: value for key, value in response.items() if key not in ("X-Request-Id", "Location", "Set-Cookie")
        }
        return response.status_code, headers, response.content[:60]

    assert get_answer(f"/{name}") == get_answer(f"/oauth/{name}")


def test_the_metadata_names_the_main_paths_of_the_endpoints() -> None:
    found = Client().get("/.well-known/oauth-authorization-server").json()
    assert found["token_endpoint"].endswith("/oauth/token")
    assert found["authorization_endpoint"].endswith("/oauth/authorize")
    assert found["registration_endpoint"].endswith("/oauth/register")


def test_signing_in_in_between_returns_to_the_request(account: Account) -> None:
    response = Client().get("/authorize?client_id=x")
    assert response.status_code == 302 and "next=/authorize%3Fclient_id%3Dx" in response["Location"]
