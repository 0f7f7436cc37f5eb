"""Forms: what guests are asked, with logic, whose answers arrive in one place."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from workspace.accounts.plans import Plan
from workspace.products.form.api import response_tools, serializers, tools
from workspace.products.form.domain import downloads, queries
from workspace.products.form.domain.closing_notices import CLOSED
from workspace.products.form.domain.emails import RESPONSES
from workspace.products.form.domain.submissions import came_this_month
from workspace.products.form.domain.webhook_events import ANSWERED
from workspace.products.form.hooks import demo, starter
from workspace.products.form.hooks.privacy import PERSONAL
from workspace.products.form.hooks.takeout import CARRIED
from workspace.products.form.models import KIND, Form
from workspace.public_site.active_frame import PART
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.submissions import Act, Arrivals
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class FormLimits:
    """`monthly`: responses of a month that are shown; what comes beyond them is kept. None is unlimited."""

    forms: int | None
    monthly: int | None
    webhooks: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="form",
    title="Forms",
    noun="form",
    about="Forms with logic, whose answers arrive in one place",
    path="/f/",
    icon="form",
    group=Group.BOOKED,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, FormLimits(forms=3, monthly=100, webhooks=False, history_days=30)),
        "pro": Plan(12, FormLimits(forms=None, monthly=None, webhooks=True, history_days=400)),
    },
    tools=tools_in(tools, response_tools),
    things=[Form],
    guests_send_files=("", PART),
    files=downloads.found_at,
    carried=CARRIED,
    personal=PERSONAL,
    searched=("title",),
    first_step="Make your first form",
    demo=demo.fill,
    used=came_this_month,
    example=starter.example,
    news=[RESPONSES, CLOSED],
    events=[ANSWERED],
    arrivals=[
        Arrivals(
            kind="response",
            noun="response",
            title="Form responses",
            page="/app/form",
            rows=queries.responses_of,
            came=Q(by_owner=False),
            of="form",
            told=serializers.left,
            waits=Q(read_at=None),
            waiting="for you to read",
            did="answered a form",
            acts=[
                Act(
                    name="read",
                    label="Read",
                    tool=response_tools.save_responses,
                    arguments=lambda left: {
                        "id": left["thing_id"],
                        "items": [{"response_id": left["id"], "mark": "read"}],
                    },
                    told="Marked as read.",
                    only_waiting=True,
                ),
                Act(
                    name="delete",
                    label="Delete",
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    told="Deleted. For 30 days it can be brought back.",
                    icon="bin",
                ),
            ],
        )
    ],
)
