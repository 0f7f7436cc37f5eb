"""A product is one folder and one line: what its manifest says is what the rest of the service shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import workspace.products
from workspace.accounts import plans
from workspace.brand.models import TRADES
from workspace.dashboard import navigation
from workspace.interfaces.tool_catalog import CATALOGUE
from workspace.products import COMING, NAMES, manifests
from workspace.publishing import icons, live_blocks
from workspace.publishing.manifest import Manifest

PRODUCTS = [pytest.param(product, id=product.word) for product in manifests()]


def test_every_folder_is_a_product_of_the_list() -> None:
    folders = {path.parent.name for path in Path(workspace.products.__file__).parent.glob("*/manifest.py")}
    assert folders == {*NAMES, *COMING}


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_manifest_agrees_with_its_tools(product: Manifest) -> None:
    assert product.tools
    for tool in product.tools:
        assert (tool.product, tool.product_title) == (product.key, product.title), tool.name
        # the contract has a plural where it lists: svc_forms_list
        assert tool.words[0] in (product.word, f"{product.word}s")
        assert CATALOGUE.by_name[tool.name] is tool


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_manifest_is_told_to_every_room(product: Manifest) -> None:
    known = plans.PRODUCTS[product.key]
    assert (known.title, known.description, known.path) == (product.title, product.about, product.path)
    assert known.is_built and next(iter(known.plans)) == plans.FREE
    assert product.icon in icons.NAMES
    [line] = [item for item in navigation.products() if item.product == product.key]
    assert (line.url, line.icon) == (product.home, product.icon)
    assert (line.group, line.first, line.about) == (product.group, product.first_step, product.about)
    assert {f"{product.home}/new", product.home} <= {place.url for place in navigation.places()}
    assert set(product.trades) <= set(TRADES)
    for arrivals in product.arrivals:
        assert {act.tool for act in arrivals.acts} <= set(product.tools)
    assert (product.key in live_blocks.kinds()) is (product.live is not None)


def test_the_twelve_names_of_the_contract_are_known_before_their_products_are_built() -> None:
    assert list(plans.PRODUCTS)[: len(plans.KEYS)] == list(plans.KEYS)
    for key, product in plans.PRODUCTS.items():
        plans.check_plan(key, product.top)


def test_products_are_shown_in_the_order_of_the_list() -> None:
    assert [item.url for item in navigation.products()] == [product.home for product in manifests()]
