"""Plans: the top one without payments, the free one with them, limits that hold under parallel calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from workspace.products.qr.models import Code
from workspace.testing import Api, make_account, make_api

TWELVE = {"form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat"}


@pytest.mark.django_db
def test_me_shows_the_plan_of_all_twelve_products(api: Api) -> None:
    me = api.run("svc_me")
    assert set(me["plans"]) >= TWELVE
    assert me["plans"]["qr"] == {"plan": "pro", "limits": {"codes": None, "history_days": 400}}
    assert (me["email"], me["time_zone"]) == (api.account.owner.email, "UTC")


@pytest.mark.django_db
def test_with_payments_new_accounts_stand_on_the_free_plans(settings: Any) -> None:
    settings.PAYMENTS = True
    me = make_api().run("svc_me")
    assert {now["plan"] for now in me["plans"].values()} == {"free"}
    assert me["plans"]["qr"]["limits"]["codes"] == 10


@pytest.mark.django_db
def test_products_show_prices_limits_and_the_own_plan(api: Api) -> None:
    rows = {row["product"]: row for row in api.run("svc_list_products")["products"]}
    assert set(rows) >= TWELVE
    assert rows["qr"]["public_path"] == "/q/"
    assert rows["qr"]["available"] is True
    assert rows["qr"]["plan"] == "pro"
    assert [offer["plan"] for offer in rows["qr"]["pricing"]] == ["free", "pro"]
    assert rows["qr"]["pricing"][0]["limits"]["codes"] == 10


@pytest.mark.django_db(transaction=True)
def test_parallel_creates_stop_exactly_at_the_limit() -> None:
    api = make_api(make_account(qr="free", menu="pro"))
    for number in range(7):
        api.run("svc_qr_create", name=str(number), target_url="a.de")

    def create(_: int) -> str:
        try:
            status, body = Api(api.account, api.key).post("qr/create", {"name": "x", "target_url": "a.de"})
            return "ok" if status == 200 else str(body["error"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(create, range(8)))
    assert sorted(results) == ["ok"] * 3 + ["tool_error"] * 5
    assert Code.objects.count() == 10
