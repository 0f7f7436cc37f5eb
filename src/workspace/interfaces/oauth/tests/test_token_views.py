from __future__ import annotations

import hashlib
from datetime import timedelta
from urllib.parse import urlencode

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, Membership, OAuthAccessToken, OAuthRefreshToken
from workspace.lib import clock
from workspace.testing.api import make_account
from workspace.testing.oauth_client import Flow, call_me, post_token, redirect_parameters, register

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


def test_a_token_grants_access_to_the_account_of_the_consent(flow: Flow, account: Account) -> None:
    response = call_me(flow.tokens(account)["access_token"])
    assert response.status_code == 200
    assert response.json()["data"]["id"] == account.pk


def test_tokens_are_stored_only_as_hashes(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    access, refresh = OAuthAccessToken.objects.get(), OAuthRefreshToken.objects.get()
    assert access.token == refresh.token == ""
    assert access.token_checksum == hashlib.sha256(given["access_token"].encode()).hexdigest()
    assert refresh.token_checksum == hashlib.sha256(given["refresh_token"].encode()).hexdigest()


def test_a_token_is_bound_to_the_mcp_server_even_if_the_client_named_no_resource(
    flow: Flow, account: Account, settings
) -> None:
    code = redirect_parameters(flow.allow(account, resource=None))["code"]
    assert flow.exchange(code).status_code == 200
    assert OAuthAccessToken.objects.get().resource == [f"{settings.BASE_URL}/mcp"]


def test_an_mcp_url_with_selected_products_is_the_same_resource(flow: Flow, account: Account, settings) -> None:
    narrowed = f"{settings.BASE_URL}/mcp?products=qr"
    code = redirect_parameters(flow.allow(account, resource=narrowed))["code"]
    assert flow.exchange(code, resource=narrowed).status_code == 200


@pytest.mark.parametrize("resource", [["https://other.example/mcp"], []])
def test_a_token_for_another_resource_or_for_all_is_invalid(flow: Flow, account: Account, resource: list[str]) -> None:
    token = flow.tokens(account)["access_token"]
    OAuthAccessToken.objects.update(resource=resource)
    assert call_me(token).status_code == 401


def test_an_exchange_for_another_resource_is_refused(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    response = flow.exchange(code, resource="https://other.example/mcp")
    assert response.status_code == 400
    assert response.json()["error"] == "invalid_target"


def test_a_code_is_valid_once(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    assert flow.exchange(code).status_code == 200
    again = flow.exchange(code)
    assert again.status_code == 400
    assert again.json()["error"] == "invalid_grant"


def test_a_code_is_valid_for_a_minute(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    with time_machine.travel(clock.now() + timedelta(seconds=61), tick=False):
        assert flow.exchange(code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("verifier", [None, "w" * 43])
def test_a_code_needs_its_verifier(flow: Flow, account: Account, verifier: str | None) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    assert flow.exchange(code, code_verifier=verifier).status_code == 400


def test_a_code_cannot_be_used_by_another_client(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    assert flow.exchange(code, client_id=register()["client_id"]).status_code == 400


def test_the_caller_cannot_name_another_account(flow: Flow, account: Account) -> None:
    foreign = make_account(name="Not Yours")
    code = redirect_parameters(flow.allow(account))["code"]
    extra = {"account": foreign.pk, "account_id": foreign.pk, "granted_account_id": foreign.pk, "user": "1"}
    token = flow.exchange(code, **extra).json()["access_token"]
    assert call_me(token).json()["data"]["id"] == account.pk


def test_an_expired_token_is_invalid(flow: Flow, account: Account) -> None:
    token = flow.tokens(account)["access_token"]
    with time_machine.travel(clock.now() + timedelta(hours=1, seconds=1), tick=False):
        assert call_me(token).status_code == 401


def test_the_error_says_where_to_get_a_token(db: None, settings) -> None:
    challenge = call_me("svc_oat_" + "x" * 43)["WWW-Authenticate"]
    assert challenge.startswith("Bearer ")
    assert f'resource_metadata="{settings.BASE_URL}/.well-known/oauth-protected-resource/mcp"' in challenge
    assert 'scope="read write"' in challenge


def test_a_banned_account_loses_its_tokens(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    Account.objects.update(banned_at=clock.now())
    assert call_me(given["access_token"]).status_code == 401
    assert flow.refresh(given["refresh_token"]).status_code == 400


def test_a_removed_member_loses_their_tokens(flow: Flow, account: Account) -> None:
    second = make_account(name="Second Shop")
    membership = Membership.objects.create(account=second, person=account.owner, role=Membership.EDITOR)
    given = flow.tokens(second)
    assert call_me(given["access_token"]).status_code == 200
    membership.delete()
    assert call_me(given["access_token"]).status_code == 401
    assert flow.refresh(given["refresh_token"]).status_code == 400


def test_a_deactivated_person_loses_their_tokens(flow: Flow, account: Account) -> None:
    token = flow.tokens(account)["access_token"]
    owner = account.owner
    owner.is_active = False
    owner.save()
    assert call_me(token).status_code == 401


def test_refreshing_rotates_and_keeps_account_scope_and_resource(flow: Flow, account: Account) -> None:
    first = flow.tokens(account, access="read")
    second = flow.refresh(first["refresh_token"]).json()
    assert second["refresh_token"] != first["refresh_token"]
    assert call_me(first["access_token"]).status_code == 401
    assert call_me(second["access_token"]).json()["data"]["id"] == account.pk
    access = OAuthAccessToken.objects.get()
    assert access.scope == "read" and access.account == account and not access.can_write


def test_refreshing_cannot_widen_the_scope(flow: Flow, account: Account) -> None:
    given = flow.tokens(account, access="read")
    assert flow.refresh(given["refresh_token"], scope="read write").json()["error"] == "invalid_scope"


def test_a_refresh_token_is_valid_for_90_days_from_its_last_use(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    with time_machine.travel(clock.now() + timedelta(days=91), tick=False):
        assert flow.refresh(given["refresh_token"]).status_code == 400


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_revoking_either_token_ends_both(flow: Flow, account: Account, kind: str) -> None:
    given = flow.tokens(account)
    form = {"token": given[kind], "client_id": flow.client_id}
    assert Client().post("/oauth/revoke", urlencode(form), content_type=FORM).status_code == 200
    assert call_me(given["access_token"]).status_code == 401
    assert flow.refresh(given["refresh_token"]).status_code == 400


def test_another_client_cannot_revoke(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    form = {"token": given["access_token"], "client_id": register()["client_id"]}
    Client().post("/oauth/revoke", urlencode(form), content_type=FORM)
    assert call_me(given["access_token"]).status_code == 200


def test_a_client_with_a_secret_must_send_it(account: Account, flow: Flow) -> None:
    client = register(token_endpoint_auth_method="client_secret_post")
    own = Flow(flow.browser, client["client_id"])
    code = redirect_parameters(own.allow(account))["code"]
    assert own.exchange(code).status_code == 401
    assert own.exchange(code, client_secret="wrong").status_code == 401
    assert own.exchange(code, client_secret=client["client_secret"]).status_code == 200


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"grant_type": "password", "username": "a", "password": "b"},
        {"grant_type": "client_credentials"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
        {"grant_type": "refresh_token", "refresh_token": "\x00"},
        {"grant_type": "authorization_code", "code": "\x00", "client_id": "\x00"},
        {"grant_type": "authorization_code", "code": ["a", "b"], "client_id": ["a", "b"]},
    ],
)
def test_other_requests_are_refused_with_an_error_of_the_protocol(flow: Flow, wanted: dict[str, object]) -> None:
    response = post_token({"client_id": flow.client_id, **wanted})
    assert response.status_code in (400, 401)
    assert response.json()["error"]
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe=\x00", b"%zz=%", b"grant_type=refresh_token&refresh_token=%ed%a0%80&client_id=x", b"{"],
)
def test_malformed_bodies_are_refused(db: None, body: bytes) -> None:
    response = Client().post("/oauth/token", body, content_type=FORM)
    assert response.status_code in (400, 401)
    assert Client().post("/oauth/token", body, content_type="application/json").status_code == 400
    assert Client().get("/oauth/token").status_code == 405


def test_only_long_expired_tokens_are_deleted(flow: Flow, account: Account) -> None:
    flow.allow(account)
    given = flow.tokens(account)
    renewed = flow.refresh(given["refresh_token"]).json()
    with time_machine.travel(clock.now() + timedelta(days=80), tick=False):
        assert OAuthRefreshToken.delete_old() == 2, "the codes"
        assert flow.refresh(renewed["refresh_token"]).status_code == 200
    with time_machine.travel(clock.now() + timedelta(days=300), tick=False):
        assert OAuthRefreshToken.delete_old() == 4
    assert not OAuthRefreshToken.objects.exists()
    assert not OAuthAccessToken.objects.exists()
