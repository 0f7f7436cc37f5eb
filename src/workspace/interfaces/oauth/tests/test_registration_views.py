from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import OAuthClient
from workspace.testing.oauth_client import CALLBACK, register
from workspace.testing.rate_limits import set_limit

pytestmark = pytest.mark.django_db


def attempt(body: Any, **more: Any) -> Any:
    return Client().post("/oauth/register", body, content_type="application/json", **more)


def test_a_public_client_gets_no_secret() -> None:
    client = register()
    assert "client_secret" not in client
    assert client["token_endpoint_auth_method"] == "none"
    assert client["grant_types"] == ["authorization_code", "refresh_token"]
    assert client["redirect_uris"] == [CALLBACK]


def test_a_secret_is_shown_once_and_stored_as_a_hash() -> None:
    client = register(token_endpoint_auth_method="client_secret_basic")
    stored = OAuthClient.objects.get(client_id=client["client_id"])
    assert client["client_secret"] not in stored.client_secret
    assert stored.client_secret.startswith("argon2")


@pytest.mark.parametrize(
    "uri",
    [
        "http://agent.example/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://a@agent.example/cb",
        "https://agent.example/cb#part",
        "https://agent.example/c b",
        "https://*.agent.example/cb",
        "https://agent.example/" + "x" * 1000,
        "",
        "callback",
        "https://[::1",
    ],
)
def test_an_unsafe_redirect_uri_is_refused(uri: str) -> None:
    response = attempt({"redirect_uris": [uri], "token_endpoint_auth_method": "none"})
    assert response.status_code == 400
    assert response.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uris": []},
        {"redirect_uris": None},
        {"redirect_uris": "https://agent.example/"},
        {"redirect_uris": [CALLBACK] * 21},
        {"redirect_uris": [1]},
        {"grant_types": ["client_credentials"]},
        {"grant_types": "authorization_code"},
        {"response_types": ["token"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"token_endpoint_auth_method": ["none"]},
        {"client_name": "x" * 121},
        {"client_name": "a\u202eb"},
        {"client_name": "a\x00b"},
        {"client_name": {"en": "x"}},
    ],
)
def test_fields_are_limited_and_validated(change: dict[str, Any]) -> None:
    wanted = {"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none", **change}
    response = attempt(wanted)
    assert response.status_code == 400
    assert response.json()["error_description"]
    assert not OAuthClient.objects.exists()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b"{" * 50_000, b'{"a":' * 5000, b'{"a":NaN}'])
def test_malformed_bodies_are_refused(body: bytes) -> None:
    response = attempt(body)
    assert response.status_code == 400
    assert response.json()["error"] == "invalid_client_metadata"


def test_a_client_cannot_set_internal_fields() -> None:
    client = register(client_id="mine", client_secret="mine", skip_authorization=True, user=1)
    stored = OAuthClient.objects.get()
    assert stored.client_id == client["client_id"] != "mine"
    assert stored.skip_authorization is False and stored.user is None


def test_the_registrations_of_one_address_per_day_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "oauth-registration", 3)
    for _ in range(3):
        register()
    response = attempt({"redirect_uris": [CALLBACK]})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    elsewhere = attempt({"redirect_uris": [CALLBACK]}, REMOTE_ADDR="198.51.100.7")
    assert elsewhere.status_code == 201


def test_one_household_counts_as_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "oauth-registration", 1)
    assert attempt({"redirect_uris": [CALLBACK]}, REMOTE_ADDR="2001:db8:1:2::5").status_code == 201
    assert attempt({"redirect_uris": [CALLBACK]}, REMOTE_ADDR="2001:db8:1:2:9::5").status_code == 429


def test_the_registrations_of_all_addresses_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "oauth-registration-total", 2)
    answers = [attempt({"redirect_uris": [CALLBACK]}, REMOTE_ADDR=f"198.51.100.{n}").status_code for n in range(3)]
    assert answers == [201, 201, 429]


def test_unused_clients_are_deleted(flow) -> None:
    OAuthClient.objects.update(created="2020-01-01T00:00Z")
    kept = register()["client_id"]
    assert OAuthClient.delete_unused() == 1
    assert OAuthClient.objects.get().client_id == kept
