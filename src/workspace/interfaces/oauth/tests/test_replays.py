"""Reuse of a code or refresh token: a client's retry works, and a theft revokes everything from that consent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.test import Client

from workspace.accounts.models import Account, OAuthAccessToken, OAuthGrant, OAuthRefreshToken
from workspace.accounts.models.oauth import MAX_PARALLEL_TOKENS, PUBLIC_REUSE_GRACE
from workspace.lib import clock
from workspace.testing.oauth_client import Flow, call_me, redirect_parameters, register

pytestmark = pytest.mark.django_db
LATER = PUBLIC_REUSE_GRACE + timedelta(seconds=1)


def works(given: dict[str, Any]) -> bool:
    return call_me(given["access_token"]).status_code == 200


def after(wait: timedelta) -> Any:
    return time_machine.travel(clock.now() + wait, tick=False)


@pytest.mark.parametrize("changes", [{}, {"code_verifier": "w" * 43}], ids=["same", "without-verifier"])
def test_a_reused_code_revokes_the_tokens_it_yielded(flow: Flow, account: Account, changes: dict[str, str]) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    given = flow.exchange(code).json()
    renewed = flow.refresh(given["refresh_token"]).json()
    again = flow.exchange(code, **changes)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert not works(renewed)
    assert flow.refresh(renewed["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_code_is_recognized_as_a_replay_for_a_day(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    given = flow.exchange(code).json()
    with after(timedelta(minutes=30)):
        OAuthRefreshToken.delete_old()
        assert flow.exchange(code).status_code == 400
        assert not works(given)
    with after(timedelta(days=2)):
        OAuthRefreshToken.delete_old()
        assert not OAuthGrant.objects.exists()


def test_a_replayed_code_revokes_nothing_else(flow: Flow, account: Account) -> None:
    other = flow.tokens(account)
    code = redirect_parameters(flow.allow(account))["code"]
    flow.exchange(code)
    flow.exchange(code)
    assert works(other)


def test_another_client_cannot_revoke_anything_with_a_code(flow: Flow, account: Account) -> None:
    code = redirect_parameters(flow.allow(account))["code"]
    given = flow.exchange(code).json()
    assert flow.exchange(code, client_id=register()["client_id"]).status_code == 400
    assert works(given)


def test_a_refresh_token_may_be_reused_within_its_grace_period(flow: Flow, account: Account) -> None:
    first = flow.tokens(account, access="read")
    lost = flow.refresh(first["refresh_token"]).json()
    kept = flow.refresh(first["refresh_token"]).json()
    assert kept["scope"] == lost["scope"] == "read"
    assert kept["refresh_token"] not in (first["refresh_token"], lost["refresh_token"])
    assert works(kept) and works(lost) and not works(first)
    assert OAuthAccessToken.objects.filter(scope="read", account=account).count() == 2
    with after(timedelta(days=3)):
        assert works(flow.refresh(kept["refresh_token"]).json())


def test_it_may_be_reused_even_if_its_successor_was_renewed_already(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    second = flow.refresh(first["refresh_token"]).json()
    third = flow.refresh(second["refresh_token"]).json()
    assert works(flow.refresh(first["refresh_token"]).json()) and works(third)


def test_the_grace_period_is_counted_from_the_first_use_and_does_not_move(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    began = clock.now()
    with time_machine.travel(began, tick=False):
        flow.refresh(first["refresh_token"])
    with time_machine.travel(began + PUBLIC_REUSE_GRACE - timedelta(seconds=1), tick=False):
        assert flow.refresh(first["refresh_token"]).status_code == 200
    with time_machine.travel(began + PUBLIC_REUSE_GRACE + timedelta(seconds=1), tick=False):
        assert flow.refresh(first["refresh_token"]).status_code == 400


def test_the_grace_period_allows_a_few_repetitions(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    answers = [flow.refresh(first["refresh_token"]) for _ in range(MAX_PARALLEL_TOKENS + 3)]
    assert [one.status_code for one in answers] == [200] * MAX_PARALLEL_TOKENS + [400] * 3
    assert all(works(one.json()) for one in answers[:MAX_PARALLEL_TOKENS])


def test_responses_lost_long_ago_do_not_use_up_the_repetitions(flow: Flow, account: Account) -> None:
    given = flow.tokens(account)
    for day in range(MAX_PARALLEL_TOKENS + 2):
        with after(timedelta(days=day)):
            flow.refresh(given["refresh_token"])
            response = flow.refresh(given["refresh_token"])
            assert response.status_code == 200, day
            given = response.json()


def test_a_retry_cannot_widen_the_scope(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    flow.refresh(first["refresh_token"], scope="read")
    assert flow.refresh(first["refresh_token"], scope="read write").json()["error"] == "invalid_scope"
    assert flow.refresh(first["refresh_token"]).json()["scope"] == "read"


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_revoked_tokens_have_no_grace_period(flow: Flow, account: Account, kind: str) -> None:
    first = flow.tokens(account)
    second, third = (flow.refresh(first["refresh_token"]).json() for _ in range(2))
    form = urlencode({"token": second[kind], "client_id": flow.client_id})
    assert Client().post("/oauth/revoke", form, content_type="application/x-www-form-urlencoded").status_code == 200
    for given in (first, second, third):
        assert not works(given)
        assert flow.refresh(given["refresh_token"]).status_code == 400


def test_a_spent_refresh_token_cannot_be_used_by_another_client(flow: Flow, account: Account) -> None:
    first = flow.tokens(account)
    flow.refresh(first["refresh_token"])
    assert flow.refresh(first["refresh_token"], client_id=register()["client_id"]).status_code == 400
