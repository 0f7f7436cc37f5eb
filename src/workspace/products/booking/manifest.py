"""Booking pages: guests book available times, and no time is booked twice."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.booking.api import availability_tools, booking_tools, export_tools, stats_tools, tools
from workspace.products.booking.domain.emails import NOTIFICATIONS
from workspace.products.booking.hooks import demo, live_block, starter_content
from workspace.products.booking.hooks.checkin import CHECKIN_SOURCE
from workspace.products.booking.hooks.payments import VISIT_PURPOSE
from workspace.products.booking.hooks.privacy import PERSONAL_DATA
from workspace.products.booking.hooks.submissions import SUBMISSION_SOURCE
from workspace.products.booking.hooks.takeout import TAKEOUT_TABLES
from workspace.products.booking.hooks.today import TODAY_SOURCE
from workspace.products.booking.models import KIND, BookingPage
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class BookingLimits:
    """The limits of a plan. `services` is per page. None means unlimited."""

    pages: int | None
    services: int | None


PRODUCT = Manifest(
    key=KIND,
    slug="booking",
    title=owner_gettext_noop("Booking pages"),
    noun="booking page",
    short=owner_gettext_noop("Booking"),
    summary=owner_gettext_lazy("Let clients book available times online"),
    public_prefix="/b/",
    icon="book",
    group=ProductGroup.BOOKINGS,
    trades=starter_content.TRADES,
    tab_places={"salon": 1, "studio": 1, "trainer": 1},
    plans={
        "free": Plan(0, BookingLimits(pages=1, services=5)),
        "pro": Plan(12, BookingLimits(pages=None, services=100)),
    },
    tools=tools_from_modules(tools, availability_tools, booking_tools, export_tools, stats_tools),
    models=[BookingPage],
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    search_fields=("name", "description", "place", "services__name", "services__text"),
    first_task=owner_gettext_lazy("Let clients book online"),
    search_words="appointments calendar schedule scheduling reservation clients services availability reminder no-show",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a booking page"), None, "new make appointments schedule"),
        SearchCommand(
            owner_gettext_lazy("Block time"),
            "hours",
            "holiday vacation day off time off closed absence break unavailable",
        ),
        SearchCommand(owner_gettext_lazy("Edit working hours"), "hours", "opening hours availability schedule"),
        SearchCommand(
            owner_gettext_lazy("View bookings"), "", "appointments reschedule cancel approve decline no-show"
        ),
        SearchCommand(owner_gettext_lazy("Add a service"), "edit", "price duration treatment"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    notifications=NOTIFICATIONS,
    payments=[VISIT_PURPOSE],
    uses_calendar=True,
    live_block=(live_block.TITLE, live_block.build_next_time_block),
    submissions=[SUBMISSION_SOURCE],
    checkin=CHECKIN_SOURCE,
    today=TODAY_SOURCE,
)
