"""What the signed-in shell lists. Rooms above register their own lines in their AppConfig's `ready`, so that the shell
links only to what is there:

    navigation.register(NavItem("QR codes", "/app/qr", "qr", 10, product="qr", summary=count_codes))
    navigation.register_account(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_step(Step("Make your first QR code", "/app/qr/new", 10, done=has_codes))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workspace.accounts import plans
from workspace.accounts.models import Account


@dataclass(frozen=True, slots=True)
class NavItem:
    """A line of the navigation. `url` is a path, `icon` a name in parts/icons, `order` sorts upward. `product` is the
    plan key of the product that it opens; `summary` says in a few words what the account has there (one query);
    `short` is one word for a phone's bar."""

    label: str
    url: str
    icon: str
    order: int
    product: str = ""
    summary: Callable[[Account], str] | None = None
    short: str = ""

    def is_current(self, path: str) -> bool:
        """Whether a page's path is this one or below it."""
        return path == self.url or path.startswith(self.url.rstrip("/") + "/")


@dataclass(frozen=True, slots=True)
class Step:
    """One of the first things to do; `done` tells whether an account has done it (one query)."""

    label: str
    url: str
    order: int
    done: Callable[[Account], bool]


_products: dict[str, NavItem] = {}
_account: dict[str, NavItem] = {}
_steps: dict[str, Step] = {}


def register(item: NavItem) -> None:
    """A product's page. Registering the same address again replaces the line."""
    if item.product and item.product not in plans.PRODUCTS:
        raise ValueError(f"{item.product}: no such product")
    _products[item.url] = item


def register_account(item: NavItem) -> None:
    """A line of the account's menu: settings, keys, connections."""
    _account[item.url] = item


def register_step(step: Step) -> None:
    _steps[step.url] = step


def products() -> list[NavItem]:
    return sorted(_products.values(), key=lambda item: (item.order, item.label))


def account_items() -> list[NavItem]:
    return sorted(_account.values(), key=lambda item: (item.order, item.label))


def steps() -> list[Step]:
    return sorted(_steps.values(), key=lambda step: (step.order, step.label))
