"""The manifest of a product: everything that other packages need from it, in its `manifest.py`.

A product is therefore one folder and one line in `products/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from typing_extensions import TypedDict

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.delivery.notifications import NotificationKind
from workspace.delivery.webhooks import Event
from workspace.owner_translation import OwnerText
from workspace.payments.purposes import Purpose
from workspace.publishing import live_blocks
from workspace.publishing.checkin import CheckinSource
from workspace.publishing.fast_routes import RedirectResolver
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.submissions import PeopleSource, SubmissionSource
from workspace.publishing.today import TodaySource
from workspace.qr_symbols.style import Style
from workspace.tools.answer import File, StreamedFile
from workspace.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Starter:
    """Starter content: the arguments of a tool call, and the next step for the owner."""

    tool: Tool[Any]
    arguments: Mapping[str, Any]
    next: str


MAX_HISTORY_DAYS = 400  # visits are stored this long; applies if the plan has no lower limit


class ProductGroup(StrEnum):
    """A group of products in the navigation, by purpose."""

    VISIBILITY = "Get found"
    BOOKINGS = "Take bookings"
    PAYMENTS = "Get paid and signed"
    EVENTS = "Run events"


@dataclass(frozen=True, slots=True)
class TodoItem:
    """A to-do: a sentence for the owner, and the page below `/app` where it is done."""

    text: str
    page: str


class MoneyTotal(TypedDict):
    """The amount of the items in one status and currency.

    `recent` and `recent_total` cover the last days.
    """

    status: str
    currency: str
    count: int
    total: float
    recent: int
    recent_total: float


@dataclass(frozen=True, slots=True)
class SearchCommand:
    """A command that the search offers: `Block time`.

    It opens a tab of the newest item or, with `tab=None`, the page for creating an item. `words` are additional words
    that find it.
    """

    title: OwnerText
    tab: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The declaration of a product for other packages.

    Required fields:

    - `key`: name of the product in plans, publications and reports, as in the contract.
    - `slug`: name of its folder, also in its tools (`svc_SLUG_…`), its commands and below `/app`.
    - `title`: name in the plural.
    - `noun`: name of an item in a sentence, such as `link page`.
    - `summary`: what the product is for, in one line.
    - `public_prefix`: path of its public URLs, such as `/c/`.
    - `icon`: a name in `publishing/icons.py`.
    - `group`: its section in the navigation.
    - `plans`: plans with prices and limits, the free one first.
    - `tools`: all tools, in display order.
    - `models`: its published models, the main one first.
    - `privacy`: personal data in each of its tables, and how to find, export and erase it.
    - `search_fields`: searchable fields of an item; fields of parts use double underscores (`sections__items__name`).
      Submissions are not included; they are searched in their own tables.
    - `first_task`: what a new user does first; its page is `/app/SLUG/new`.
    - `demo`: fills an empty account with sample data.
    - `visit_event`: the event that counts as a visit. Default: a page view.

    Optional fields:

    - `search_words`: additional words by which the search finds its page. `commands`: commands that the search offers.
    - `label`, `short`: names in the navigation and in a phone's tab bar. Default: the title.
    - `home_summary`: a short text about an account's items, with one query.
    - `live_block`: title and provider of a block that shows a main item on other pages.
    - `on_live_block_change`: called when a block of another product changes.
    - `fast_redirect`: how the fast path redirects its public URLs.
    - `notifications`: kinds of notification emails to the owner.
    - `events`: events for webhooks.
    - `payments`: purposes of payments.
    - `uses_calendar`: whether its times belong in the owner's calendars.
    - `submissions`: what guests submit, for stats, search, contacts and home.
    - `people`: lists of people that owners manage, for search.
    - `trades`: keys of `brand.models.TRADES` that see the product from the start.
    - `tab_places`: its place in a phone's tab bar, from 1, by trade.
    - `starter`: starter content for a trade, named after the business, or None.
    - `qr_style`: returns the style of a QR code, for codes that have none.
    - `todo`: to-dos for home, with few queries.
    - `today`: what home shows first, such as the next bookings.
    - `money_totals`: amounts of its items, in total and since a given time.
    - `files`: returns a file for `/files/ID`, given the URL's query.
    - `usage`: the amount used by limit, if it is not the number of main items.
    - `checkin`: how it takes part in check-in.
    - `upload_paths`: URL suffixes after the slug where guests can upload files.
    - `takeout`: tables with special rules for export and import.
    """

    key: str
    slug: str
    title: str
    noun: str
    summary: str
    public_prefix: str
    icon: str
    group: ProductGroup
    plans: Mapping[str, Plan]
    tools: Sequence[Tool[Any]]
    models: Sequence[type[PublishedItem]]
    privacy: Sequence[PersonalTable | PersonalText]
    search_fields: Sequence[str]
    first_task: str
    demo: Callable[[Account], None]
    visit_event: str = VIEW_EVENT
    label: str = ""
    short: str = ""
    search_words: str = ""
    commands: Sequence[SearchCommand] = ()
    home_summary: Callable[[Account], str] | None = None
    live_block: tuple[str, live_blocks.Provider] | None = None
    on_live_block_change: live_blocks.Listener | None = None
    fast_redirect: RedirectResolver | None = None
    starter: Callable[[Account, str], Starter | None] | None = None
    qr_style: Callable[[Account, str], tuple[Style, bytes | None] | None] | None = None
    notifications: Sequence[NotificationKind] = ()
    events: Sequence[Event] = ()
    payments: Sequence[Purpose] = ()
    uses_calendar: bool = False
    submissions: Sequence[SubmissionSource] = ()
    people: Sequence[PeopleSource] = ()
    checkin: CheckinSource | None = None
    trades: Collection[str] = ()
    tab_places: Mapping[str, int] = field(default_factory=dict)
    usage: Callable[[Account], Mapping[str, int]] | None = None
    upload_paths: Collection[str] = ()
    takeout: Sequence[TakeoutTable] = ()
    today: TodaySource | None = None
    todo: Callable[[Account], Sequence[TodoItem]] | None = None
    money_totals: Callable[[Account, datetime], Sequence[MoneyTotal]] | None = None
    files: Callable[[Account, str, Mapping[str, str]], File | StreamedFile | None] | None = None

    @property
    def home(self) -> str:
        return f"/app/{self.slug}"

    @property
    def page_title(self) -> str:
        """The title of the product's list, which is also its name in the navigation."""
        return self.label or self.title

    @property
    def visit_label(self) -> str:
        """The label of the product's visits: `Menu views`, `QR code scans`."""
        return f"{self.noun[:1].upper()}{self.noun[1:]} {self.visit_event}s"

    def history_days(self, account: Account) -> int:
        """Return the number of days of statistics that the account's plan shows."""
        return getattr(account.limits(self.key), "history_days", MAX_HISTORY_DAYS)

    def compute_usage(self, account: Account) -> dict[str, int]:
        """Return the account's usage of the limits, keyed by name. Limits that are not counted are omitted."""
        first = next(iter(plans.describe_limits(self.key, account.plan(self.key))), "")
        found = dict(self.usage(account)) if self.usage is not None else {}
        if first and first != "monthly" and first not in found:
            found[first] = self.models[0]._default_manager.filter(account=account).count()
        return found

    def is_used(self, account: Account) -> bool:
        return self.models[0]._default_manager.filter(account=account).exists()

    def format_summary(self, account: Account) -> str:
        """Return a summary such as `3 cards` or the product's own text, or "" if there are no items."""
        if self.home_summary is not None:
            return self.home_summary(account)
        main = self.models[0]
        count = main._default_manager.filter(account=account).count()
        words = main._meta.verbose_name if count == 1 else main._meta.verbose_name_plural
        return f"{count:,} {words}" if count else ""
