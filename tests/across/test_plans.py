"""Plans: the top one without payments, the free one with payments, and limits under parallel calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from tests.across.samples import SAMPLES, things_for
from workspace.accounts import plans
from workspace.products import list_manifests
from workspace.products.qr.models import Code
from workspace.testing.api import Api, make_account, make_api

TWELVE = {"form", "book", "qr", "link", "card", "review", "quote", "waiver", "menu", "cert", "program", "seat"}


@pytest.mark.django_db
def test_me_shows_the_plan_of_all_twelve_products(api: Api) -> None:
    me = api.run("svc_me")
    assert set(me["plans"]) >= TWELVE
    assert me["plans"]["qr"] == {"plan": "pro", "limits": {"codes": None, "history_days": 400}}
    assert (me["email"], me["time_zone"]) == (api.account.owner.email, "UTC")


@pytest.mark.django_db
def test_with_payments_new_accounts_are_on_the_free_plans(settings: Any) -> None:
    settings.PAYMENTS = True
    me = make_api().run("svc_me")
    assert {now["plan"] for now in me["plans"].values()} == {"free"}
    assert me["plans"]["qr"]["limits"]["codes"] == 10


@pytest.mark.django_db
def test_products_show_prices_limits_and_the_current_plan(api: Api) -> None:
    rows = {row["product"]: row for row in api.run("svc_list_products")["products"]}
    assert set(rows) >= TWELVE
    assert rows["qr"]["public_path"] == "/q/"
    assert rows["qr"]["available"] is True
    assert rows["qr"]["plan"] == "pro"
    assert [offer["plan"] for offer in rows["qr"]["pricing"]] == ["free", "pro"]
    assert rows["qr"]["pricing"][0]["limits"]["codes"] == 10


@pytest.mark.django_db
def test_prices_and_limits_are_those_of_the_manifest_everywhere(settings: Any) -> None:
    settings.PAYMENTS, settings.STRIPE_KEY = True, "sk_test_123"
    account = make_account()
    owner = Client()
    owner.force_login(account.owner)
    # the first page is public
    pages = {path: by.get(path).content.decode() for path, by in (("/pricing", Client()), ("/app/plans", owner))}
    rows = {row["product"]: row for row in make_api(account).run("svc_list_products")["products"]}
    for product in list_manifests():
        told = [(one["plan"], one["price"], one["limits"]) for one in rows[product.key]["pricing"]]
        assert told == [(name, one.price, asdict(one.limits)) for name, one in product.plans.items()], product.key
        for path, page in pages.items():
            assert product.title in page, (path, product.key)
            for one in product.plans.values():
                assert f"${one.price}" in page or not one.price, (path, product.key, one)


# the tool that creates what each product's plan limits
ONE_MORE = {
    "form": "svc_form_create",
    "book": "svc_booking_create",
    "qr": "svc_qr_create",
    "link": "svc_links_create",
    "card": "svc_card_create",
    "review": "svc_reviews_create",
    "quote": "svc_bid_create",
    "waiver": "svc_waiver_create",
    "menu": "svc_menu_create",
    "cert": "svc_certs_issue",
    "program": "svc_event_create",
    "seat": "svc_seat_add_guests",
}


@pytest.mark.django_db
@pytest.mark.parametrize("key", sorted(TWELVE))
def test_a_reached_limit_refers_to_the_page_of_plans(
    key: str, api: Api, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = ONE_MORE[key]
    arguments = SAMPLES[name](things_for(name, api))
    # the free plan's limits are used up
    free = plans.PRODUCTS[key].plans["free"]
    none = {one: 0 for one, most in asdict(free.limits).items() if one != "history_days" and not isinstance(most, bool)}
    monkeypatch.setitem(plans.PRODUCTS[key].plans, "free", replace(free, limits=replace(free.limits, **none)))
    settings.PAYMENTS = True
    status, body = api.post("call", {"name": name, "arguments": arguments})
    told = body["message"] if status == 400 else body["text"]
    assert f"choose a larger plan at {settings.BASE_URL}/app/plans" in told, (status, body)


@pytest.mark.django_db
def test_on_a_page_this_text_is_a_link(settings: Any) -> None:
    settings.PAYMENTS = True
    account = make_account()
    owner = Client()
    owner.force_login(account.owner)
    said = f"choose a larger plan at {settings.BASE_URL}/app/plans"
    for number in range(2):
        make_api(account).run("svc_card_create", full_name=f"{said} {number}")
    refused = owner.post("/app/card/new", {"full_name": "Ada"})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert 'or <a href="/app/plans">choose a larger plan</a>' in page
    # text in an attribute is unchanged
    card = account.cards.first()
    assert f'value="{said} ' in owner.get(f"/app/card/{card.pk}").content.decode()  # type: ignore[union-attr]


@pytest.mark.django_db(transaction=True)
def test_parallel_creations_stop_exactly_at_the_limit() -> None:
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
