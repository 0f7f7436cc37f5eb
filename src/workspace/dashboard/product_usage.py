"""The products that an account uses, computed from its items. Nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Count, QuerySet

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.mobile_bar import list_bar_items
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.session import SignedInRequest
from workspace.publishing.models import SearchDocument
from workspace.storage.database.compiled_function import compile_once

MIN_SETTLED_PRODUCTS = 3  # products in use, above which products of the trade are no longer promoted
FALLBACK_COUNT = 4  # products shown to an account without items and trade
MANY_ITEMS = 1000  # items; figures of accounts with more are cached
_CACHE_SECONDS = 600


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProductUsage:
    """The usage of products.

    `counts` has the number of items by kind. `main_items` are the products to show first, and `more_items` the others,
    both in the instance's order. `bar_items` are the tabs on phones, which start with the main product of the trade.
    """

    counts: dict[str, int]
    main_items: list[NavItem]
    bar_items: list[NavItem]
    more_items: list[NavItem]

    @property
    def has_many(self) -> bool:
        """True if the account has so many items that figures are cached."""
        return sum(self.counts.values()) > MANY_ITEMS


def get_usage(request: SignedInRequest) -> ProductUsage:
    """Return those parts of the account's usage that the member may see. It is computed once per request."""
    found: ProductUsage | None = getattr(request, "_product_usage", None)
    if found is None:
        found = request._product_usage = compute_usage(request.account)  # type: ignore[attr-defined]
    return found


def compute_usage(account: Account) -> ProductUsage:
    """Compute the usage of an account. Products for its trade come first until the account uses several products."""
    counts = count_items(account)
    items = navigation.list_products()
    first = {item.product for item in items if counts.get(item.product)}
    if len(first) < MIN_SETTLED_PRODUCTS:
        first |= _products_for_trade(account, items)
    first = first or {item.product for item in items[:FALLBACK_COUNT]}
    rest = [item for item in items if item.product not in first]
    shown = [item for item in items if item.product in first]
    return ProductUsage(counts, shown, list_bar_items(account, items), rest)


def count_items(account: Account) -> dict[str, int]:
    """Return the number of items of each kind. Only indexes are read."""
    return dict(_item_counts.fetch(account))


@compile_once
def _item_counts(account: Account) -> QuerySet[Any, Any]:
    counts: QuerySet[Any, Any] = (
        SearchDocument.objects.filter(account=account).values_list("kind").annotate(count=Count("*"))
    )
    return counts


def get_or_compute(key: str, compute: Callable[[], T]) -> T:
    """Return the value if this process cached it in the last few minutes, or else compute it."""
    found: T | None = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, _CACHE_SECONDS)
    return found


def _products_for_trade(account: Account, items: list[NavItem]) -> set[str]:
    trade = Brand.for_account(account).trade
    return {item.product for item in items if trade and trade in item.trades}
