"""Prices typed by owners in each product: parsed by the country's notation, shown while typing, or asked about."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid
from workspace.testing.samples.booking import create_samples as make_booking
from workspace.testing.samples.menu import create_samples as make_menu

pytestmark = pytest.mark.django_db


@pytest.fixture
def spain(api: Api) -> Api:
    api.run("svc_account_edit", country="ES", currency="EUR")
    return api


@pytest.fixture
def owner(spain: Api) -> Client:
    client = Client()
    client.force_login(spain.account.owner)
    return client


def draft(api: Api) -> tuple[str, str]:
    """Return the id of a proposal without lines, and its page."""
    id = make_bid(api, line_items=[], packages=[], discount={}, deposit={})["id"]
    return id, f"/app/bid/{id}"


def offered(**more: str) -> dict[str, str]:
    """Return the fields of a form with one line."""
    line = {"line_items.0.name": "Buffet", "line_items.0.quantity": "1", "line_items.0.unit_price": "7.800"}
    return {"title": "Wedding", "_has": "line_items", "currency": "EUR", "tax_rate": "", **line, **more}


@pytest.mark.parametrize("text", ["7.800", "7800", "€7800", "€ 7.800", "7.800 €", "7.800,00 €"])
def test_prices_of_a_proposal(text: str, spain: Api, owner: Client) -> None:
    id, page = draft(spain)
    sent = offered(
        **{"line_items.0.unit_price": text, "packages.0.name": "All", "packages.0.price": text},
        **{"discount.value": "1.200", "discount.type": "amount", "deposit.value": "2.400", "deposit.type": "amount"},
    )
    assert owner.post(page, sent).status_code == 303
    found = spain.run("svc_bid_get", id=id)
    assert (found["line_items"][0]["unit_price"], found["packages"][0]["price"]) == (7800, 7800)
    assert (found["discount"]["value"], found["deposit"]["value"]) == (1200, 2400)
    assert found["tax_rate"] == 0, "an empty tax is none"


def test_a_quantity_of_a_proposal(spain: Api, owner: Client) -> None:
    id, page = draft(spain)
    assert owner.post(page, offered(**{"line_items.0.quantity": "1.000"})).status_code == 303
    assert spain.run("svc_bid_get", id=id)["totals"]["total"] == 7_800_000


def test_an_ambiguous_price_becomes_a_question_and_nothing_is_saved(spain: Api, owner: Client) -> None:
    id, page = draft(spain)
    refused = owner.post(page, offered(**{"line_items.0.unit_price": "7,800"}))
    assert refused.status_code == 422
    assert "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800" in refused.content.decode()
    assert spain.run("svc_bid_get", id=id)["line_items"] == []


def test_a_price_with_three_decimals_is_preserved_when_the_form_is_saved_again(spain: Api, owner: Client) -> None:
    id, page = draft(spain)
    spain.run("svc_bid_edit", id=id, line_items=[{"name": "Fuel", "quantity": 2.125, "unit_price": 1.459}])
    html = owner.get(page).content.decode()
    assert 'value="1.4590"' in html and 'value="2.1250"' in html
    sent = offered(**{"line_items.0.unit_price": "1.4590", "line_items.0.quantity": "2.1250"})
    assert owner.post(page, sent).status_code == 303
    [line] = spain.run("svc_bid_get", id=id)["line_items"]
    assert (line["unit_price"], line["quantity"]) == (1.459, 2.125)


def test_lines_pasted_into_a_proposal(spain: Api, owner: Client) -> None:
    id, page = draft(spain)
    owner.post(f"{page}/paste", {"text": "Buffet\t60\t7.800 €\nTent\t€ 1.200"})
    lines = spain.run("svc_bid_get", id=id)["line_items"]
    assert [(one["quantity"], one["unit_price"]) for one in lines] == [(60, 7800), (1, 1200)]
    owner.post(f"{page}/paste", {"text": "Music\t1,250"})
    assert "“Music”: Do you mean €1.25 or €1,250.00?" in owner.get(page).content.decode()
    assert len(spain.run("svc_bid_get", id=id)["line_items"]) == 2


def test_a_line_in_the_library(spain: Api, owner: Client) -> None:
    sent = {"_has": "items", "items.0.name": "Tent", "items.0.unit_price": "1.200 €"}
    assert owner.post("/app/bid/library", sent).status_code == 303
    assert spain.run("svc_bid_library")["items"][0]["unit_price"] == 1200


def test_the_price_of_a_service(spain: Api, owner: Client) -> None:
    page = make_booking(spain)["booking_page"]
    sent = {"name": "Wedding", "duration": "60", "price": "1.200 €", "notice": "120", "horizon": "60"}
    assert owner.post(f"/app/booking/{page}/services/new", sent).status_code == 303
    services = spain.run("svc_booking_get", page_id=page)["page"]["services"]
    assert next(one["price"] for one in services if one["name"] == "Wedding") == 1200


def test_the_price_of_a_dish(spain: Api, owner: Client) -> None:
    made = make_menu(spain)
    spain.run("svc_menu_edit", menu_id=made["menu"], currency="EUR")
    sent = {"name": "Truffle", "price": "€ 1.200"}
    assert owner.post(f"/app/menu/{made['menu']}/sections/{made['section']}/new", sent).status_code == 303
    found = spain.run("svc_menu_items", menu_id=made["menu"])["items"]
    assert next(one["price"] for one in found if one["name"] == "Truffle") == 1200


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("EUR", "7.800", "= €7,800.00"),
        ("EUR-4", "7.800", "= €7,800.00"),
        ("EUR-4", "0,0125", "= €0.0125"),
        ("quantity", "1.000", "= 1,000"),
        ("EUR", "7,800", "Do you mean €7.80 or €7,800.00? Enter 7.80 or 7800"),
        ("EUR", "7,8001", "Use at most 2 decimals"),
    ],
)
def test_the_page_shows_the_parsed_value_while_typing(kind: str, text: str, words: str, owner: Client) -> None:
    assert words in owner.get(f"/app/parse-number/{kind}", {"price": text}).content.decode()


LINES: dict[str, Any] = {"line_items": [{"name": "Buffet", "unit_price": 100}], "packages": []}


def test_a_discount_larger_than_the_prices_is_refused(spain: Api, owner: Client) -> None:
    told = "The discount of €150.00 is higher than the price. Enter at most €100.00"
    with pytest.raises(Exception, match=told):
        spain.run("svc_bid_create", title="Party", discount={"amount": 150}, **LINES)
    id = spain.run("svc_bid_create", title="Party", discount={"amount": 100}, **LINES)["id"]
    with pytest.raises(Exception, match=told):
        spain.run("svc_bid_edit", id=id, discount={"amount": 150})
    with pytest.raises(Exception, match=r"Enter at most €20\.00"):
        spain.run("svc_bid_edit", id=id, line_items=[{"name": "Buffet", "unit_price": 20}])
    sent = offered(**{"line_items.0.unit_price": "100", "discount.value": "150", "discount.type": "amount"})
    refused = owner.post(f"/app/bid/{id}", sent)
    assert refused.status_code == 422 and told in refused.content.decode()
    found = spain.run("svc_bid_get", id=id)
    assert (found["discount"]["value"], found["totals"]["total"]) == (100, 0)


def test_a_discount_can_be_set_before_the_prices(spain: Api) -> None:
    id = spain.run("svc_bid_create", title="Party", discount={"amount": 150})["id"]
    assert spain.run("svc_bid_edit", id=id, title="Another party")["discount"]["value"] == 150
