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
from workspace.publishing.models import Tally, Words

BAR = 3  # products in the bar of a phone
SETTLED = 3  # products in use, from which on a trade's others need not be shown first
FALLBACK = 4  # products shown to whoever uses none, and has named no trade
MANY = 1000  # things, from which on figures are summed anew only now and then
_REMEMBERED = 600  # seconds: which products are visited most changes slowly
_LATELY = timedelta(days=28)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Usage:
    """`counts`: how many things there are of each kind, `visits` how often these were visited lately. `shown` are the
    products to show first, `bar` those that are used most (`bar.py` says where each stands), `more` the others; all in
    the order of the installation but `bar`, which begins with the one that is used most."""

    counts: dict[str, int]
    shown: list[NavItem]
    bar: list[NavItem]
    more: list[NavItem]
    visits: dict[str, int] = field(default_factory=dict)

    @property
    def has_many(self) -> bool:
        return sum(self.counts.values()) > MANY

    @property
    def groups(self) -> list[tuple[str, list[NavItem]]]:
        """Those shown first, by what people do with them."""
        found: dict[str, list[NavItem]] = {}
        for item in self.shown:
            found.setdefault(item.group, []).append(item)
        return list(found.items())


def usage(account: Account) -> Usage:
    counts = counted(account)
    items = navigation.products()
    first = {item.product for item in items if counts.get(item.product)}
    of_trade = _of_trade(account, items) if len(first) < SETTLED else set()
    has_trade = bool(of_trade)
    first |= of_trade
    first = first or {item.product for item in items[:FALLBACK]}
    visits = visited(account) if counts else {}
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
    return Usage(counts, shown, [*used, *rest][:BAR], rest, visits)


def counted(account: Account) -> dict[str, int]:
    """How many things the account has of each kind; read from an index alone."""
    return dict(Words.objects.filter(account=account).values_list("kind").annotate(count=Count("*")))


def visited(account: Account) -> dict[str, int]:
    """The visits of each kind, of all that was visited lately; remembered for a while."""
    return remembered(f"visited:{account.pk}", lambda: _visited(account))


def remembered(key: str, make: Callable[[], T]) -> T:
    """What was made of it within the last minutes, in this process."""
    found: T | None = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, _REMEMBERED)
    return found


def _visited(account: Account) -> dict[str, int]:
    of_products = Q(pk__in=[])
    for product in publishing_items.manifests():
        of_products |= Q(publication__kind=product.key, event=product.visit)
    tallies = Tally.objects.filter(
        of_products, publication__account=account, part="", last_at__gte=clock.now() - _LATELY
    )
    return dict(tallies.values_list("publication__kind").annotate(sum=Sum("total")))


def _of_trade(account: Account, items: list[NavItem]) -> set[str]:
    trade = Brand.of(account).trade
    return {item.product for item in items if trade and trade in item.trades}
