"""The samples of every product, one line each. A tool without a sample fails `test_every_tool_has_a_sample`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workspace.accounts.tests import samples as account
from workspace.delivery.tests import samples as delivery
from workspace.products.card.tests import samples as card
from workspace.products.links.tests import samples as links
from workspace.products.menu.tests import samples as menu
from workspace.products.qr.tests import samples as qr
from workspace.products.reviews.tests import samples as reviews
from workspace.testing import Api

PRODUCTS: list[Any] = [
    account,
    delivery,
    qr,
    links,
    reviews,
    menu,
    card,
]
SAMPLES: dict[str, Callable[[dict[str, str]], dict[str, Any]]] = {}
LISTS: dict[str, Callable[[Api, int], Any]] = {}
for product in PRODUCTS:
    SAMPLES |= product.SAMPLES
    LISTS |= product.LISTS


def things(api: Api) -> dict[str, str]:
    """One thing of every kind that ids name, owned by the account of `api`."""
    made: dict[str, str] = {}
    for product in PRODUCTS:
        made |= product.make(api)
    return made
