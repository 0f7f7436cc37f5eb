"""Event programs: what happens when and where, in every guest's hand."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.event.api import part_tools, stats_tools, tools
from workspace.products.event.domain.emails import NEWS
from workspace.products.event.hooks import demo, starter, todo
from workspace.products.event.hooks.privacy import PERSONAL
from workspace.products.event.hooks.takeout import CARRIED
from workspace.products.event.models import KIND, Event
from workspace.publishing.manifest import Group, Manifest
from workspace.tools.tool import tools_in


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
    trades=starter.TRADES,
    plans={
        "free": Plan(0, EventLimits(programs=5, publishes=False, history_days=30)),
        "event": Plan(19, EventLimits(programs=20, publishes=True, history_days=120)),
        "pro": Plan(29, EventLimits(programs=None, publishes=True, history_days=400)),
    },
    tools=tools_in(tools, part_tools, stats_tools),
    things=[Event],
    personal=PERSONAL,
    carried=CARRIED,
    news=NEWS,
    searched=("title", "venue", "address", "description", "sessions__title", "sessions__description", "speakers__name"),
    first_step="Put your program in every hand",
    demo=demo.fill,
    example=starter.example,
    needs=todo.needs,
)
