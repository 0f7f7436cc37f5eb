"""Seating charts: who sits where, and how everybody finds their table."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.seat.api import arrange_tools, export_tools, list_tools, tools
from workspace.products.seat.hooks import demo, starter
from workspace.products.seat.hooks.checkin import DOOR
from workspace.products.seat.hooks.people import PEOPLE
from workspace.products.seat.hooks.privacy import PERSONAL
from workspace.products.seat.hooks.takeout import CARRIED
from workspace.products.seat.hooks.todo import needs
from workspace.products.seat.models import KIND, Chart
from workspace.publishing.manifest import Group, Manifest
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class SeatLimits:
    """`guests` of one chart; None is unlimited."""

    guests: int | None


PRODUCT = Manifest(
    key=KIND,
    word="seat",
    title="Seating charts",
    short="Seating",
    noun="seating chart",
    about="Who sits where, and find-my-table",
    path="/s/",
    icon="seat",
    group=Group.EVENTS,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, SeatLimits(guests=50)),
        "pro": Plan(12, SeatLimits(guests=500)),
        "business": Plan(29, SeatLimits(guests=None)),
    },
    tools=tools_in(tools, list_tools, arrange_tools, export_tools),
    things=[Chart],
    carried=CARRIED,
    personal=PERSONAL,
    searched=("title", "venue"),
    first_step="Make your first seating chart",
    demo=demo.fill,
    example=starter.example,
    door=DOOR,
    people=[PEOPLE],
    needs=needs,
)
