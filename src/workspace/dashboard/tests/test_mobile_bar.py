"""Which products are in the mobile bar, and when they change."""

from __future__ import annotations

import pytest

from workspace.dashboard.mobile_bar import choose_bar_products
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import ProductUsage


def used(bar: str, counts: dict[str, int], visits: dict[str, int]) -> ProductUsage:
    items = [NavItem(name, f"/app/{name}", name, 1, product=name) for name in bar]
    return ProductUsage(counts, items, items, [], visits)


@pytest.mark.parametrize(
    ("before", "bar", "visits", "is_new_day", "now"),
    [
        ("", "abc", {}, True, "abc"),
        ("abc", "cab", {"c": 9}, True, "abc"),  # whatever the order by usage
        ("abc", "abd", {"d": 5, "c": 4}, True, "abc"),  # not clearly more
        ("abc", "abd", {"d": 7, "c": 4}, True, "abd"),
        ("abc", "dab", {"d": 70, "c": 4}, True, "abd"),  # in the position of the product that leaves
        ("abc", "abd", {"d": 70, "c": 4}, False, "abc"),  # not within the day
        ("abx", "abd", {}, False, "abd"),  # x has no items
        ("axy", "dea", {}, False, "aed"),  # the last position first
        ("abx", "aby", {}, True, "abx"),  # nor has y
    ],
)
def test_products_keep_their_position(
    before: str, bar: str, visits: dict[str, int], is_new_day: bool, now: str
) -> None:
    counts = dict.fromkeys("abcde", 1)
    assert "".join(choose_bar_products(list(before), used(bar, counts, visits), is_new_day=is_new_day)) == now
