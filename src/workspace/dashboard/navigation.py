"""The dashboard's navigation.

Packages above register their entries in their AppConfig's `ready`, so that only existing pages are linked:

    navigation.register(NavItem("QR codes", "/app/qr", "qr", 10, product="qr", summary=count_codes))
    navigation.register_account(NavItem("API keys", "/app/keys", "key", 20))
    navigation.register_step(OnboardingStep("AI assistants", "/app/connect", 20, is_done=_is_connected))
    navigation.register_page(SearchablePage("Email notifications", "/app/account/notifications", "alerts"))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account
from workspace.owner_translation import OwnerText
from workspace.publishing.manifest import SearchCommand

SETTINGS, DEVELOPERS = "settings", "developers"  # groups of the account's entries


@dataclass(frozen=True, slots=True)
class NavItem:
    """An entry of the navigation.

    `url` is a path, `icon` a name in parts/icons, and entries are sorted by `order`. `product` is the plan key of the
    product, `group` what people use it for (for entries of the account: SETTINGS, DEVELOPERS or none), and `trades` the
    trades that use it from the first day. `tab_places` contains its place in a phone's tab bar by trade. `summary`
    describes in a few words what the account has there (one query). `short` is one word for the tab bar. `first_task`
    is the first thing to do with it, and `about` its purpose. The search also finds it by its `words`, and offers its
    `commands`. `for_operator` limits it to administrators.
    """

    label: OwnerText
    url: str
    icon: str
    order: int
    product: str = ""
    summary: Callable[[Account], str] | None = None
    short: OwnerText = ""
    group: OwnerText = ""
    trades: Collection[str] = ()
    tab_places: Mapping[str, int] = field(default_factory=dict)
    first_task: OwnerText = ""
    about: OwnerText = ""
    words: str = ""
    commands: Sequence[SearchCommand] = ()
    for_operator: bool = False

    def is_current(self, path: str) -> bool:
        """Return whether a path is the path of this page or is below it."""
        return path == self.url or path.startswith(self.url.rstrip("/") + "/")


@dataclass(frozen=True, slots=True)
class OnboardingStep:
    """One of the first steps on the home page.

    `is_done` returns whether an account has done it (one query). Steps with an `order` below 50 come before printing
    the account's own item, the others last. With `trades`, only accounts of these trades see it; "" means no trade.
    """

    label: OwnerText
    url: str
    order: int
    is_done: Callable[[Account], bool]
    trades: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class SearchablePage:
    """A page that the search finds by its title and its `words`. `is_help` marks a help article."""

    title: OwnerText
    url: str
    words: OwnerText = ""
    is_help: bool = False


_products: dict[str, NavItem] = {}
_account: dict[str, NavItem] = {}
_steps: dict[str, OnboardingStep] = {}
_pages: dict[str, SearchablePage] = {}
_start_page: list[SearchablePage] = []
_help: list[Callable[[str], list[tuple[str, str]]]] = []


def register_product_item(item: NavItem) -> None:
    """Register a product's page. Registering the same URL again replaces the entry."""
    if item.product and item.product not in plans.PRODUCTS:
        raise ValueError(f"No product is called {item.product}")
    _products[item.url] = item


def register_account_item(item: NavItem) -> None:
    """Register an entry of the account menu: settings, keys, connections."""
    _account[item.url] = item


def register_onboarding_step(step: OnboardingStep) -> None:
    _steps[step.url] = step


def register_page(search_page: SearchablePage) -> None:
    """Register a page that the search finds but the navigation does not contain."""
    _pages[search_page.url] = search_page


def register_help_finder(find_articles: Callable[[str], list[tuple[str, str]]]) -> None:
    """Register a function that returns the titles and URLs of help articles about a page, for a given path."""
    _help[:] = [find_articles]


def help_for_page(path: str) -> list[tuple[str, str]]:
    return [one for about in _help for one in about(path)]


def register_start_page(start_page: SearchablePage) -> None:
    """Register the page for setting up an account that has a trade but no items.

    `words` describe what the page creates.
    """
    _start_page[:] = [start_page]


def get_start_page() -> SearchablePage | None:
    return next(iter(_start_page), None)


def list_products() -> list[NavItem]:
    """Return the products that the current member can use (`accounts/permissions.py`)."""
    mine = [item for item in _products.values() if not item.product or permissions.is_permitted(item.product)]
    return sorted(mine, key=lambda item: (item.order, str(item.label)))


def all_product_keys() -> set[str]:
    """Return the keys of all products with a page, whether permitted or not."""
    return {item.product for item in _products.values()}


def list_account_items() -> list[NavItem]:
    return sorted(_account.values(), key=lambda item: (item.order, str(item.label)))


def list_onboarding_steps() -> list[OnboardingStep]:
    return sorted(_steps.values(), key=lambda step: (step.order, str(step.label)))


def list_searchable_pages() -> list[SearchablePage]:
    """Return every page with its own title: products, settings and help."""
    of_products = [SearchablePage(item.label, item.url, item.words) for item in list_products()]
    of_account = [
        SearchablePage(item.label, item.url, item.words) for item in list_account_items() if not item.for_operator
    ]
    home = SearchablePage(gettext("Home"), "/app", "today start dashboard overview")
    known = {place.url: place for place in [home, *of_products, *of_account]}
    return list({**known, **_pages}.values())


def list_commands() -> list[tuple[NavItem, SearchCommand]]:
    """Return the commands that the search offers, and their products."""
    return [(item, command) for item in list_products() for command in item.commands]
