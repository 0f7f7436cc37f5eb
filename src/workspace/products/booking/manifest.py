"""Booking pages: guests book a free time by themselves, and nobody is booked twice."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.booking.api import availability_tools, booking_tools, export_tools, stats_tools, tools
from workspace.products.booking.domain.emails import NEWS
from workspace.products.booking.hooks import demo, live_block, starter
from workspace.products.booking.hooks.checkin import DOOR
from workspace.products.booking.hooks.payments import VISITS
from workspace.products.booking.hooks.privacy import PERSONAL
from workspace.products.booking.hooks.submissions import ARRIVALS
from workspace.products.booking.hooks.takeout import CARRIED
from workspace.products.booking.models import KIND, BookingPage
from workspace.publishing.manifest import Group, Manifest
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class BookingLimits:
    """`services`: of one page. None is unlimited."""

    pages: int | None
    services: int | None


PRODUCT = Manifest(
    key=KIND,
    word="booking",
    title="Booking pages",
    noun="booking page",
    short="Booking",
    about="Clients book a free time by themselves",
    path="/b/",
    icon="clock",
    group=Group.BOOKED,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, BookingLimits(pages=1, services=5)),
        "pro": Plan(12, BookingLimits(pages=None, services=100)),
    },
    tools=tools_in(tools, availability_tools, booking_tools, export_tools, stats_tools),
    things=[BookingPage],
    carried=CARRIED,
    personal=PERSONAL,
    searched=("name", "description", "place", "services__name", "services__text"),
    first_step="Let clients book a time",
    demo=demo.fill,
    example=starter.example,
    news=NEWS,
    payments=[VISITS],
    takes_time=True,
    live=(live_block.TITLE, live_block.next_free),
    arrivals=[ARRIVALS],
    door=DOOR,
)
