"""Seating charts: who sits where, and how everybody finds their table."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.seat import arrange_tools, demo, example, export_tools, list_tools, tools
from workspace.products.seat.at_door import DOOR
from workspace.products.seat.carried import CARRIED
from workspace.products.seat.erasing import PERSONAL
from workspace.products.seat.models import KIND, Chart
from workspace.products.seat.needs import needs
from workspace.products.seat.people import PEOPLE
from workspace.publishing.manifest import Group, Manifest
from workspace.toolkit.tool import tools_in


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
    trades=example.TRADES,
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
    example=example.example,
    door=DOOR,
    people=[PEOPLE],
    needs=needs,
)
