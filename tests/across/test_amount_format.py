"""Amounts have the same format on all pages and in all text for owners: €35.50."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from workspace.payments.owner_notifications import format_price
from workspace.payments.tools import format_payment
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid
from workspace.testing.samples.booking import create_samples as make_booking

pytestmark = pytest.mark.django_db
CODE_BEHIND = re.compile(r"[0-9] (?:EUR|USD)\b")


def text(api: Api, name: str, **arguments: object) -> str:
    status, body = api.post("call", {"name": name, "arguments": arguments})
    assert status == 200, body
    return str(body["text"])


def test_proposals_and_bookings_format_amounts_alike(api: Api) -> None:
    api.run("svc_account_edit", currency="EUR")
    bid = make_bid(api)
    told = text(api, "svc_bid_get", id=bid["id"])
    assert "€28.50" in told and not CODE_BEHIND.search(told)
    page = make_booking(api)["booking_page"]
    saved = [{"name": "Wedding", "duration": 60, "price": 1035.5}]
    api.run("svc_booking_save_services", page_id=page, items=saved)
    told = text(api, "svc_booking_get", page_id=page)
    assert "€1,035.50" in told and not CODE_BEHIND.search(told)
    client = Client()
    client.force_login(api.account.owner)
    html = client.get(f"/app/booking/{page}/edit").content.decode()
    assert "€1,035.50" in html and not CODE_BEHIND.search(html)


def test_payments_format_amounts_alike() -> None:
    assert format_price(3550, "EUR") == "€35.50"
    row = {"title": "Lunch", "amount": 35.5, "currency": "EUR", "state": "partly_refunded", "refunded": 10.0}
    row |= {"live": True, "refunds": [], "email": "", "problem": "", "at": "", "id": "pay_1"}
    row |= {"paid_at": "", "purpose": "bid.deposit", "subject": "bid_1", "page": ""}
    told = format_payment(row)  # type: ignore[arg-type]
    assert "€35.50" in told and "€10.00" in told


def test_the_services_tab_is_current_on_the_pages_of_a_service(api: Api) -> None:
    made = make_booking(api)
    client = Client()
    client.force_login(api.account.owner)
    home = f"/app/booking/{made['booking_page']}"
    for page in (f"{home}/services/new", f"{home}/services/{made['service']}", f"{home}/edit"):
        html = client.get(page).content.decode()
        [current] = re.findall(r'<a href="([^"]+)" aria-current="page">', html.partition('class="tab-links"')[2])[:1]
        assert current == f"{home}/edit"
