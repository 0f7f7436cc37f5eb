"""The list of first steps on the home page.

Each step is checked off once it has really happened. The list can be dismissed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import navigation
from workspace.dashboard.models import Onboarding
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.product_usage import ProductUsage
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.insights.recent_activity import SubmissionSeries, guest_submissions
from workspace.owner_translation import OwnerText
from workspace.publishing import items
from workspace.publishing.models import VisitCounter
from workspace.storage.database.compiled_function import compile_once
from workspace.tools.answer import File

EARLY_ORDER = 50  # steps of a lower order come before printing
MAX_SUBMISSION_STEPS = 2  # kinds of submissions in the list
MAX_OPEN_STEPS = 3  # completed steps after which the list shrinks to one line
PRINTING_TRADES = ("", "cafe", "restaurant", "salon", "studio", "shop")  # trades whose guests scan a code on site


@dataclass(frozen=True, slots=True)
class StepStatus:
    """A first step, and whether it is done."""

    label: OwnerText
    url: str
    is_done: bool


def list_step_statuses(
    account: Account,
    usage: ProductUsage,
    remembered: Onboarding,
    recent_submissions: Sequence[SubmissionSeries],
) -> list[StepStatus]:
    """Return the first steps for an account's trade, in order. Run up to three queries."""
    trade = Brand.for_account(account).trade
    early: list[StepStatus] = []
    late: list[StepStatus] = []
    for step in navigation.list_onboarding_steps():
        if not step.trades or trade in step.trades:
            (early if step.order < EARLY_ORDER else late).append(
                StepStatus(step.label, step.url, step.is_done(account))
            )
    # the trade's first two tools, or one tool of an account without a trade
    tools = usage.bar_items[:2] if trade else usage.main_items[:1]
    if not tools:
        return [*early, *late]
    create = [StepStatus(item.first_task, f"{item.url}/new", bool(usage.counts.get(item.product))) for item in tools]
    begin = tools[0]
    made = bool(usage.counts)
    printing = [StepStatus(gettext("Print or download your QR code"), begin.url, remembered.saved_at is not None)]
    return [
        *create[:1],
        *early,
        *create[1:],
        *(printing if trade in PRINTING_TRADES else ()),
        StepStatus(gettext("Get your first visitor"), begin.url, made and _has_visits(account)),
        *_submission_steps(account, usage.bar_items if trade else usage.main_items, recent_submissions, made=made),
        *late,
    ]


def find_next_product(usage: ProductUsage) -> NavItem | None:
    """Return a product that the account does not use yet, preferring those of its trade."""
    return next((item for item in [*usage.main_items, *usage.more_items] if not usage.counts.get(item.product)), None)


def _has_visits(account: Account) -> bool:
    return _counters_with_visits.exists(account)


@compile_once
def _counters_with_visits(account: Account) -> QuerySet[VisitCounter]:
    return VisitCounter.objects.filter(publication__account=account, total__gt=0)


def _submission_steps(
    account: Account, nav_items: list[NavItem], recent_submissions: Sequence[SubmissionSeries], *, made: bool
) -> list[StepStatus]:
    of_shown = {item.product: item for item in nav_items}
    kinds = [
        (of_shown[product.key], one) for product, one in items.list_submission_sources() if product.key in of_shown
    ]
    recent = {series.source.kind for series in recent_submissions if series.by_day}
    return [
        StepStatus(
            gettext("Get your first %(noun)s") % {"noun": one.display_noun},
            item.url,
            one.kind in recent or bool(made and guest_submissions.exists(one, account, one.is_limited(account))),
        )
        for item, one in kinds[:MAX_SUBMISSION_STEPS]
    ]


def record_saved_file(account: Account, file: File) -> None:
    """Record that the account has saved its first file to print or share, a picture or a PDF."""
    if file.media_type == "application/pdf" or file.media_type.startswith("image/"):
        Onboarding.for_account(account).mark_saved()


@page("POST")
def set_dismissed(request: SignedInRequest) -> HttpResponse:
    away = request.POST.get("away") == "yes"
    Onboarding.for_account(request.account).set_dismissed(away)
    messages.success(
        request,
        gettext("Checklist hidden. You can show it again under All tools.") if away else gettext("Checklist shown."),
    )
    return redirect_full_page(request, "/app")
