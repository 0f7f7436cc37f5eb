"""Proposals: an offer at an address of its own, which its client approves on a phone, and which proves itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.accounts.plans import Plan
from workspace.lib import clock
from workspace.lib.text import counted
from workspace.products.bid.api import export_tools, library_tools, sending_tools, serializers, tools
from workspace.products.bid.domain.deposits import DEPOSITS
from workspace.products.bid.domain.emails import BOUNCED, DECIDED, OPENED, PAID, QUESTIONS
from workspace.products.bid.domain.pipeline import worth
from workspace.products.bid.hooks import demo, starter
from workspace.products.bid.hooks.privacy import PERSONAL
from workspace.products.bid.hooks.takeout import CARRIED
from workspace.products.bid.models import KIND, OPEN, Message, Proposal
from workspace.products.bid.models.decision import CLIENT
from workspace.publishing.manifest import Group, Manifest, Need
from workspace.publishing.submissions import Act, Arrivals
from workspace.tools.tool import tools_in

SOON = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class BidLimits:
    """`monthly`: how many are made in a month of the account's; None is unlimited."""

    monthly: int | None


def _questions(account: Account) -> QuerySet[Message]:
    binned = Proposal._base_manager.filter(account=account, binned_at__isnull=False)
    return Message.objects.filter(account=account, by=CLIENT).exclude(proposal__in=binned.values("pk"))


def _needs(account: Account) -> Sequence[Need]:
    """Proposals about to end without a decision."""
    today = clock.today(account.time_zone)
    ending = account.proposals.filter(status__in=OPEN, valid_until__range=(today, today + SOON)).count()
    if not ending:
        return []
    verb = "ends" if ending == 1 else "end"
    return [Need(f"{counted(ending, 'proposal')} {verb} within three days, undecided", "/app/bid")]


PRODUCT = Manifest(
    key=KIND,
    word="bid",
    title="Proposals",
    noun="proposal",
    about="Proposals that clients approve online",
    path="/p/",
    icon="quote",
    group=Group.SIGNED,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, BidLimits(monthly=5)),
        "pro": Plan(15, BidLimits(monthly=None)),
    },
    tools=tools_in(tools, sending_tools, library_tools, export_tools),
    things=[Proposal],
    carried=CARRIED,
    personal=PERSONAL,
    searched=(
        "title",
        "client_name",
        "client_email",
        "client_company",
        "intro",
        "line_items",
        "packages",
        "notes",
    ),
    first_step="Write your first proposal",
    demo=demo.fill,
    used=lambda account: {"monthly": Proposal.made_this_month(account)},
    example=starter.example,
    news=[OPENED, QUESTIONS, DECIDED, PAID, BOUNCED],
    payments=[DEPOSITS],
    needs=_needs,
    worth=worth,
    arrivals=[
        Arrivals(
            kind="question",
            noun="question",
            title="Questions",
            page="/app/bid",
            rows=_questions,
            of="proposal",
            told=serializers.left,
            waits=Q(answered_at=None),
            waiting="for your answer",
            did="asked about a proposal",
            acts=[
                Act(
                    name="delete",
                    label="Delete",
                    tool=tools.delete,
                    arguments=lambda left: {"ids": [left["id"]]},
                    told="Deleted. For 30 days it can be brought back.",
                    icon="bin",
                )
            ],
        )
    ],
)
