"""The totals of a proposal: examples that can be checked by hand, and properties of all offers."""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workspace.products.bid.rules.offer import Offer, OfferLine, Package, Selection, Share, format_number, load_line
from workspace.products.bid.rules.totals import (
    compute_line_total,
    compute_package_total,
    compute_totals,
    distribute_amount,
)

D = Decimal


def build_lines(*pairs: tuple[str, str] | tuple[str, str, bool], **more: Any) -> tuple[OfferLine, ...]:
    return tuple(
        OfferLine(f"l{n}", f"Line {n}", D(pair[0]), D(pair[1]), taxable=pair[2] if len(pair) == 3 else True, **more)
        for n, pair in enumerate(pairs)
    )


def percent(value: str) -> Share:
    return Share("percent", D(value))


def amount(value: str) -> Share:
    return Share("amount", D(value))


# name, offer, then subtotal, discount, tax, total and deposit in cents
VECTORS: list[tuple[str, dict[str, Any], tuple[int | None, ...]]] = [
    (
        "the classic",
        {"lines": build_lines(("2", "50")), "discount": percent("10"), "tax_rate": D("8.5")},
        (10000, 1000, 765, 9765, 0),
    ),
    (
        "an amount off",
        {"lines": build_lines(("1", "8500")), "discount": amount("7500"), "tax_rate": D(19)},
        (850000, 750000, 19000, 119000, 0),
    ),
    ("a plain tax", {"lines": build_lines(("1", "138.66")), "tax_rate": D(19)}, (13866, 0, 2635, 16501, 0)),
    (
        "a tax of three decimals",
        {"lines": build_lines(("1", "8180")), "tax_rate": D("9.975")},
        (818000, 0, 81596, 899596, 0),
    ),
    ("each line is rounded", {"lines": build_lines(*[("0.333", "0.05")] * 3)}, (6, 0, 0, 6, 0)),
    ("half a piece", {"lines": build_lines(("1.5", "33.33"))}, (5000, 0, 0, 5000, 0)),
    (
        "halves go up",
        {"lines": build_lines(("1", "0.05")), "discount": percent("50"), "tax_rate": D(100)},
        (5, 3, 2, 4, 0),
    ),
    (
        "some lines are not taxed",
        {"lines": build_lines(("1", "100"), ("1", "50", False)), "discount": percent("10"), "tax_rate": D(10)},
        (15000, 1500, 900, 14400, 0),
    ),
    (
        "the tax is within",
        {"lines": build_lines(("1", "119")), "discount": percent("10"), "tax_rate": D(19), "tax_inclusive": True},
        (11900, 1190, 1710, 10710, 0),
    ),
    ("a deposit", {"lines": build_lines(("1", "0.05")), "deposit": percent("50")}, (5, 0, 0, 5, 3)),
    ("a deposit is never more", {"lines": build_lines(("1", "10")), "deposit": amount("50")}, (1000, 0, 0, 1000, 1000)),
    ("a discount is never more", {"lines": build_lines(("1", "10")), "discount": amount("50")}, (1000, 1000, 0, 0, 0)),
    (
        "a currency without cents",
        {"lines": build_lines(("1", "99.5")), "currency": "JPY", "tax_rate": D(10)},
        (100, 0, 10, 110, 0),
    ),
    ("a currency of thousandths", {"lines": build_lines(("1", "1.2345")), "currency": "KWD"}, (1235, 0, 0, 1235, 0)),
    ("nothing", {"discount": percent("10"), "tax_rate": D(20), "deposit": percent("50")}, (0, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("offer", "wanted"), [pytest.param(o, w, id=name) for name, o, w in VECTORS])
def test_the_totals_match_the_example(offer: dict[str, Any], wanted: tuple[int, ...]) -> None:
    totals = compute_totals(Offer(**offer))
    assert (totals.subtotal, totals.discount, totals.tax, totals.total, totals.deposit) == wanted
    assert totals.balance == totals.total - totals.deposit


def test_options_and_a_package_count_when_selected() -> None:
    offer = Offer(
        lines=(
            *build_lines(("1", "100")),
            OfferLine("o1", "Album", D(1), D(40), optional=True),
            OfferLine("o2", "Prints", D(1), D(5), optional=True, selected=True),
        ),
        packages=(
            Package("p1", "Half a day", D(200)),
            Package("p2", "A day", D(300)),
            Package("p3", "Two", None, lines=build_lines(("2", "250"))),
        ),
    )
    shown = compute_totals(offer)
    assert (shown.total, shown.total_from, shown.total_to) == (30500, 30000, 64500)
    assert [(line.id, line.is_counted) for line in shown.lines] == [("l0", True), ("o1", False), ("o2", True)]
    assert compute_totals(offer, Selection("p3", frozenset({"o1"}))).total == 64000
    assert compute_totals(offer, Selection(None, frozenset())).total == 10000, "no package is chosen yet"
    recommended = Offer(packages=(Package("p1", "Small", D(1)), Package("p2", "Large", D(9), recommended=True)))
    assert compute_totals(recommended).total == 900


def test_of_equal_remainders_the_earlier_line_gets_the_cent() -> None:
    assert distribute_amount(1, [1, 1, 1]) == [1, 0, 0]
    assert distribute_amount(5, [2, 2, 2]) == [2, 2, 1]


money = st.decimals(D("0"), D("9999.9999"), places=4)
shares = st.none() | st.builds(
    Share, st.sampled_from(["percent", "amount"]), st.decimals(D(0), D(100), places=4), st.just("")
)
some_lines = st.lists(
    st.builds(
        OfferLine,
        id=st.uuids().map(str),
        name=st.just("Line"),
        quantity=st.decimals(D("0.0001"), D(1000), places=4),
        unit_price=money,
        optional=st.booleans(),
        selected=st.booleans(),
        taxable=st.booleans(),
    ),
    max_size=6,
).map(tuple)
packages = st.lists(
    st.builds(Package, id=st.uuids().map(str), name=st.just("Package"), price=money, taxable=st.booleans()), max_size=3
).map(tuple)
offers = st.builds(
    Offer,
    currency=st.sampled_from(["USD", "JPY", "KWD"]),
    lines=some_lines,
    packages=packages,
    discount=shares,
    deposit=shares,
    tax_rate=st.decimals(D(0), D(100), places=4),
    tax_inclusive=st.booleans(),
)


@given(offers)
@settings(max_examples=150, deadline=None)
def test_the_displayed_figures_add_up(offer: Offer) -> None:
    totals = compute_totals(offer)
    assert sum(line.total for line in totals.lines if line.is_counted) + totals.package == totals.subtotal
    assert totals.subtotal - totals.discount + (0 if offer.tax_inclusive else totals.tax) == totals.total
    assert totals.deposit + totals.balance == totals.total
    assert min(totals.discount, totals.tax, totals.deposit, totals.balance) >= 0
    assert totals.total_from <= totals.total <= totals.total_to
    for line, of in zip(totals.lines, offer.lines, strict=True):
        assert line.total == compute_line_total(of, offer.currency)


@given(offers, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_lines_and_packages_does_not_change_the_totals(offer: Offer, random: Any) -> None:
    """Check this for offers in which all lines are taxed, or none is.

    Otherwise the earlier of two equal lines gets the last cent.
    """
    alike = [OfferLine(**{**vars_of(line), "taxable": True}) for line in offer.lines]
    mixed = random.sample(alike, len(alike))
    bought = tuple(Package(package.id, package.name, package.price) for package in offer.packages)
    totals, other = (
        compute_totals(Offer(offer.currency, tuple(results), packed, offer.discount, offer.deposit, offer.tax_rate))
        for results, packed in ((alike, bought), (mixed, bought[::-1]))
    )
    figures = [(t.subtotal, t.discount, t.tax, t.total, t.deposit, t.total_from, t.total_to) for t in (totals, other)]
    assert figures[0] == figures[1]


def vars_of(line: OfferLine) -> dict[str, Any]:
    return {name: getattr(line, name) for name in OfferLine.__slots__}


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_a_distribution_is_complete_and_no_share_exceeds_its_weight(of: int, weights: list[int]) -> None:
    whole = sum(weights)
    if not whole:
        return
    shares = distribute_amount(min(of, whole), weights)
    assert sum(shares) == min(of, whole)
    assert all(0 <= share <= weight for share, weight in zip(shares, weights, strict=True))


def test_numbers_are_stored_as_the_same_text_however_they_were_written() -> None:
    for text, requested in (("12.50", "12.5"), ("100", "100"), ("0.0350", "0.035"), ("1E+2", "100")):
        assert format_number(D(text)) == requested
    assert len({format_number(D(n)) for n in ("1", "1.0", "1.00")}) == 1


def test_a_package_of_lines_costs_the_sum_of_its_rounded_lines() -> None:
    package = Package("p1", "Three", lines=build_lines(*[("0.333", "0.05")] * 3))
    assert compute_package_total(package, "USD") == 6
    assert {compute_package_total(Package("p", "x", lines=order), "USD") for order in permutations(package.lines)} == {
        6
    }


def test_a_stored_line_loads_unchanged() -> None:
    from workspace.products.bid.rules.offer import dump_line

    line = OfferLine("l1", "Work", D("1.5"), D("33.3300"), optional=True, section="Day")
    assert load_line(dump_line(line)) == line
