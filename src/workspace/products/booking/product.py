"""Booking pages: guests book a free time by themselves, and nobody is booked twice."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.booking import booking_tools, demo, example, export_tools, figure_tools, live, time_tools, tools
from workspace.products.booking.arriving import ARRIVALS
from workspace.products.booking.at_door import DOOR
from workspace.products.booking.carried import CARRIED
from workspace.products.booking.erasing import PERSONAL
from workspace.products.booking.mailing import NEWS
from workspace.products.booking.models import KIND, BookingPage
from workspace.products.booking.paid import VISITS
from workspace.publishing.manifest import Group, Manifest
from workspace.toolkit.tool import tools_in


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
    trades=example.TRADES,
    plans={
        "free": Plan(0, BookingLimits(pages=1, services=5)),
        "pro": Plan(12, BookingLimits(pages=None, services=100)),
    },
    tools=tools_in(tools, time_tools, booking_tools, export_tools, figure_tools),
    things=[BookingPage],
    carried=CARRIED,
    personal=PERSONAL,
    searched=("name", "description", "place", "services__name", "services__text"),
    first_step="Let clients book a time",
    demo=demo.fill,
    example=example.example,
    news=NEWS,
    payments=[VISITS],
    takes_time=True,
    live=(live.TITLE, live.next_free),
    arrivals=[ARRIVALS],
    door=DOOR,
)
