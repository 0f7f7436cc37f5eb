"""Pasted rows become lines of a proposal. Rows that cannot be parsed are reported and stay in the field."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.bid.dashboard.pasted_lines import parse_rows
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_bid


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("Mantel 12,50", "ES", [("Mantel", 12.5)]),
        ("Mantel 12,50\nDJ 1.500,00", "ES", [("Mantel", 12.5), ("DJ", 1500)]),
        ("Catering 7,800", "US", [("Catering", 7800)]),
        ("Catering 7.800", "ES", [("Catering", 7800)]),
        ("Luces € 1.200\nCarpa ..... 900,-", "ES", [("Luces", 1200), ("Carpa", 900)]),
        ("DJ 1500\nMantel 12,50", "ES", [("DJ", 1500), ("Mantel", 12.5)]),
        ("Mesa 4, blanca 12,50\nSilla 3", "ES", [("Mesa 4, blanca", 12.5), ("Silla", 3)]),
        ("Silla 12,50 € por día", "ES", [("Silla", 12.5)]),
        ("Tab\t12,50\nNo tab 28,50", "ES", [("Tab", 12.5), ("No tab", 28.5)]),
        ("No tab 28,50\nTab\t12,50", "ES", [("No tab", 28.5), ("Tab", 12.5)]),
        ("Mantel;12,50\nDJ; de noche 900", "ES", [("Mantel", 12.5), ("DJ; de noche", 900)]),
        ('Mantel,"12,50"\nSilla,3', "ES", [("Mantel", 12.5), ("Silla", 3)]),
        ("Item,Price\nTable 4,12\nChair,5.50", "US", [("Table 4", 12), ("Chair", 5.5)]),
        ("Buffet,60,28.50\nTent,2,95.00", "US", [("Buffet", 28.5), ("Tent", 95)]),
        ('"Menu\nof two"\t12,50', "ES", [("Menu of two", 12.5)]),
    ],
)
def test_the_price_of_a_row_is_found(text: str, country: str, expected: list[tuple[str, float]]) -> None:
    lines = parse_rows(text, "USD" if country == "US" else "EUR", country)
    assert [(line["name"], line["unit_price"]) for line in lines.lines] == expected
    assert lines.rejected_rows == []


@pytest.mark.parametrize(
    "row",
    [
        "Music, to be agreed",
        "Table for 4 people",
        "Open until 23:30",
        "Music 1,250",
        "Catering 1 234,50",
        "Discount -50",
        "Discount\t1\t-50",
        "Buffet,12,50",
        "12,50",
        "x" * 3000 + " 5",
    ],
)
def test_a_row_without_a_clear_price_is_reported_by_its_text(row: str) -> None:
    lines = parse_rows(f"{row}", "EUR", "ES")
    assert (lines.lines, lines.rejected_rows) == ([], [row])
    assert row.split()[0][:20] in lines.problems[0]


@pytest.mark.django_db
def test_rows_that_are_not_added_return_to_the_field(api: Api) -> None:
    api.run("svc_account_edit", country="ES", currency="EUR")
    owner, bid = Client(), make_bid(api, line_items=[], packages=[], discount={}, deposit={})
    owner.force_login(api.account.owner)
    page = f"/app/bid/{bid['id']}"
    owner.post(f"{page}/paste", {"text": "Mantel 12,50\nFlores a convenir\nDJ 1.500,00"})
    lines = api.run("svc_bid_get", id=bid["id"])["line_items"]
    assert [(line["name"], line["unit_price"]) for line in lines] == [("Mantel", 12.5), ("DJ", 1500)]
    html = owner.get(page).content.decode()
    assert "2 lines added." in html and "1 row wasn’t added. “Flores a convenir”: This row has no price" in html
    assert "\nFlores a convenir</textarea>" in html and 'pl-paste" open' in html
    assert "Flores a convenir" not in owner.get(page).content.decode()


@pytest.mark.django_db
def test_a_rejected_paste_stays_in_the_field(api: Api) -> None:
    owner, bid = Client(), make_bid(api, line_items=[], packages=[], discount={}, deposit={})
    owner.force_login(api.account.owner)
    text = f"Mantel 12,50\n{'long ' * 100}\t5"
    owner.post(f"/app/bid/{bid['id']}/paste", {"text": text})
    assert api.run("svc_bid_get", id=bid["id"])["line_items"] == []
    assert f"{text}</textarea>" in owner.get(f"/app/bid/{bid['id']}").content.decode()
