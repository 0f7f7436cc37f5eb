"""The manifest of seating charts: tables, guests, and how guests find their table."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.seat.api import arrange_tools, bulk_tools, export_tools, tools
from workspace.products.seat.hooks import demo, starter_content
from workspace.products.seat.hooks.checkin import CHECKIN_SOURCE
from workspace.products.seat.hooks.people import PEOPLE_SOURCE
from workspace.products.seat.hooks.privacy import PERSONAL_DATA
from workspace.products.seat.hooks.takeout import TAKEOUT_TABLES
from workspace.products.seat.hooks.todo import list_todo_items
from workspace.products.seat.models import KIND, Chart
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class SeatLimits:
    """The limits of a plan. `guests` is per chart. None means unlimited."""

    guests: int | None


PRODUCT = Manifest(
    key=KIND,
    slug="seat",
    title=owner_gettext_noop("Seating charts"),
    short="Seating",
    noun="seating chart",
    summary="Seating plans, table search and check-in for events",
    public_prefix="/s/",
    icon="seat",
    group=ProductGroup.EVENTS,
    trades=starter_content.TRADES,
    tab_places={"events": 1},
    plans={
        "free": Plan(0, SeatLimits(guests=50)),
        "pro": Plan(12, SeatLimits(guests=500)),
        "business": Plan(29, SeatLimits(guests=None)),
    },
    tools=tools_from_modules(tools, bulk_tools, arrange_tools, export_tools),
    models=[Chart],
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    search_fields=("title", "venue"),
    first_task=owner_gettext_lazy("Create seating chart"),
    search_words="tables wedding guests guest list rsvp banquet place cards",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a seating chart"), None, "new make tables wedding"),
        SearchCommand(owner_gettext_lazy("Add guests to a seating chart"), "guests", "guest list import rsvp"),
        SearchCommand(owner_gettext_lazy("Seat guests automatically"), "arrange", "arrange assign auto-seat"),
        SearchCommand(owner_gettext_lazy("Print place cards"), "print", "name cards table cards"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    checkin=CHECKIN_SOURCE,
    people=[PEOPLE_SOURCE],
    todo=list_todo_items,
)
