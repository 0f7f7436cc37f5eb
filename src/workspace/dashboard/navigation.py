"""What the signed-in shell lists. Rooms above register their own lines in their AppConfig's `ready`, so that the shell
links only to what is there:

    navigation.register(NavItem("QR codes", "/app/qr", "qr", 10, product="qr", summary=count_codes))
    navigation.register_account(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_step(Step("Connect an agent", "/app/connect", 20, done=_is_connected))
    navigation.register_page(Place("Mails to you", "/app/account/notifications", "news notifications"))
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account


@dataclass(frozen=True, slots=True)
class NavItem:
    """A line of the navigation. `url` is a path, `icon` a name in parts/icons, `order` sorts upward. `product` is the
    plan key of the product that it opens, `group` what people do with it, `trades` who uses it from the first day;
    `summary` says in a few words what the account has there (one query); `short` is one word for a phone's bar;
    `first_task` is the first thing to do with it, `about` what it is for. `for_operator`: only for who runs the
    installation."""

    label: str
    url: str
    icon: str
    order: int
    product: str = ""
    summary: Callable[[Account], str] | None = None
    short: str = ""
    group: str = ""
    trades: Collection[str] = ()
    first_task: str = ""
    about: str = ""
    for_operator: bool = False

    def is_current(self, path: str) -> bool:
        """Whether a page's path is this one or below it."""
        return path == self.url or path.startswith(self.url.rstrip("/") + "/")


@dataclass(frozen=True, slots=True)
class OnboardingStep:
    """One of the first things to do, on the list of home; `is_done` tells whether an account has done it (one query).
    Those of an `order` below 50 come before the account's own thing is printed, the others last."""

    label: str
    url: str
    order: int
    is_done: Callable[[Account], bool]


@dataclass(frozen=True, slots=True)
class SearchablePage:
    """A page that is found by its title and by further `words` that people look for; `is_help`: it explains."""

    title: str
    url: str
    words: str = ""
    is_help: bool = False


_products: dict[str, NavItem] = {}
_account: dict[str, NavItem] = {}
_steps: dict[str, OnboardingStep] = {}
_pages: dict[str, SearchablePage] = {}
_start_page: list[SearchablePage] = []
_help: list[Callable[[str], list[tuple[str, str]]]] = []


def register(item: NavItem) -> None:
    """A product's page. Registering the same address again replaces the line."""
    if item.product and item.product not in plans.PRODUCTS:
        raise ValueError(f"{item.product}: no such product")
    _products[item.url] = item


def register_account(item: NavItem) -> None:
    """A line of the account's menu: settings, keys, connections."""
    _account[item.url] = item


def register_step(step: OnboardingStep) -> None:
    _steps[step.url] = step


def register_page(place: SearchablePage) -> None:
    """A page that the search finds, beside those of the navigation."""
    _pages[place.url] = place


def register_help(about: Callable[[str], list[tuple[str, str]]]) -> None:
    """Who tells which articles are about a page, by its path: their titles and addresses."""
    _help[:] = [about]


def help_for_page(path: str) -> list[tuple[str, str]]:
    return [one for about in _help for one in about(path)]


def register_start_page(place: SearchablePage) -> None:
    """Where an account that has named its trade, and has nothing yet, is set up; its `words` say what comes of it."""
    _start_page[:] = [place]


def get_start_page() -> SearchablePage | None:
    return next(iter(_start_page), None)


def list_products() -> list[NavItem]:
    """Those in reach of who asks (`accounts/permissions.py`)."""
    mine = [item for item in _products.values() if not item.product or permissions.is_permitted(item.product)]
    return sorted(mine, key=lambda item: (item.order, item.label))


def product_keys() -> set[str]:
    """The products that have a page at all, in reach or not."""
    return {item.product for item in _products.values()}


def list_account_items() -> list[NavItem]:
    return sorted(_account.values(), key=lambda item: (item.order, item.label))


def list_steps() -> list[OnboardingStep]:
    return sorted(_steps.values(), key=lambda step: (step.order, step.label))


def list_pages() -> list[SearchablePage]:
    """Every page that has a title of its own: products, what makes a new thing, settings and help."""
    of_products = [
        place
        for item in list_products()
        for place in (
            SearchablePage(item.label, item.url),
            SearchablePage(item.first_task, f"{item.url}/new", f"new create {item.label}"),
        )
        if place.title
    ]
    of_account = [SearchablePage(item.label, item.url) for item in list_account_items() if not item.for_operator]
    known = {place.url: place for place in [SearchablePage("Home", "/app", "today start"), *of_products, *of_account]}
    return list({**known, **_pages}.values())
