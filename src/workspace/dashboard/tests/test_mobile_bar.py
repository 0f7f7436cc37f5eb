"""Which products are in the tab bar on phones."""

from __future__ import annotations

import pytest

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard.mobile_bar import list_bar_items
from workspace.dashboard.navigation import NavItem


@pytest.mark.parametrize(
    ("trade", "chosen", "permitted", "tabs"),
    [
        ("", "", "abcde", "abc"),  # the first ones
        ("cafe", "", "abcde", "dba"),  # those of the trade, then the first others
        ("cafe", "", "acde", "dac"),  # without b
        ("shop", "", "abcde", "abc"),  # this trade has no default tabs
        ("cafe", "eca", "abcde", "eca"),  # the owner's choice
        ("cafe", "ec", "abcde", "ec"),  # fewer tabs
        ("cafe", "eca", "abcd", "cab"),  # without e
        ("", "e", "", ""),
    ],
)
def test_tabs_are_chosen_by_the_owner_or_else_by_the_trade(trade: str, chosen: str, permitted: str, tabs: str) -> None:
    account = Account(tab_bar=list(chosen))
    account._state.fields_cache["brand"] = Brand(account=account, trade=trade)
    places = {"d": {"cafe": 1}, "b": {"cafe": 2}}
    products = [
        NavItem(name, f"/app/{name}", name, 1, product=name, tab_places=places.get(name, {})) for name in permitted
    ]
    assert "".join(item.product for item in list_bar_items(account, products)) == tabs
