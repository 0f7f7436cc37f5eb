"""The home page: Today with its actions, what happened since yesterday, key figures of the week, and first steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard import key_figures, navigation, onboarding
from workspace.dashboard.home_feed import group_news
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.messages import SUBMISSION_GONE, UNKNOWN_ACTION
from workspace.dashboard.models import Onboarding
from workspace.dashboard.product_usage import ProductUsage, get_or_compute, get_usage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.today import build_today, choose_waiting, list_sources
from workspace.dashboard.tool_views import build_page_decorator, call_tool, page
from workspace.insights import recent_activity
from workspace.insights.recent_activity import Peak, SubmissionSeries
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.publishing import items

PERIOD_DAYS = 7
MAX_NEWS = 12
_ID = re.compile(r"[a-z]+_[a-z0-9]{1,40}")

_action_page = build_page_decorator(list_path="/app", id_arguments=(), find_parent_url=lambda request: "/app")


@page()
def home(request: SignedInRequest) -> HttpResponse:
    account = request.account
    used = get_usage(request)
    remembered = Onboarding.for_account(account)
    may_act = not getattr(request, "may_only_look", False)  # read-only members see no steps
    context: dict[str, Any] = {
        "greeting": _greeting(clock.now().astimezone(account.zone)),
        "today": clock.today(account.time_zone),
        "first_name": request.user.name.split(" ")[0],
        "usage": used,
    }
    if not used.counts:
        context["beginning"] = navigation.get_start_page() if Brand.for_account(account).trade else None
        context |= _steps_context(account, used, remembered, []) if may_act else {}
        return render(request, "dashboard/home_new.html", context)
    found = key_figures.compute_figures(account, used, PERIOD_DAYS)
    context |= _steps_context(account, used, remembered, found.submissions) if may_act else {}
    activity = recent_activity.list_activity(account, MAX_NEWS)
    waiting = choose_waiting(activity)
    rest = [entry for entry in activity if entry not in waiting]
    news, earlier = group_news(account, rest, _find_peaks(account, used))
    happened = any(one.now or one.before for one in found.figures) or activity or news
    context |= {
        "is_begun": bool(happened or not context.get("steps")),  # before the first visit, steps come first
        "days": PERIOD_DAYS,
        "numbers": found.figures,
        "today_list": build_today(account, used.counts, waiting, found.submissions),
        "news": news,
        "earlier": earlier,
    }
    return render(request, "dashboard/home.html", context)


def _steps_context(
    account: Account, used: ProductUsage, remembered: Onboarding, recent_submissions: Sequence[SubmissionSeries]
) -> dict[str, Any]:
    steps = (
        onboarding.list_step_statuses(account, used, remembered, recent_submissions)
        if remembered.dismissed_at is None
        else []
    )
    left = [step for step in steps if not step.is_done]
    if not left:
        return {"next_product": onboarding.find_next_product(used)}
    done = len(steps) - len(left)
    return {
        "steps": steps,
        "steps_done": done,
        "next_step": left[0],
        "are_steps_folded": done >= onboarding.MAX_OPEN_STEPS,
    }


def _find_peaks(account: Account, used: ProductUsage) -> list[Peak]:
    if not used.has_many:
        return recent_activity.find_peaks(account)
    return get_or_compute(f"peaks:{account.pk}", lambda: recent_activity.find_peaks(account))


@_action_page("POST")
def handle_action(request: SignedInRequest, kind: str, id: str, name: str) -> HttpResponse:
    """Run an action on a submission or on an entry of Today through its tool, and return to the home page."""
    if not _ID.fullmatch(id):
        raise NotFoundError(UNKNOWN_ACTION)
    action = items.find_action(list_sources(), kind, name)
    if action is not None:
        call_tool(request, action.tool, **action.arguments(request.account, id))
        return redirect_with_message(request, action.done_message, "/app")
    found = next((one for _, one in items.list_submission_sources() if one.kind == kind), None)
    wanted = next((one for one in found.actions if one.name == name), None) if found else None
    if found is None or wanted is None:
        raise NotFoundError(UNKNOWN_ACTION)
    rows = list(found.list_rows(request.account).filter(pk=id))
    if not rows:
        raise NotFoundError(SUBMISSION_GONE)
    call_tool(request, wanted.tool, **wanted.arguments(found.serialize(rows)[0]))
    return redirect_with_message(request, wanted.done_message, "/app")


def _greeting(local_time: datetime) -> str:
    if local_time.hour < 5:
        return gettext("Hello")  # at neither evening nor morning
    if 5 <= local_time.hour < 12:
        return gettext("Good morning")
    return gettext("Good afternoon") if 12 <= local_time.hour < 18 else gettext("Good evening")
