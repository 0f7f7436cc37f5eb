"""A product's manifest: what all other rooms need to know of it, said once, in its `product.py`. Who reads it asks for
nothing else of a product, so that a product is one folder and one line in `products/__init__.py`."""

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
from workspace.accounts.privacy.data_subjects import Held, Trail
from workspace.accounts.takeout.tables import Carried
from workspace.delivery.notifications import Kind
from workspace.delivery.webhooks import Event
from workspace.payments.purposes import Purpose
from workspace.publishing import live_blocks
from workspace.publishing.checkin import Door
from workspace.publishing.fast_routes import Redirect
from workspace.publishing.models import Published
from workspace.publishing.models.visit import VIEW
from workspace.publishing.submissions import Arrivals, People
from workspace.qr_symbols.style import Style
from workspace.tools.answer import File, Pieces
from workspace.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Example:
    """Something to begin with: what a tool makes of these arguments, and what its owner does next with it."""

    tool: Tool[Any]
    arguments: Mapping[str, Any]
    next: str


MOST_HISTORY = 400  # days, where a plan says no less: so long are visits kept


class Group(StrEnum):
    """What people do with a product, as the navigation says it."""

    FOUND = "Get found"
    BOOKED = "Take bookings"
    SIGNED = "Get paid and signed"
    EVENTS = "Run events"


@dataclass(frozen=True, slots=True)
class Need:
    """Something that its owner should see to: a sentence, and the page below `/app` where it is done."""

    text: str
    page: str


class Worth(TypedDict):
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

    key         the contract's name for it: of its plans, its publications, its reports
    word        its folder's name, also in its tools (`svc_WORD_…`), its commands and below `/app`
    title       in the plural; `about` is what it is for, in one line
    noun        what one of its things is, within a sentence: `link page`
    path        where guests find its things: `/c/`
    icon        a name in `publishing/icons.py`
    group       what people do with it: where it stands in the navigation
    plans       from the free one up, each with its price and its limits
    tools       all of them, in the order in which they are listed
    things      its published models, the main one first
    personal    what each of its tables holds of people: how one person is found in it, exported and erased
    searched    the fields that hold a thing's words, those of its parts with two underscores (`sections__items__name`);
                nothing that people left, which is searched where it is kept
    first_step  the first thing to do with it, for those who have none; its page is `/app/WORD/new`
    demo        fills an account that has none with something worth looking at

    visit       the event that counts as a visit of one of its things: a page's view where left out

    Where it has them: `label` and `short` (in the navigation and in a phone's bar, the title where left out), `summary`
    (what an account has, in a few words, by one query), `live` (the title and the maker of a block on other pages, of
    one of the main things), `shows_live` (hears when a block of another product has changed), `fast` (what its
    addresses lead to), `news` (what comes in that its owner is told by mail), `events` (what webhooks push),
    `payments` (what is paid for), `takes_time` (whether what it holds is in the owner's calendars too), `arrivals`
    (what guests leave, for figures, search, contacts and the news of home), `people` (of whom its owner keeps lists,
    for search), `trades` (the keys of `brand.models.TRADES` that use it from the first day, so that a new account sees
    it), `example` (what a new account of a trade begins
    with, named after the business; None for trades that have no use of it), `code_look` (the look of a code, for those
    without one), `needs` (what its owner should see to, on home; few queries), `worth` (what its
    things come to in money, and of which since a moment), `files` (what it holds under an id, for `/files/ID`, by what
    the address asks besides), `used` (how much of a limit is used up, by its name, where that is not the
    number of its main things), `door` (what it knows of who stands at the door), `guests_send_files` (what follows the
    slug in its addresses that take files from anybody), `carried` (how its tables go along when an account moves, where
    they do not go as they stand)."""

    key: str
    word: str
    title: str
    noun: str
    about: str
    path: str
    icon: str
    group: Group
    plans: Mapping[str, Plan]
    tools: Sequence[Tool[Any]]
    things: Sequence[type[Published]]
    personal: Sequence[Held | Trail]
    searched: Sequence[str]
    first_step: str
    demo: Callable[[Account], None]
    visit: str = VIEW
    label: str = ""
    short: str = ""
    summary: Callable[[Account], str] | None = None
    live: tuple[str, live_blocks.Provider] | None = None
    shows_live: live_blocks.Listener | None = None
    fast: Redirect | None = None
    example: Callable[[Account, str], Example | None] | None = None
    code_look: Callable[[Account, str], tuple[Style, bytes | None] | None] | None = None
    news: Sequence[Kind] = ()
    events: Sequence[Event] = ()
    payments: Sequence[Purpose] = ()
    takes_time: bool = False
    arrivals: Sequence[Arrivals] = ()
    people: Sequence[People] = ()
    door: Door | None = None
    trades: Collection[str] = ()
    used: Callable[[Account], Mapping[str, int]] | None = None
    guests_send_files: Collection[str] = ()
    carried: Sequence[Carried] = ()
    needs: Callable[[Account], Sequence[Need]] | None = None
    worth: Callable[[Account, datetime], Sequence[Worth]] | None = None
    files: Callable[[Account, str, Mapping[str, str]], File | Pieces | None] | None = None

    @property
    def home(self) -> str:
        return f"/app/{self.word}"

    @property
    def visits(self) -> str:
        """What its visits are called: `Menu views`, `QR code scans`."""
        return f"{self.noun[:1].upper()}{self.noun[1:]} {self.visit}s"

    def history(self, account: Account) -> int:
        """How many days back the account's plan shows figures."""
        return getattr(account.limits(self.key), "history_days", MOST_HISTORY)

    def uses(self, account: Account) -> dict[str, int]:
        """How much of its limits an account uses, by their names. A limit that is not here says what may be, and is not
        counted."""
        first = next(iter(plans.describe_limits(self.key, account.plan(self.key))), "")
        found = dict(self.used(account)) if self.used is not None else {}
        if first and first != "monthly" and first not in found:
            found[first] = self.things[0]._default_manager.filter(account=account).count()
        return found

    def is_used(self, account: Account) -> bool:
        return self.things[0]._default_manager.filter(account=account).exists()

    def summed_up(self, account: Account) -> str:
        """`3 cards`, or what the product says of itself; empty for nothing."""
        if self.summary is not None:
            return self.summary(account)
        main = self.things[0]
        count = main._default_manager.filter(account=account).count()
        words = main._meta.verbose_name if count == 1 else main._meta.verbose_name_plural
        return f"{count:,} {words}" if count else ""
