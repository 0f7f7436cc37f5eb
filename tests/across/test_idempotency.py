"""Idempotency-Key: a repeated write returns the first answer and has no second effect."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connections

from workspace.accounts.models import IdempotentCall
from workspace.lib import clock
from workspace.products.qr.models import Code
from workspace.storage.database.try_lock import exclusive_write_transaction
from workspace.testing.api import Api, make_api

BODY = {"name": "Menu", "target_url": "https://example.com"}


def create(api: Api, key: str, body: dict[str, Any] = BODY) -> tuple[int, dict[str, Any]]:
    return api.post("qr/create", body, **{"Idempotency-Key": key})


@pytest.mark.django_db
def test_a_repeated_write_returns_the_same_answer_and_creates_one_item(api: Api) -> None:
    first, second = create(api, "k1"), create(api, "k1")
    assert first == second
    assert first[0] == 200
    assert Code.objects.count() == 1
    assert create(api, "k2")[1]["data"]["id"] != first[1]["data"]["id"]


@pytest.mark.django_db
def test_a_replayed_answer_is_marked_as_such(api: Api) -> None:
    def replayed() -> str | None:
        headers = {"Idempotency-Key": "k1"}
        response = api.client.post("/api/v1/qr/create", BODY, content_type="application/json", headers=headers)
        assert response.status_code == 200
        told: str | None = response.get("Idempotent-Replayed")
        return told

    assert [replayed(), replayed(), replayed()] == [None, "true", "true"]


@pytest.mark.django_db(transaction=True)
def test_a_repeat_of_a_call_in_progress_says_when_to_retry() -> None:
    api = make_api()
    held, done = threading.Event(), threading.Event()

    def work() -> None:
        try:
            with exclusive_write_transaction(f"idempotency:{api.account.pk}:k1") as is_alone:
                assert is_alone
                held.set()
                done.wait(120)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        assert held.wait(120)
        headers = {"Idempotency-Key": "k1"}
        response = api.client.post("/api/v1/qr/create", BODY, content_type="application/json", headers=headers)
        done.set()
        working.result()
    assert (response.status_code, response.json()["error"]) == (409, "conflict")
    assert response["Retry-After"] == str(response.json()["retryAfter"]) == "1"
    assert create(api, "k1")[0] == 200


@pytest.mark.django_db
def test_the_same_key_with_other_arguments_is_refused(api: Api) -> None:
    create(api, "k1")
    status, body = create(api, "k1", {**BODY, "name": "Other"})
    assert (status, body["error"]) == (422, "idempotency_key_reused")
    assert Code.objects.count() == 1


@pytest.mark.django_db
def test_an_error_is_not_stored(api: Api) -> None:
    assert create(api, "k1", {**BODY, "target_url": "javascript:x"})[0] == 400
    assert create(api, "k1")[0] == 200


@pytest.mark.django_db
def test_keys_of_two_accounts_are_independent(api: Api, stranger: Api) -> None:
    assert create(api, "k1")[1]["data"]["id"] != create(stranger, "k1")[1]["data"]["id"]


@pytest.mark.django_db
def test_a_key_expires_after_a_day(api: Api) -> None:
    create(api, "k1")
    with time_machine.travel(clock.now() + timedelta(hours=25)):
        assert create(api, "k1")[0] == 200
        assert Code.objects.count() == 2
        assert IdempotentCall.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 257])
def test_a_key_of_the_wrong_length_is_refused(key: str, api: Api) -> None:
    status, body = create(api, key)
    assert (status, body["issues"][0]["path"]) == (400, "Idempotency-Key")


@pytest.mark.django_db(transaction=True)
def test_parallel_repeats_create_one_item() -> None:
    api = make_api()

    def create_item(_: int) -> int:
        try:
            return create(Api(api.account, api.key), "k1")[0]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(create_item, range(12)))
    assert set(statuses) <= {200, 409}
    assert 200 in statuses
    assert Code.objects.count() == 1
