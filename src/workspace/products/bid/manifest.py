"""Proposals: offers with their own link, which clients approve on a phone, with proof of the agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop, owner_ngettext
from workspace.products.bid.api import export_tools, library_tools, sending_tools, serializers, tools
from workspace.products.bid.domain.deposits import DEPOSIT_PURPOSE
from workspace.products.bid.domain.emails import (
    BOUNCE_NOTIFICATION,
    DECISION_NOTIFICATION,
    DEPOSIT_NOTIFICATION,
    OPENED_NOTIFICATION,
    QUESTION_NOTIFICATION,
)
from workspace.products.bid.domain.status_totals import compute_money_totals
from workspace.products.bid.hooks import demo, starter_content
from workspace.products.bid.hooks.privacy import PERSONAL_DATA
from workspace.products.bid.hooks.takeout import TAKEOUT_TABLES
from workspace.products.bid.models import KIND, OPEN_STATUSES, Message, Proposal
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand, TodoItem
from workspace.publishing.submissions import SubmissionAction, SubmissionSource
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.tool import tools_from_modules

EXPIRY_WARNING = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class BidLimits:
    """The limits of a plan. `monthly` is the number of proposals that may be created per calendar month.

    None means unlimited.
    """

    monthly: int | None


def _list_questions(account: Account) -> QuerySet[Message]:
    binned = Proposal._base_manager.filter(account=account, binned_at__isnull=False)
    return Message.objects.filter(account=account, author=CLIENT_ACTOR).exclude(proposal__in=binned.values("pk"))


def _list_todo_items(account: Account) -> Sequence[TodoItem]:
    """Return a to-do for proposals that expire soon without a decision."""
    today = clock.today(account.time_zone)
    ending = _open_until.count(account, today, today + EXPIRY_WARNING)
    if not ending:
        return []
    text = owner_ngettext(
        "%(count)s proposal expires within 3 days without a decision",
        "%(count)s proposals expire within 3 days without a decision",
        ending,
    )
    return [TodoItem(text % {"count": ending}, "/app/bid")]


@compile_once
def _open_until(account: Account, first: date, last: date) -> QuerySet[Proposal]:
    return account.proposals.filter(status__in=OPEN_STATUSES, valid_until__gte=first, valid_until__lte=last)


PRODUCT = Manifest(
    key=KIND,
    slug="bid",
    title=owner_gettext_noop("Proposals"),
    noun="proposal",
    summary=owner_gettext_lazy("Proposals that clients approve online"),
    public_prefix="/p/",
    icon="quote",
    group=ProductGroup.PAYMENTS,
    trades=starter_content.TRADES,
    tab_places={"trainer": 2, "freelancer": 1, "events": 3},
    plans={
        "free": Plan(0, BidLimits(monthly=5)),
        "pro": Plan(15, BidLimits(monthly=None)),
    },
    tools=tools_from_modules(tools, sending_tools, library_tools, export_tools),
    models=[Proposal],
    takeout=TAKEOUT_TABLES,
    privacy=PERSONAL_DATA,
    search_fields=(
        "title",
        "client_name",
        "client_email",
        "client_company",
        "intro",
        "line_items",
        "packages",
        "notes",
    ),
    first_task=owner_gettext_lazy("Create a proposal"),
    search_words="quote estimate offer contract approval signature deposit invoice",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a proposal"), None, "new make quote estimate offer"),
        SearchCommand(owner_gettext_lazy("Send a proposal"), "send", "quote estimate email"),
    ],
    demo=demo.fill_account,
    usage=lambda account: {"monthly": Proposal.count_created_this_month(account)},
    starter=starter_content.starter_for,
    notifications=[
        OPENED_NOTIFICATION,
        QUESTION_NOTIFICATION,
        DECISION_NOTIFICATION,
        DEPOSIT_NOTIFICATION,
        BOUNCE_NOTIFICATION,
    ],
    payments=[DEPOSIT_PURPOSE],
    todo=_list_todo_items,
    money_totals=compute_money_totals,
    submissions=[
        SubmissionSource(
            kind="question",
            noun="question",
            title=owner_gettext_noop("Questions"),
            page="/app/bid",
            rows=_list_questions,
            item_column="proposal",
            serialize=serializers.question_submissions,
            waiting_filter=Q(answered_at=None),
            waiting_reason="for your reply",
            action_phrase="asked about a proposal",
            actions=[
                SubmissionAction(
                    name="delete",
                    label=owner_gettext_lazy("Delete"),
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    done_message=owner_gettext_lazy("Question deleted. You can restore it for 30 days."),
                    icon="bin",
                )
            ],
        )
    ],
)
