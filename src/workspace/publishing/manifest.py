"""A product's manifest: what all other packages need to know of it, said once, in its `manifest.py`. Who reads it asks
for nothing else of a product, so that a product is one folder and one line in `products/__init__.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
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
from workspace.payments.purposes import Purpose
from workspace.publishing import live_blocks
from workspace.publishing.checkin import CheckinSource
from workspace.publishing.fast_routes import RedirectResolver
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.submissions import PeopleSource, SubmissionSource
from workspace.qr_symbols.style import Style
from workspace.tools.answer import File, StreamedFile
from workspace.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Starter:
    """Something to begin with: what a tool makes of these arguments, and what its owner does next with it."""

    tool: Tool[Any]
    arguments: Mapping[str, Any]
    next: str


MAX_HISTORY_DAYS = 400  # days, where a plan says no less: so long are visits kept


class ProductGroup(StrEnum):
    """What people do with a product, as the navigation says it."""

    VISIBILITY = "Get found"
    BOOKINGS = "Take bookings"
    PAYMENTS = "Get paid and signed"
    EVENTS = "Run events"


@dataclass(frozen=True, slots=True)
class TodoItem:
    """Something that its owner should see to: a sentence, and the page below `/app` where it is done."""

    text: str
    page: str


class MoneyTotal(TypedDict):
    """What its things of one status come to, in one currency; `recent` and `recent_total` are of the last days."""

    status: str
    currency: str
    count: int
    total: float
    recent: int
    recent_total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Of every product:

    key            the contract's name for it: of its plans, its publications, its reports
    slug           its folder's name, also in its tools (`svc_SLUG_…`), its commands and below `/app`
    title          in the plural; `summary` is what it is for, in one line
    noun           what one of its things is, within a sentence: `link page`
    public_prefix  where guests find its things: `/c/`
    icon           a name in `publishing/icons.py`
    group          what people do with it: where it stands in the navigation
    plans          from the free one up, each with its price and its limits
    tools          all of them, in the order in which they are listed
    models         its published models, the main one first
    privacy        what each of its tables holds of people: how one person is found in it, exported and erased
    search_fields  the fields that hold a thing's words, those of its parts with two underscores
                   (`sections__items__name`); nothing that people left, which is searched where it is kept
    first_task     the first thing to do with it, for those who have none; its page is `/app/SLUG/new`
    demo           fills an account that has none with something worth looking at

    visit_event    the event that counts as a visit of one of its things: a page's view where left out

    Where it has them: `label` and `short` (in the navigation and in a phone's bar, the title where left out),
    `home_summary` (what an account has, in a few words, by one query), `live_block` (the title and the maker of a block
    on other pages, of one of the main things), `on_live_block_change` (hears when a block of another product has
    changed), `fast_redirect` (what its addresses lead to), `notifications` (what comes in that its owner is told by
    mail), `events` (what webhooks push), `payments` (what is paid for), `uses_calendar` (whether what it holds is in
    the owner's calendars too), `submissions` (what guests leave, for figures, search, contacts and the news of home),
    `people` (of whom its owner keeps lists, for search), `trades` (the keys of `brand.models.TRADES` that use it from
    the first day, so that a new account sees it), `starter` (what a new account of a trade begins with, named after the
    business; None for trades that have no use of it), `qr_style` (the look of a code, for those without one), `todo`
    (what its owner should see to, on home; few queries), `money_totals` (what its things come to in money, and of which
    since a moment), `files` (what it holds under an id, for `/files/ID`, by what the address asks besides), `usage`
    (how much of a limit is used up, by its name, where that is not the number of its main things), `checkin` (what it
    knows of who stands at the door), `upload_paths` (what follows the slug in its addresses that take files from
    anybody), `takeout` (how its tables go along when an account moves, where they do not go as they stand)."""

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
    usage: Callable[[Account], Mapping[str, int]] | None = None
    upload_paths: Collection[str] = ()
    takeout: Sequence[TakeoutTable] = ()
    todo: Callable[[Account], Sequence[TodoItem]] | None = None
    money_totals: Callable[[Account, datetime], Sequence[MoneyTotal]] | None = None
    files: Callable[[Account, str, Mapping[str, str]], File | StreamedFile | None] | None = None

    @property
    def home(self) -> str:
        return f"/app/{self.slug}"

    @property
    def visit_label(self) -> str:
        """What its visits are called: `Menu views`, `QR code scans`."""
        return f"{self.noun[:1].upper()}{self.noun[1:]} {self.visit_event}s"

    def history_days(self, account: Account) -> int:
        """How many days back the account's plan shows figures."""
        return getattr(account.limits(self.key), "history_days", MAX_HISTORY_DAYS)

    def compute_usage(self, account: Account) -> dict[str, int]:
        """How much of its limits an account uses, by their names. A limit that is not here says what may be, and is not
        counted."""
        first = next(iter(plans.describe_limits(self.key, account.plan(self.key))), "")
        found = dict(self.usage(account)) if self.usage is not None else {}
        if first and first != "monthly" and first not in found:
            found[first] = self.models[0]._default_manager.filter(account=account).count()
        return found

    def is_used(self, account: Account) -> bool:
        return self.models[0]._default_manager.filter(account=account).exists()

    def format_summary(self, account: Account) -> str:
        """`3 cards`, or what the product says of itself; empty for nothing."""
        if self.home_summary is not None:
            return self.home_summary(account)
        main = self.models[0]
        count = main._default_manager.filter(account=account).count()
        words = main._meta.verbose_name if count == 1 else main._meta.verbose_name_plural
        return f"{count:,} {words}" if count else ""
