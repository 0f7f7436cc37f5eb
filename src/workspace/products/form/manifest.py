"""Forms with logic, whose responses are collected in one place."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.form.api import response_tools, serializers, tools
from workspace.products.form.domain import downloads, queries
from workspace.products.form.domain.closing_notices import CLOSING_NOTIFICATION
from workspace.products.form.domain.emails import RESPONSE_NOTIFICATION
from workspace.products.form.domain.submissions import compute_usage
from workspace.products.form.domain.webhook_events import RESPONSE_EVENT
from workspace.products.form.hooks import demo, starter_content
from workspace.products.form.hooks.privacy import PERSONAL_DATA
from workspace.products.form.hooks.takeout import TAKEOUT_TABLES
from workspace.products.form.models import KIND, Form
from workspace.public_site.current_embed import EMBED_PATH
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.submissions import SubmissionAction, SubmissionSource
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class FormLimits:
    """The limits of a plan.

    `monthly` is the number of a month's responses that are shown. Additional ones are stored, but hidden. None means
    unlimited.
    """

    forms: int | None
    monthly: int | None
    webhooks: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="form",
    title=owner_gettext_noop("Forms"),
    noun="form",
    summary=owner_gettext_lazy("Forms with conditional logic, and all answers in one place"),
    public_prefix="/f/",
    icon="form",
    group=ProductGroup.BOOKINGS,
    trades=starter_content.TRADES,
    tab_places={"studio": 3, "freelancer": 2},
    plans={
        "free": Plan(0, FormLimits(forms=3, monthly=100, webhooks=False, history_days=30)),
        "pro": Plan(12, FormLimits(forms=None, monthly=None, webhooks=True, history_days=400)),
    },
    tools=tools_from_modules(tools, response_tools),
    models=[Form],
    upload_paths=("", EMBED_PATH),
    files=downloads.find_download,
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    search_fields=("title",),
    first_task=owner_gettext_lazy("Create a form"),
    search_words="survey questionnaire poll registration feedback contact form rsvp sign-up",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a form"), None, "new make survey questionnaire rsvp registration"),
        SearchCommand(owner_gettext_lazy("View form responses"), "responses", "answers submissions export spam"),
    ],
    demo=demo.fill_account,
    usage=compute_usage,
    starter=starter_content.starter_for,
    notifications=[RESPONSE_NOTIFICATION, CLOSING_NOTIFICATION],
    events=[RESPONSE_EVENT],
    submissions=[
        SubmissionSource(
            kind="response",
            noun="response",
            title=owner_gettext_noop("Form responses"),
            page="/app/form",
            rows=queries.all_responses_for,
            within_limit=Q(is_over_limit=False),
            is_limited=queries.has_monthly_limit,
            from_guests=Q(by_owner=False),
            item_column="form",
            serialize=serializers.response_submissions,
            waiting_filter=Q(read_at=None),
            waiting_reason="for your review",
            action_phrase="filled out a form",
            actions=[
                SubmissionAction(
                    name="read",
                    label=owner_gettext_lazy("Mark as read"),
                    tool=response_tools.save_responses,
                    arguments=lambda left: {
                        "id": left["thing_id"],
                        "items": [{"response_id": left["id"], "mark": "read"}],
                    },
                    done_message=owner_gettext_lazy("Marked as read."),
                    only_waiting=True,
                ),
                SubmissionAction(
                    name="delete",
                    label=owner_gettext_lazy("Delete"),
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    done_message=owner_gettext_lazy("Response deleted. You can restore it for 30 days."),
                    icon="bin",
                ),
            ],
        )
    ],
)
