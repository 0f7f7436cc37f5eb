"""A product consists of one folder and one line elsewhere: the rest of the service uses its manifest."""

from __future__ import annotations

from pathlib import Path

import pytest

import workspace.products
from workspace.accounts import plans
from workspace.brand.models import TRADES
from workspace.dashboard import navigation
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES, UPCOMING_NAMES, list_manifests
from workspace.publishing import icons, live_blocks
from workspace.publishing.manifest import Manifest

PRODUCTS = [pytest.param(product, id=product.slug) for product in list_manifests()]


def test_every_folder_is_a_product_of_the_list() -> None:
    folders = {path.parent.name for path in Path(workspace.products.__file__).parent.glob("*/manifest.py")}
    assert folders == {*PRODUCT_NAMES, *UPCOMING_NAMES}


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_manifest_matches_its_tools(product: Manifest) -> None:
    assert product.tools
    for tool in product.tools:
        assert (tool.product, tool.product_title) == (product.key, product.title), tool.name
        # the contract uses the plural for lists: svc_forms_list
        assert tool.name_parts[0] in (product.slug, f"{product.slug}s")
        assert CATALOG.by_name[tool.name] is tool


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_manifest_is_registered_in_every_package(product: Manifest) -> None:
    known = plans.PRODUCTS[product.key]
    assert (known.title, known.description, known.path) == (product.title, product.summary, product.public_prefix)
    assert known.is_built and next(iter(known.plans)) == plans.FREE
    assert product.icon in icons.ICON_NAMES
    [line] = [item for item in navigation.list_products() if item.product == product.key]
    assert (line.url, line.icon) == (product.home, product.icon)
    assert (line.group, line.first_task, line.about) == (product.group, product.first_task, product.summary)
    assert product.home in {place.url for place in navigation.list_searchable_pages()}
    # a command opens the page that creates an item
    assert any(item.url == product.home and command.tab is None for item, command in navigation.list_commands())
    assert set(product.trades) <= set(TRADES)
    for arrivals in product.submissions:
        assert {act.tool for act in arrivals.actions} <= set(product.tools)
    assert (product.key in live_blocks.list_kinds()) is (product.live_block is not None)


def test_the_twelve_names_of_the_contract_are_known_before_their_products_exist() -> None:
    assert list(plans.PRODUCTS)[: len(plans.PRODUCT_KEYS)] == list(plans.PRODUCT_KEYS)
    for key, product in plans.PRODUCTS.items():
        plans.check_plan(key, product.top_plan)


def test_products_are_shown_in_the_order_of_the_list() -> None:
    assert [item.url for item in navigation.list_products()] == [product.home for product in list_manifests()]
