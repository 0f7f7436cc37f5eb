"""Late reuse of a spent refresh token: its response, and the tokens that it revokes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from workspace.accounts.models import Account, OAuthRefreshToken
from workspace.accounts.models.oauth import MAX_PARALLEL_TOKENS, PUBLIC_REUSE_GRACE, REUSE_GRACE
from workspace.interfaces.oauth.tests.test_replays import after, works
from workspace.testing.oauth_client import Flow, redirect_parameters, register

pytestmark = pytest.mark.django_db
LATE = PUBLIC_REUSE_GRACE + timedelta(seconds=1)
SOON = timedelta(minutes=30)


def renew(flow: Flow, given: dict[str, Any], *, address: str = "203.0.113.7", agent: str = "Helper/1") -> Any:
    form = {"grant_type": "refresh_token", "refresh_token": given["refresh_token"], "client_id": flow.client_id}
    return Client(REMOTE_ADDR=address, headers={"user-agent": agent}).post(
        "/oauth/token", urlencode(form), content_type="application/x-www-form-urlencoded"
    )


def test_a_copy_in_a_parallel_process_renews_within_the_hour_and_revokes_nothing(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    one = renew(flow, first).json()
    with after(SOON):
        other = renew(flow, first, address="203.0.113.200")
        assert other.status_code == 200, "another address of the same network"
        assert works(one) and works(other.json())


def test_the_number_of_pairs_within_the_hour_is_limited(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    renew(flow, first)
    with after(SOON):
        statuses = [renew(flow, first).status_code for _ in range(MAX_PARALLEL_TOKENS)]
    assert statuses == [200] * (MAX_PARALLEL_TOKENS - 1) + [400]


def test_further_uses_within_the_hour_are_refused_and_revoke_nothing(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    good = renew(flow, first).json()
    with after(SOON):
        statuses = [renew(flow, first).status_code for _ in range(MAX_PARALLEL_TOKENS + 3)]
        assert statuses == [200] * (MAX_PARALLEL_TOKENS - 1) + [400] * 4
        assert works(good)
        good = renew(flow, good).json()
        assert renew(flow, first).status_code == 400 and works(good)
    with after(LATE):
        good = renew(flow, good).json()
        assert renew(flow, first).status_code == 400 and works(good), "the first late use ends nothing either"


def test_a_first_late_use_is_only_refused_and_a_second_revokes_the_family(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    second = renew(flow, first).json()
    with after(LATE):
        good = renew(flow, second).json()
        answer = renew(flow, first)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
        assert works(good)
        assert renew(flow, first).status_code == 400
        assert not works(good) and renew(flow, good).status_code == 400


def test_late_uses_of_different_tokens_are_each_only_refused(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    second = renew(flow, first).json()
    third = renew(flow, second).json()
    with after(LATE):
        assert [renew(flow, first).status_code, renew(flow, second).status_code] == [400, 400]
        assert renew(flow, third).status_code == 200


@pytest.mark.parametrize("wait", [SOON, LATE])
@pytest.mark.parametrize("other", [{"address": "198.51.100.9"}, {"address": "2001:db8::1"}, {"agent": "curl/8"}])
def test_reuse_by_another_sender_revokes_the_family(
    flow: Flow, account: Account, wait: timedelta, other: dict[str, str]
) -> None:
    first = flow.tokens(account)
    second = renew(flow, first).json()
    with after(wait):
        second = renew(flow, second).json()
        assert renew(flow, first, **other).status_code == 400
        assert not works(second) and renew(flow, second).status_code == 400


def test_the_sender_is_not_checked_in_the_first_seconds(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    second = renew(flow, first).json()
    assert renew(flow, first, address="198.51.100.9").status_code == 200 and works(second)


def test_the_sender_is_stored_as_a_keyed_digest(flow: Flow, account: Account) -> None:
    renew(flow, flow.tokens(account))
    kept = OAuthRefreshToken.objects.exclude(spent_by="").get().spent_by
    assert len(kept) == 64


def test_a_confidential_client_has_ten_seconds_and_then_loses_the_family(flow: Flow, account: Account) -> None:
    made = register(token_endpoint_auth_method="client_secret_post")
    secret = made["client_secret"]
    other = Flow(flow.browser, made["client_id"])
    code = redirect_parameters(other.allow(account))["code"]
    first = other.exchange(code, client_secret=secret).json()
    second = other.refresh(first["refresh_token"], client_secret=secret).json()
    assert other.refresh(first["refresh_token"], client_secret=secret).status_code == 200
    with after(REUSE_GRACE + timedelta(seconds=1)):
        assert other.refresh(first["refresh_token"], client_secret=secret).status_code == 400
        assert not works(second)
