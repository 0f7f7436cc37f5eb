"""Several requests with the same code or refresh token at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from workspace.accounts.models import OAuthAccessToken, OAuthRefreshToken
from workspace.testing.api import make_account
from workspace.testing.oauth_client import Flow, call_me, redirect_parameters, register, sign_in_browser

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def run_concurrently(ask: Callable[[], Any]) -> list[Any]:
    barrier = Barrier(AT_ONCE)

    def run_one() -> Any:
        barrier.wait(60)
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [future.result() for future in [pool.submit(run_one) for _ in range(AT_ONCE)]]


def test_a_code_used_concurrently_yields_tokens_once_and_the_other_uses_revoke_them() -> None:
    account = make_account()
    flow = Flow(sign_in_browser(account.owner), register()["client_id"])
    code = redirect_parameters(flow.allow(account))["code"]
    answers = run_concurrently(lambda: flow.exchange(code))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * (AT_ONCE - 1)
    won = next(answer.json() for answer in answers if answer.status_code == 200)
    assert call_me(won["access_token"]).status_code == 401
    assert not OAuthAccessToken.objects.exists()
    assert flow.refresh(won["refresh_token"]).status_code == 400


def test_a_refresh_token_used_concurrently_renews_for_all() -> None:
    account = make_account()
    flow = Flow(sign_in_browser(account.owner), register()["client_id"])
    given = flow.tokens(account)
    answers = run_concurrently(lambda: flow.refresh(given["refresh_token"]))
    assert [answer.status_code for answer in answers] == [200] * AT_ONCE
    pairs = [answer.json() for answer in answers]
    assert len({pair["refresh_token"] for pair in pairs}) == AT_ONCE
    assert all(call_me(pair["access_token"]).status_code == 200 for pair in pairs)
    assert flow.refresh(pairs[-1]["refresh_token"]).status_code == 200


def test_revoking_a_family_also_ends_tokens_renewed_at_the_same_time() -> None:
    account = make_account()
    flow = Flow(sign_in_browser(account.owner), register()["client_id"])
    given = flow.tokens(account)
    family = OAuthRefreshToken.objects.get().token_family
    turns = iter([True] + [False] * (AT_ONCE - 1))

    def revoke_or_refresh() -> Any:
        return OAuthRefreshToken.revoke_family(family) if next(turns) else flow.refresh(given["refresh_token"])

    pairs = [
        answer.json()
        for answer in run_concurrently(revoke_or_refresh)
        if answer is not None and answer.status_code == 200
    ]
    assert not any(call_me(pair["access_token"]).status_code == 200 for pair in pairs)
    assert all(flow.refresh(pair["refresh_token"]).status_code == 400 for pair in pairs)
    assert not OAuthAccessToken.objects.exists()
