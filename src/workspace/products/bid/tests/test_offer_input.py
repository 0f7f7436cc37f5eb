"""Input for lines, packages, discounts and deposits.

Synonyms of keys are accepted. All errors are reported at once, at the caller's paths."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from workspace.products.bid.rules.offer import Share, format_number
from workspace.products.bid.rules.offer_input import parse_lines, parse_packages, parse_share

FINE: list[tuple[dict[str, Any], str, str, str]] = [  # a line, then its name, quantity and price
    ({"name": "Work", "unit_price": 50}, "Work", "1", "50"),
    ({"title": "Work", "qty": 2, "price": "1,250.00"}, "Work", "2", "1250"),
    ({"item": "Work", "count": 1.5, "rate": "$33.33"}, "Work", "1.5", "33.33"),
    ({"label": "Work", "unit_cost": "1250"}, "Work", "1", "1250"),
    ({"description": "Work", "cost": 0.035}, "Work", "1", "0.035"),
    ({"name": "Work", "amount": 9.99}, "Work", "1", "9.99"),
    ({"name": "Work", "quantity": 1, "amount": "€ 10"}, "Work", "1", "10"),
    ({"name": "Work", "qty": 2, "quantity": 2.0, "price": 5, "unit_price": "5.00"}, "Work", "2", "5"),
    ({"name": "Work", "quantity": 2, "unit_price": 50, "total": 100}, "Work", "2", "50"),
    ({"name": "Free", "unit_price": 0, "unit": None}, "Free", "1", "0"),
]


@pytest.mark.parametrize(("given", "name", "quantity", "price"), FINE)
def test_synonyms_are_accepted(given: dict[str, Any], name: str, quantity: str, price: str) -> None:
    [line], issues = parse_lines([given])
    assert not issues
    assert line.unit_price is not None
    assert (line.name, format_number(line.quantity), format_number(line.unit_price)) == (name, quantity, price)


LINE = {"name": "Work", "unit_price": 50}
WRONG: list[tuple[Any, list[tuple[str, str]]]] = [
    ({}, [("0.name", "Required"), ("0.unit_price", "Required")]),
    ("Work", [("0", "Expected an object")]),
    ({**LINE, "unit_price": "12,50"}, [("0.unit_price", "decimal point: 12.50")]),
    ({**LINE, "unit_price": "1.250,00"}, [("0.unit_price", "decimal point: 1250.00")]),
    ({"name": "Work", "price": "a lot"}, [("0.price", "Enter an amount")]),
    ({"name": "Work", "rate": -5}, [("0.rate", "Use discount")]),
    ({"name": "Work", "rate": "-5.00"}, [("0.rate", "Use discount")]),
    ({**LINE, "unit_price": 10_000_000}, [("0.unit_price", "at most 9,999,999.99")]),
    ({**LINE, "unit_price": 0.00001}, [("0.unit_price", "at most 4 decimals")]),
    ({**LINE, "unit_price": True}, [("0.unit_price", "Enter an amount")]),
    ({**LINE, "qty": "2"}, [("0.qty", "Enter a number")]),
    ({**LINE, "qty": 0}, [("0.qty", "above 0")]),
    ({**LINE, "count": 1_000_001}, [("0.count", "at most 1,000,000")]),
    ({**LINE, "price": 60}, [("0.price", "This differs from unit_price. Pass only one of them")]),
    ({"name": "Work", "amount": 60, "price": 50}, [("0.price", "This differs from amount")]),
    ({"name": "Work", "quantity": 2, "amount": 60}, [("0.amount", "For other quantities, use unit_price")]),
    ({**LINE, "quantity": 2, "total": 90}, [("0.total", "90.00 is incorrect: 2 × 50.00 = 100.00")]),
    ({**LINE, "selected": True}, [("0.selected", "Only optional lines")]),
    ({**LINE, "color": "red"}, [("0.color", "Unknown key: a line accepts name, description")]),
    ({**LINE, "name": "x" * 201}, [("0.name", "Use at most 200 characters")]),
    ({**LINE, "name": "a\nb"}, [("0.name", "one line")]),
    ({**LINE, "id": "a b"}, [("0.id", "letters, digits")]),
]


@pytest.mark.parametrize(("given", "wanted"), WRONG)
def test_errors_of_a_line_are_reported_at_its_path(given: Any, wanted: list[tuple[str, str]]) -> None:
    _, issues = parse_lines([given])
    assert [issue.path for issue in issues] == [path for path, _ in wanted]
    for issue, (_, words) in zip(issues, wanted, strict=True):
        assert words in issue.message


def test_all_errors_are_reported_at_once() -> None:
    _, issues = parse_lines([LINE, {"name": "", "price": "12,50"}, {"qty": 0, "x": 1}])
    told = {issue.path for issue in issues}
    assert told == {"1.name", "1.price", "2.name", "2.qty", "2.unit_price", "2.x"}


def test_lines_retain_their_ids_and_new_lines_get_the_next() -> None:
    lines, issues = parse_lines([{**LINE, "id": "l4"}, LINE, {**LINE, "id": "own"}, LINE])
    assert not issues
    assert [line.id for line in lines] == ["l4", "l5", "own", "l6"]
    _, issues = parse_lines([{**LINE, "id": "a"}, {**LINE, "id": "a"}])
    assert [issue.path for issue in issues] == ["1.id"]
    assert [issue.path for issue in parse_lines([LINE] * 501)[1]] == [""]


def test_packages_have_a_price_or_lines_that_add_up_to_it() -> None:
    packages, issues = parse_packages(
        [
            {"name": "Small", "price": "1,000", "features": ["One", "Two"]},
            {"title": "Large", "items": [{"name": "Day", "qty": 2, "price": 700}], "popular": True},
            {"name": "All in", "amount": 2000, "line_items": [{"name": "Day", "quantity": 3}]},
        ]
    )
    assert not issues
    assert [package.price for package in packages] == [Decimal(1000), None, Decimal(2000)]
    assert packages[1].recommended and packages[2].lines[0].unit_price is None
    _, issues = parse_packages(
        [
            {"name": "A", "price": 1, "popular": True},
            {"name": "B"},
            {"name": "C", "price": 1, "highlighted": True},
            {"price": 5, "line_items": [{"name": "x", "price": 3}]},
            {"name": "D", "line_items": [{"name": "x", "unit_price": 3, "optional": True}], "total": 4},
            {"name": "E", "line_items": []},
        ]
    )
    assert {issue.path for issue in issues} == {
        "1.price",
        "2.highlighted",
        "3.name",
        "3.line_items.0.price",
        "4.line_items.0.optional",
        "4.total",
        "5.price",
    }


SHARES: list[tuple[Any, Share | None]] = [
    ({"type": "percent", "value": 10, "label": "Spring"}, Share("percent", Decimal(10), "Spring")),
    ({"type": "percentage", "value": 9.975}, Share("percent", Decimal("9.975"))),
    ({"type": "fixed", "value": "$50.00"}, Share("amount", Decimal(50))),
    ({"type": "flat", "value": 50}, Share("amount", Decimal(50))),
    ({"percent": 10}, Share("percent", Decimal(10))),
    ({"amount": "1,000"}, Share("amount", Decimal(1000))),
    ({}, None),
]


@pytest.mark.parametrize(("given", "wanted"), SHARES)
def test_a_discount_or_a_deposit_can_be_written_in_two_ways(given: Any, wanted: Share | None) -> None:
    share, issues = parse_share(given)
    assert (share, list(issues)) == (wanted, [])


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"percent": 10, "amount": 5}, "", "only one of percent, amount"),
        ({"percent": 10, "value": 5}, "", "only one of percent, value"),
        ({"type": "percent"}, "value", "Required"),
        ({"value": 5}, "type", "percent or amount"),
        ({"type": "much", "value": 5}, "type", "percent or amount"),
        ({"percent": 101}, "percent", "0 to 100"),
        ({"percent": "10"}, "percent", "Enter a percentage"),
        ({"type": "percent", "value": 1.23456}, "value", "4 decimals"),
        ({"amount": "12,50"}, "amount", "decimal point: 12.50"),
        ({"type": "amount", "percent": 5}, "type", "differs from percent"),
        ({"percent": 5, "x": 1}, "x", "Unknown key"),
        (5, "", "Expected an object"),
    ],
)
def test_an_invalid_discount_is_reported_at_its_path(given: Any, path: str, words: str) -> None:
    _, [issue] = parse_share(given)
    assert issue.path == path and words in issue.message
