"""The products that an account uses, computed from its items and their visits. Nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet, Sum

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.lib import clock
from workspace.publishing import items as publishing_items
from workspace.publishing.models import SearchDocument, VisitCounter
from workspace.storage.database.compiled_function import compile_once

BAR_SIZE = 3  # products in the mobile bar
MIN_SETTLED_PRODUCTS = 3  # products in use, above which products of the trade are no longer promoted
FALLBACK_COUNT = 4  # products shown to an account without items and trade
MANY_ITEMS = 1000  # items; figures of accounts with more are cached
_CACHE_SECONDS = 600  # seconds: the most visited products change slowly
_RECENT_PERIOD = timedelta(days=28)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProductUsage:
    """The usage of products.

    `counts` has the number of items by kind, and `visits` their recent visits. `main_items` are the products to show
    first, `bar_items` the most used ones (`mobile_bar.py` decides their position), and `more_items` the others. All
    have the instance's order, except `bar_items`, which starts with the most used one.
    """

    counts: dict[str, int]
    main_items: list[NavItem]
    bar_items: list[NavItem]
    more_items: list[NavItem]
    visits: dict[str, int] = field(default_factory=dict)

    @property
    def has_many(self) -> bool:
        """True if the account has so many items that figures are cached."""
        return sum(self.counts.values()) > MANY_ITEMS

    @property
    def groups(self) -> list[tuple[str, list[NavItem]]]:
        """The products shown first, grouped by purpose."""
        found: dict[str, list[NavItem]] = {}
        for item in self.main_items:
            found.setdefault(str(item.group), []).append(item)
        return list(found.items())


def get_usage(account: Account) -> ProductUsage:
    """Compute the usage of an account. Products of its trade come first until it uses several."""
    counts = count_items(account)
    items = navigation.list_products()
    first = {item.product for item in items if counts.get(item.product)}
    of_trade = _products_for_trade(account, items) if len(first) < MIN_SETTLED_PRODUCTS else set()
    has_trade = bool(of_trade)
    first |= of_trade
    first = first or {item.product for item in items[:FALLBACK_COUNT]}
    visits = count_visits(account) if counts else {}
    used = sorted(
        (item for item in items if item.product in first),
        # among unused products, the one with the fewest trades comes first: a restaurant starts with its menu
        key=lambda item: (
            *(-visits.get(item.product, 0), -counts.get(item.product, 0)),
            *(len(item.trades) if has_trade else 0, item.order),
        ),
    )
    rest = [item for item in items if item.product not in first]
    shown = [item for item in items if item.product in first]
    return ProductUsage(counts, shown, [*used, *rest][:BAR_SIZE], rest, visits)


def count_items(account: Account) -> dict[str, int]:
    """Return the number of items of each kind, read only from an index."""
    return dict(_item_counts.fetch(account))


@compile_once
def _item_counts(account: Account) -> QuerySet[Any, Any]:
    counts: QuerySet[Any, Any] = (
        SearchDocument.objects.filter(account=account).values_list("kind").annotate(count=Count("*"))
    )
    return counts


def count_visits(account: Account) -> dict[str, int]:
    """Return the recent visits of items by kind. The result is cached."""
    return get_or_compute(f"visited:{account.pk}", lambda: _query_visits(account))


def get_or_compute(key: str, compute: Callable[[], T]) -> T:
    """Return the value cached in this process in the last few minutes, or compute it."""
    found: T | None = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, _CACHE_SECONDS)
    return found


def _query_visits(account: Account) -> dict[str, int]:
    of_products = Q(pk__in=[])
    for product in publishing_items.list_manifests():
        of_products |= Q(publication__kind=product.key, event=product.visit_event)
    tallies = VisitCounter.objects.filter(
        of_products, publication__account=account, detail="", last_visit_at__gte=clock.now() - _RECENT_PERIOD
    )
    return dict(tallies.values_list("publication__kind").annotate(sum=Sum("total")))


def _products_for_trade(account: Account, items: list[NavItem]) -> set[str]:
    trade = Brand.for_account(account).trade
    return {item.product for item in items if trade and trade in item.trades}
