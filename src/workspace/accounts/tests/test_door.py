from __future__ import annotations

import pytest

from workspace.testing import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def test_me_answers_the_account_behind_the_key(api: Api) -> None:
    status, body = api.get("me")
    assert status == 200 and body["ok"] is True
    assert body["data"]["email"] == api.account.owner.email
    assert set(body["data"]["plans"]) == {
        "form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat",
    }


def test_a_read_only_key_may_read(account) -> None:
    api = make_api(account, read_only=True)
    assert api.get("me")[0] == 200


def test_the_hundredth_call_of_a_free_account_is_the_last_of_its_day(db: None) -> None:
    from workspace.accounts import plans

    free = make_account(**{key: "free" for key in plans.PRODUCTS})
    api = make_api(free)
    for _ in range(100):
        assert api.get("me")[0] == 200
    status, body = api.get("me")
    assert status == 429 and body["error"] == "rate_limited" and body["retryAfter"] > 0
