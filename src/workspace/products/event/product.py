"""Event programs: what happens when and where, in every guest's hand."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.event import demo, example, figure_tools, needs, part_tools, tools
from workspace.products.event.carried import CARRIED
from workspace.products.event.erasing import PERSONAL
from workspace.products.event.models import KIND, Event
from workspace.products.event.telling import NEWS
from workspace.publishing.manifest import Group, Manifest
from workspace.toolkit.tool import tools_in


@dataclass(frozen=True, slots=True)
class EventLimits:
    """`programs`: at once, published or not. `publishes`: whether that takes no credit. None is unlimited."""

    programs: int | None
    publishes: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="event",
    title="Event programs",
    noun="program",
    short="Programs",
    about="The program in every guest's hand",
    path="/e/",
    icon="program",
    group=Group.EVENTS,
    trades=example.TRADES,
    plans={
        "free": Plan(0, EventLimits(programs=5, publishes=False, history_days=30)),
        "event": Plan(19, EventLimits(programs=20, publishes=True, history_days=120)),
        "pro": Plan(29, EventLimits(programs=None, publishes=True, history_days=400)),
    },
    tools=tools_in(tools, part_tools, figure_tools),
    things=[Event],
    personal=PERSONAL,
    carried=CARRIED,
    news=NEWS,
    searched=("title", "venue", "address", "description", "sessions__title", "sessions__description", "speakers__name"),
    first_step="Put your program in every hand",
    demo=demo.fill,
    example=example.example,
    needs=needs.needs,
)
