"""The samples of every product. A tool without a sample fails `test_every_tool_has_a_sample`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from workspace.products import PRODUCT_NAMES
from workspace.testing.api import Api
from workspace.testing.samples import accounts as account
from workspace.testing.samples import billing, delivery, payments, support

PRODUCTS: list[Any] = [
    account,
    delivery,
    payments,
    billing,
    support,
    *(import_module(f"workspace.testing.samples.{name}") for name in PRODUCT_NAMES),
]
SAMPLES: dict[str, Callable[[dict[str, str]], dict[str, Any]]] = {}
LISTS: dict[str, Callable[[Api, int], Any]] = {}
for product in PRODUCTS:
    SAMPLES |= product.SAMPLES
    LISTS |= product.LISTS


def things_for(name: str, api: Api) -> dict[str, str]:
    """Return the ids of the items that the sample of a tool needs: one of each kind of its product."""
    for product in PRODUCTS:
        if name in product.SAMPLES:
            made: dict[str, str] = product.create_samples(api)
            return made
    raise LookupError(name)


def things(api: Api) -> dict[str, str]:
    """Create an item of each kind in the account of `api`, and return their ids."""
    made: dict[str, str] = {}
    for product in PRODUCTS:
        made |= product.create_samples(api)
    return made
