"""Unknown scopes, which clients often request, are ignored rather than refused."""

from __future__ import annotations

import pytest

from workspace.accounts.models import Account, OAuthAccessToken
from workspace.testing.oauth_client import Flow, redirect_parameters, register

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("openid offline_access read write", "read write"),
        ("read offline_access", "read"),
        ("offline_access openid profile email", "read write"),
        ("admin:everything", "read write"),
        ("", "read write"),
        (None, "read write"),
    ],
)
def test_unknown_scopes_are_ignored_in_an_authorization(
    flow: Flow, account: Account, asked: str | None, given: str
) -> None:
    page = flow.request_authorization(scope=asked)
    assert page.status_code == 200
    assert ("view-only access" in page.content.decode().split("What may it do")[0]) == (given == "read")
    code = redirect_parameters(flow.allow(account, scope=asked))["code"]
    answer = flow.exchange(code).json()
    assert answer["scope"] == OAuthAccessToken.objects.get().scope == given


def test_only_the_allowed_access_is_granted(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account, access="read", scope="read write offline_access"))["code"]
    assert flow.exchange(code).json()["scope"] == "read"


@pytest.mark.parametrize("asked", ["read offline_access", "offline_access", "read"])
def test_unknown_scopes_are_ignored_at_renewal(flow: Flow, account: Account, asked: str) -> None:
    given = flow.tokens(account, access="read")
    assert flow.refresh(given["refresh_token"], scope=asked).json()["scope"] == "read"


def test_a_known_scope_is_not_widened_at_renewal(flow: Flow, account: Account) -> None:
    given = flow.tokens(account, access="read")
    assert flow.refresh(given["refresh_token"], scope="write offline_access").json()["error"] == "invalid_scope"


@pytest.mark.parametrize("scope", ["openid offline_access", "read write offline_access", "", 7, None])
def test_a_registration_may_request_any_scope_and_gets_the_supported_ones(scope: object) -> None:
    assert register(scope=scope)["scope"] == "read write"
