"""Which products an account uses, told by what it has and by what guests visit: nothing is written for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Count, Q, Sum

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.lib import clock
from workspace.publishing import items as publishing_items
from workspace.publishing.models import SearchDocument, VisitCounter

BAR_SIZE = 3  # products in the bar of a phone
MIN_SETTLED_PRODUCTS = 3  # products in use, from which on a trade's others need not be shown first
FALLBACK_COUNT = 4  # products shown to whoever uses none, and has named no trade
MANY_ITEMS = 1000  # things, from which on figures are summed anew only now and then
_CACHE_SECONDS = 600  # seconds: which products are visited most changes slowly
_RECENT_PERIOD = timedelta(days=28)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProductUsage:
    """`counts`: how many things there are of each kind, `visits` how often these were visited lately. `main_items` are
    the products to show first, `bar_items` those that are used most (`mobile_bar.py` says where each stands),
    `more_items` the others; all in the order of the installation but `bar_items`, which begins with the one that is
    used most."""

    counts: dict[str, int]
    main_items: list[NavItem]
    bar_items: list[NavItem]
    more_items: list[NavItem]
    visits: dict[str, int] = field(default_factory=dict)

    @property
    def has_many(self) -> bool:
        return sum(self.counts.values()) > MANY_ITEMS

    @property
    def groups(self) -> list[tuple[str, list[NavItem]]]:
        """Those shown first, by what people do with them."""
        found: dict[str, list[NavItem]] = {}
        for item in self.main_items:
            found.setdefault(item.group, []).append(item)
        return list(found.items())


def get_usage(account: Account) -> ProductUsage:
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
        # of what nobody uses yet, that which fewest trades have: a restaurant begins with its menu
        key=lambda item: (
            *(-visits.get(item.product, 0), -counts.get(item.product, 0)),
            *(len(item.trades) if has_trade else 0, item.order),
        ),
    )
    rest = [item for item in items if item.product not in first]
    shown = [item for item in items if item.product in first]
    return ProductUsage(counts, shown, [*used, *rest][:BAR_SIZE], rest, visits)


def count_items(account: Account) -> dict[str, int]:
    """How many things the account has of each kind; read from an index alone."""
    return dict(SearchDocument.objects.filter(account=account).values_list("kind").annotate(count=Count("*")))


def count_visits(account: Account) -> dict[str, int]:
    """The visits of each kind, of all that was visited lately; remembered for a while."""
    return get_cached(f"visited:{account.pk}", lambda: _query_visits(account))


def get_cached(key: str, make: Callable[[], T]) -> T:
    """What was made of it within the last minutes, in this process."""
    found: T | None = cache.get(key)
    if found is None:
        found = make()
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
