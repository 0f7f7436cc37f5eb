"""The plan's limit of codes holds under parallel calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from workspace.testing.api import Api, make_account, make_api


def create(api: Api) -> tuple[int, dict]:
    return api.post("qr/create", {"name": "Menu", "target_url": "example.com"})


@pytest.mark.django_db
def test_the_eleventh_code_of_the_free_plan_is_refused_until_another_is_deleted() -> None:
    api = make_api(make_account(qr="free"))
    made = [create(api)[1]["data"]["id"] for _ in range(10)]
    status, body = create(api)
    assert (status, body["error"]) == (400, "tool_error") and "10" in body["message"]
    api.run("svc_qr_delete", ids=[made[0]])
    assert create(api)[0] == 200


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_under_parallel_calls() -> None:
    account = make_account(qr="free")
    api = make_api(account)
    for _ in range(7):
        assert create(api)[0] == 200
    start = Barrier(8)

    def attempt(_: int) -> int:
        start.wait()
        try:
            return create(Api(account, api.key))[0]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(attempt, range(8)))
    assert statuses == [200] * 3 + [400] * 5
    assert account.codes.count() == 10


@pytest.mark.django_db(transaction=True)
def test_parallel_lists_share_the_remaining_codes() -> None:
    account = make_account(qr="free")
    api = make_api(account)
    start = Barrier(4)

    def attempt(number: int) -> int:
        codes = [{"name": f"{number}-{n}", "target_url": "example.com"} for n in range(4)]
        start.wait()
        try:
            status, body = Api(account, api.key).post("qr/save", {"items": codes})
            return body["data"]["created"] if status == 200 else 0
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(attempt, range(4))) == 10
    assert account.codes.count() == 10
