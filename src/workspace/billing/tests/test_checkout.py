"""A signed-in owner buys, adds, changes and cancels plans. No one else can, and URLs grant nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account, Membership, Person
from workspace.billing import effective_plans
from workspace.billing.models import Purchase
from workspace.billing.tests.billing_instance import House, plan
from workspace.lib import clock
from workspace.testing.api import make_api
from workspace.testing.fake_stripe import KEY

pytestmark = pytest.mark.django_db


def signed_in(account: Account, person: Person | None = None) -> Client:
    browser = Client()
    browser.force_login(person or account.owner)
    return browser


def text(browser: Client, path: str) -> str:
    answer = browser.get(path)
    while answer.status_code in (302, 303):
        answer = browser.get(answer.headers["Location"])
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def test_a_plan_is_chosen_and_paid_at_the_provider(house: House) -> None:
    account = house.account()
    browser = signed_in(account)
    assert "/app/plans/quote/pro" in text(browser, "/app/plans")
    assert "$15" in text(browser, "/app/plans/quote/pro")
    answer = browser.post("/app/plans/quote/pro")
    purchase = Purchase.objects.get()
    assert answer.headers["Location"] == f"{house.stripe.url}/c/{purchase.session}"
    back = f"/app/plans/wait/{purchase.pk}"
    assert house.stripe.sessions[purchase.session]["success_url"].endswith(back)
    waiting = browser.get(back)
    assert (waiting.status_code, waiting.headers["Refresh"]) == (200, "4")
    assert plan(account) == "free"  # the URL grants nothing
    house.stripe.checkout(purchase.session, later=True)
    Purchase.objects.update(checked_at=None)
    assert "in progress" in text(browser, back)
    assert plan(account) == "free"
    house.stripe.complete_bank_payment(purchase.session)
    Purchase.objects.update(checked_at=None)
    assert "Proposals plan changed to Pro" in text(browser, back)
    assert plan(account) == "pro"
    assert signed_in(house.account()).get(back).status_code == 404


def test_plans_are_added_changed_and_cancelled_in_one_subscription(house: House) -> None:
    account = house.account()
    id = house.buy(account, "quote=pro")
    browser = signed_in(account)
    house.stripe.declined = True
    refused = browser.post("/app/plans/qr/pro", {"once": "a"})
    assert refused.status_code == 422 and "declined" in refused.content.decode()
    assert plan(account, "qr") == "free"
    house.stripe.declined = False
    assert browser.post("/app/plans/qr/pro", {"once": "b"}).status_code == 303
    assert plan(account, "qr") == "pro"
    browser.post("/app/plans/qr/pro", {"once": "b"})  # a second click
    assert [row["price"]["metadata"]["product"] for row in house.stripe.subscriptions[id]["rows"]] == ["quote", "qr"]
    assert "$24 per month" in text(browser, "/app/plans")
    browser.post("/app/plans/card/team", {"once": "c"})
    assert plan(account, "card") == "team"
    browser.post("/app/plans/card/pro", {"once": "d"})
    assert plan(account, "card") == "pro"
    for product in ("quote", "card"):
        browser.post(f"/app/plans/{product}/free", {"once": product})
        assert plan(account, product) == "free"
    assert "stays active until" in text(browser, "/app/plans/qr/free")
    browser.post("/app/plans/qr/free", {"once": "e"})
    assert plan(account, "qr") == "pro"
    assert house.stripe.subscriptions[id]["cancel_at_period_end"]
    assert "Ends " in text(browser, "/app/plans")
    browser.post("/app/plans/qr/pro", {"once": "f"})
    assert not house.stripe.subscriptions[id]["cancel_at_period_end"]
    told = list(account.changes.filter(tool="plans").order_by("created_at", "pk").values_list("summary", flat=True))
    assert told[-3:] == [
        "Canceled the plan of Business cards",
        "Canceled the plan of QR codes",
        "Changed the plan of QR codes to Pro",
    ]
    answer = browser.post("/app/plans/portal")
    assert answer.headers["Location"] == f"{house.stripe.url}/portal"


def test_only_the_owner_can_pay_and_only_after_a_recent_sign_in(house: House) -> None:
    account = house.account()
    helper = Person.objects.create_user("helper@example.com", "x")
    Membership.objects.create(account=account, person=helper, role=Membership.EDITOR)
    member = signed_in(account, helper)
    assert "/app/plans/quote/pro" not in text(member, "/app/plans")
    assert member.post("/app/plans/quote/pro").status_code == 403
    owner = account.owner
    owner.set_password("teapot on a windy hill")
    owner.save()
    stale = signed_in(account)
    with time_machine.travel(clock.now() + timedelta(hours=3)):
        answer = stale.post("/app/plans/quote/pro")
    assert answer.status_code == 302 and "/account/confirm" in answer.headers["Location"]
    assert not Purchase.objects.exists()


def test_without_a_key_nothing_is_sold_and_the_administrator_grants_plans(settings: Any) -> None:
    settings.PAYMENTS = True
    account = House(None).account()  # type: ignore[arg-type]
    browser = signed_in(account)
    page = text(browser, "/app/plans")
    assert "To get a larger plan, contact" in page and "/app/plans/quote" not in page
    assert not browser.post("/app/plans/quote/pro").headers["Location"].startswith("http")
    found = make_api(account).run("svc_list_products")
    assert found["plans_url"] == "" and not any(
        one["checkout_url"] for row in found["products"] for one in row["pricing"]
    )
    effective_plans.grant_plan(account, "quote", "pro", clock.now() + timedelta(days=3))
    assert plan(account) == "pro"
    assert "Free of charge until" in text(browser, "/app/plans")
    account.plan_grants.update(ends_at=clock.now())
    effective_plans.expire_plans()
    assert plan(account) == "free"
    effective_plans.set_base_plan(Account.objects.get(pk=account.pk), "quote", "pro")
    effective_plans.grant_plan(account, "quote", "pro", clock.now() + timedelta(days=3))
    account.plan_grants.update(ends_at=clock.now())
    effective_plans.expire_plans()
    assert plan(account) == "pro"  # a plan granted without an end stays


def test_prices_and_checkout_urls_are_shown(house: House) -> None:
    account = house.account()
    found = make_api(account).run("svc_list_products")
    assert found["plans_url"].endswith("/app/plans")
    offers = {row["product"]: {one["plan"]: one for one in row["pricing"]} for row in found["products"]}
    assert offers["quote"]["pro"]["checkout_url"].endswith("/app/plans/quote/pro")
    assert (offers["quote"]["free"]["checkout_url"], offers["quote"]["pro"]["per"]) == ("", "month")
    pricing = text(Client(), "/pricing")
    assert "Proposals" in pricing and "$15" in pricing
    assert account.upgrade_hint("quote").endswith("/app/plans")


def test_a_smaller_plan_keeps_all_items_but_allows_no_more(house: House) -> None:
    account = house.account()
    id = house.buy(account, "qr=pro")
    api = make_api(account)
    for number in range(12):
        api.run("svc_qr_create", name=str(number), target_url="example.com")
    house.stripe.become(id, "canceled")
    house.receive_all_events()
    assert api.run("svc_qr_list")["total"] == 12
    assert "/app/plans" in api.refuse("svc_qr_create", name="x", target_url="example.com")["message"]
    assert "12 of 10 QR codes" in text(signed_in(account), "/app/plans")


def test_a_closed_account_pays_no_more(house: House) -> None:
    account = house.account()
    id = house.buy(account)
    begun = house.start_checkout(account, "qr=pro")
    purge_account(account)
    house.work()
    assert house.stripe.subscriptions[id]["status"] == "canceled"
    assert house.stripe.sessions[begun.session]["status"] == "expired"
    late = house.account()
    purchase = house.start_checkout(late)
    session = house.stripe.checkout(purchase.session)
    Account.objects.filter(pk=late.pk).delete()  # closed at the moment of the payment
    house.receive_all_events()
    assert house.stripe.subscriptions[session["subscription"]]["status"] == "canceled"
    [invoice] = [one for one in house.stripe.invoices.values() if one["of"] == session["subscription"]]
    assert house.stripe.intents[invoice["intent"]]["latest_charge"]["amount_refunded"] == 1500


def test_an_unavailable_provider_changes_nothing(house: House) -> None:
    account = house.account()
    browser = signed_in(account)
    house.stripe.failing = [lambda method, path: 503]
    answer = browser.post("/app/plans/quote/pro")
    assert answer.status_code == 422 and "you were not charged" in answer.content.decode()
    assert plan(account) == "free"


def list_paid_products(house: House, id: str) -> list[str]:
    return [row["price"]["metadata"]["product"] for row in house.stripe.subscriptions[id]["rows"]]


def test_a_change_is_valid_if_only_its_new_state_cannot_be_fetched(house: House) -> None:
    account = house.account()
    id = house.buy(account, "quote=pro")
    browser = signed_in(account)
    house.stripe.failing = [lambda method, path: 503 if method == "GET" else 0]
    answer = browser.post("/app/plans/qr/pro", {"once": "a"})
    assert answer.status_code == 303
    assert "was changed in Stripe. The change appears here within a few minutes" in text(browser, "/app/plans")
    assert (list_paid_products(house, id), plan(account, "qr")) == (["quote", "qr"], "free")
    again = browser.post("/app/plans/qr/pro", {"once": "b"})
    assert again.status_code == 422 and "already being changed" in again.content.decode()
    house.stripe.failing.clear()
    house.stripe.events.clear()  # even without events
    house.work()
    assert (list_paid_products(house, id), plan(account, "qr")) == (["quote", "qr"], "pro")


def test_a_change_with_an_unknown_outcome_is_not_called_unchanged(house: House) -> None:
    account = house.account()
    id = house.buy(account, "quote=pro")
    browser = signed_in(account)

    def made_and_lost(method: str, path: str) -> int | None:
        method, path, given, headers = house.stripe.requests[-1]
        house.stripe.handle_request(method, path, given, headers)
        return None if "subscription_items" in path else 0

    house.stripe.failing = [made_and_lost]
    answer = browser.post("/app/plans/qr/pro", {"once": "a"})
    page = answer.content.decode()
    assert answer.status_code == 422 and "if your plan was changed" in page and "was not changed" not in page
    house.stripe.failing.clear()
    house.stripe.events.clear()
    house.work()
    assert (list_paid_products(house, id), plan(account, "qr")) == (["quote", "qr"], "pro")


def test_a_declined_change_does_not_withdraw_a_cancellation(house: House) -> None:
    account = house.account()
    id = house.buy(account, "quote=pro")
    browser = signed_in(account)
    browser.post("/app/plans/quote/free", {"once": "a"})
    assert house.stripe.subscriptions[id]["cancel_at_period_end"]
    house.stripe.declined = True
    answer = browser.post("/app/plans/qr/pro", {"once": "b"})
    assert answer.status_code == 422 and "was not changed" in answer.content.decode()
    assert house.stripe.subscriptions[id]["cancel_at_period_end"]


def test_events_of_the_other_mode_are_ignored(house: House, settings: Any) -> None:
    account = house.account()
    purchase = house.start_checkout(account)
    house.stripe.checkout(purchase.session)
    settings.STRIPE_KEY = KEY.replace("_test_", "_live_")
    house.receive_events(*house.stripe.events)
    house.work()
    assert plan(account) == "free"
    body = house.stripe.events[0]
    answer = Client().post("/hooks/stripe", body, content_type="application/json", headers={"stripe-signature": "t=1"})
    assert answer.status_code == 400
    for odd in (b"[]", b"{}", b"\xff", b'{"id": 1, "type": [], "data": {"object": 3}}'):
        house.receive_events(odd, status=400)
