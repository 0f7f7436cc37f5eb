"""Event programs: schedules that guests read on their phones."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.event.api import part_tools, stats_tools, tools
from workspace.products.event.domain.emails import NOTIFICATIONS
from workspace.products.event.hooks import demo, starter_content, todo
from workspace.products.event.hooks.privacy import PERSONAL_DATA
from workspace.products.event.hooks.takeout import TAKEOUT_TABLES
from workspace.products.event.models import KIND, Event
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class EventLimits:
    """The limits of a plan.

    `programs` is the number of programs that may exist, published or not. None means unlimited. `publishes` means that
    publishing costs no credit.
    """

    programs: int | None
    publishes: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="event",
    title=owner_gettext_noop("Event programs"),
    noun="program",
    short=owner_gettext_noop("Programs"),
    summary=owner_gettext_lazy("Event schedules on your guests’ phones"),
    public_prefix="/e/",
    icon="program",
    group=ProductGroup.EVENTS,
    trades=starter_content.TRADES,
    tab_places={"events": 2},
    plans={
        "free": Plan(0, EventLimits(programs=5, publishes=False, history_days=30)),
        "event": Plan(19, EventLimits(programs=20, publishes=True, history_days=120)),
        "pro": Plan(29, EventLimits(programs=None, publishes=True, history_days=400)),
    },
    tools=tools_from_modules(tools, part_tools, stats_tools),
    models=[Event],
    privacy=PERSONAL_DATA,
    takeout=TAKEOUT_TABLES,
    notifications=NOTIFICATIONS,
    search_fields=(
        "title",
        "venue",
        "address",
        "description",
        "sessions__title",
        "sessions__description",
        "speakers__name",
    ),
    first_task=owner_gettext_lazy("Create a program"),
    search_words="schedule agenda conference speakers sessions sponsors timetable",
    commands=[
        SearchCommand(owner_gettext_lazy("Create an event program"), None, "new make schedule agenda conference"),
        SearchCommand(owner_gettext_lazy("Import sessions"), "import", "csv spreadsheet excel upload"),
        SearchCommand(owner_gettext_lazy("Add speakers"), "speakers", "presenter"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    todo=todo.list_todo_items,
)
