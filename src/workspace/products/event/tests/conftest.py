"""Guests' addresses of programs, also while the product is not listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from workspace.accounts import plans
from workspace.products import NAMES
from workspace.products.event.product import PRODUCT


@pytest.fixture(autouse=True)
def listed(settings: Any) -> Iterator[None]:
    if "event" in NAMES:
        yield
        return
    before = dict(plans.PRODUCTS)
    plans.register(plans.Product(PRODUCT.key, PRODUCT.title, PRODUCT.about, PRODUCT.path, dict(PRODUCT.plans)))
    settings.ROOT_URLCONF = "workspace.products.event.tests.urls"
    yield
    plans.PRODUCTS.clear()
    plans.PRODUCTS.update(before)
    plans._defaults.cache_clear()


@pytest.fixture
def guest() -> Client:
    return Client(headers={"user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile Safari/604.1"})
