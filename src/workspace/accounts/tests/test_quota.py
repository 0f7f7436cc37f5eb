"""The daily quota is exact with parallel calls and resets at midnight UTC."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connections

from workspace.accounts import plans
from workspace.accounts.models import ApiKey
from workspace.rate_limits.models import CallQuota
from workspace.testing.api import make_account, make_api

FREE = dict.fromkeys(plans.PRODUCTS, "free")


@pytest.mark.django_db
def test_the_hundredth_call_of_a_free_account_is_the_last_of_its_day() -> None:
    api = make_api(make_account(**FREE))
    CallQuota.consume(f"key:{api.account.keys.get().pk}", 100)
    CallQuota.objects.update(used=99)
    assert api.get("me")[0] == 200
    response = api.client.get("/api/v1/me")
    body = response.json()
    assert (response.status_code, body["error"]) == (429, "rate_limited")
    assert 0 < body["retryAfter"] <= 86_400
    assert response["Retry-After"] == str(body["retryAfter"])
    assert response["RateLimit-Policy"] == '"daily";q=100;w=86400'
    assert response["RateLimit"] == f'"daily";r=0;t={body["retryAfter"]}'


@pytest.mark.django_db
def test_a_paid_plan_of_any_product_allows_five_thousand_calls() -> None:
    assert make_account(**FREE).daily_calls == 100
    assert make_account(**{**FREE, "menu": "pro"}).daily_calls == 5000


@pytest.mark.django_db
def test_headers_show_the_remaining_calls() -> None:
    api = make_api(make_account(**FREE))
    response = api.client.get("/api/v1/me")
    assert response["RateLimit-Policy"] == '"daily";q=100;w=86400'
    assert response["RateLimit"].startswith('"daily";r=99;t=')


@pytest.mark.django_db
def test_a_rejected_call_counts_but_the_catalog_does_not() -> None:
    api = make_api(make_account(**FREE))
    api.get("tools")
    api.get("qr/get")
    api.get("nothing/here")
    assert api.client.get("/api/v1/me")["RateLimit"].startswith('"daily";r=97;')


@pytest.mark.django_db
def test_each_key_has_a_separate_quota() -> None:
    account = make_account(**FREE)
    one, two = make_api(account), make_api(account)
    one.get("me")
    assert two.client.get("/api/v1/me")["RateLimit"].startswith('"daily";r=99;')


@pytest.mark.django_db
def test_the_quota_resets_at_midnight_utc() -> None:
    with time_machine.travel("2026-03-01T23:59:30Z", tick=False):
        assert CallQuota.consume("key:x", 1).is_granted
        refused = CallQuota.consume("key:x", 1)
        assert not refused.is_granted
        assert 30 <= refused.resets_in <= 31
    with time_machine.travel("2026-03-02T00:00:01Z", tick=False):
        assert CallQuota.consume("key:x", 1).is_granted


@pytest.mark.django_db(transaction=True)
def test_parallel_calls_use_exactly_the_quota() -> None:
    def try_call(_: int) -> bool:
        try:
            return CallQuota.consume("key:busy", 50).is_granted
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        granted = list(pool.map(try_call, range(120)))
    assert sum(granted) == 50
    assert CallQuota.objects.get(pk="key:busy").used == 50


@pytest.mark.django_db
def test_the_last_use_of_a_key_is_stored() -> None:
    api = make_api()
    api.get("me")
    key = ApiKey.objects.get()
    assert CallQuota.objects.get(pk=key.bucket).last_used_at >= key.created_at
