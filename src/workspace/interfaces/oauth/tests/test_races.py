"""Two requests with the same code or refresh token at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from workspace.accounts.models import OAuthAccessToken
from workspace.interfaces.oauth.tests.flow import Flow, answer_of, browser_of, call_me, register
from workspace.testing import make_account

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def at_once(ask: Callable[[], Any]) -> list[Any]:
    barrier = Barrier(AT_ONCE)

    def one() -> Any:
        barrier.wait(10)
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [future.result() for future in [pool.submit(one) for _ in range(AT_ONCE)]]


def test_a_code_gives_tokens_to_one_of_them() -> None:
    account = make_account()
    flow = Flow(browser_of(account.owner), register()["client_id"])
    code = answer_of(flow.allow(account))["code"]
    answers = at_once(lambda: flow.exchange(code))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * (AT_ONCE - 1)
    assert OAuthAccessToken.objects.count() == 1
    won = next(answer.json() for answer in answers if answer.status_code == 200)
    assert call_me(won["access_token"]).status_code == 200


def test_a_refresh_token_is_spent_by_one_of_them() -> None:
    account = make_account()
    flow = Flow(browser_of(account.owner), register()["client_id"])
    given = flow.tokens(account)
    answers = at_once(lambda: flow.refresh(given["refresh_token"]))
    assert [answer.status_code for answer in answers].count(200) == 1
    assert all(answer.status_code in (200, 400) for answer in answers)
    assert all(answer.json()["access_token"] for answer in answers if answer.status_code == 200)
    assert OAuthAccessToken.objects.count() <= 1
