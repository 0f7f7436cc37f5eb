"""The home page: key figures of the week, news since yesterday with actions, and next steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.dashboard import key_figures, navigation, onboarding, todo
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.messages import SUBMISSION_GONE, UNKNOWN_ACTION
from workspace.dashboard.models import Onboarding
from workspace.dashboard.product_usage import ProductUsage, get_or_compute, get_usage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool, page
from workspace.insights import recent_activity
from workspace.insights.recent_activity import ActivityEntry, Peak
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.publishing import icons, items
from workspace.publishing.submissions import Submission, SubmissionAction

PERIOD_DAYS = 7
MAX_NEWS, MAX_EARLIER = 12, 3
_MAX_NOTE_LENGTH = 240  # characters
_ID = re.compile(r"[a-z]+_[a-z0-9]{1,40}")

_action_page = build_page_decorator(list_path="/app", id_arguments=(), find_parent_url=lambda request: "/app")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """A line of the feed.

    `contact_links` contains URLs for contacting the guest, with labels. `acts` are posted to `act_url`.
    """

    at: datetime
    icon: SafeString
    who: str
    action: str
    thing: str
    page: str
    when: str
    note: str = ""
    rating: int = 0
    is_waiting: bool = False
    contact_links: tuple[tuple[str, str, str], ...] = ()
    acts: tuple[SubmissionAction, ...] = ()
    act_url: str = ""

    @property
    def stars(self) -> str:
        return "★" * self.rating + "☆" * (5 - self.rating) if self.rating else ""


@page()
def home(request: SignedInRequest) -> HttpResponse:
    account = request.account
    used = get_usage(account)
    remembered = Onboarding.for_account(account)
    may_act = not getattr(request, "may_only_look", False)  # read-only members see no steps
    steps = onboarding.list_step_statuses(account, used, remembered) if may_act and not remembered.dismissed_at else []
    left = [step for step in steps if not step.is_done]
    context: dict[str, Any] = {
        "greeting": _greeting(clock.now().astimezone(account.zone)),
        "today": clock.today(account.time_zone),
        "first_name": request.user.name.split(" ")[0],
        "steps": steps if left else [],
        "steps_done": len(steps) - len(left),
        "next_step": left[0] if left else None,
        "next_product": onboarding.find_next_product(used) if may_act and not left else None,
        "usage": used,
    }
    if not used.counts:
        context["beginning"] = navigation.get_start_page() if Brand.for_account(account).trade else None
        return render(request, "dashboard/home_new.html", context)
    found = key_figures.compute_figures(account, used, PERIOD_DAYS)
    news, earlier = _build_feed(request, used)
    happened = any(one.now or one.before for one in found.figures) or news or earlier
    context |= {
        "is_begun": bool(happened or not left),  # before the first visit, the next steps are more useful than zeros
        "days": PERIOD_DAYS,
        "numbers": found.figures,
        "needs": todo.list_todos(account, used.counts, found.submissions),
        "news": news,
        "earlier": earlier,
    }
    return render(request, "dashboard/home.html", context)


@_action_page("POST")
def handle_action(request: SignedInRequest, kind: str, id: str, name: str) -> HttpResponse:
    """Run an action on a submission through its tool, and return to the home page."""
    found = next((one for _, one in items.list_submission_sources() if one.kind == kind), None)
    wanted = next((one for one in found.actions if one.name == name), None) if found else None
    if found is None or wanted is None or not _ID.fullmatch(id):
        raise NotFoundError(UNKNOWN_ACTION)
    rows = list(found.list_rows(request.account).filter(pk=id))
    if not rows:
        raise NotFoundError(SUBMISSION_GONE)
    call_tool(request, wanted.tool, **wanted.arguments(found.serialize(rows)[0]))
    return redirect_with_message(request, wanted.done_message, "/app")


def _build_feed(request: SignedInRequest, used: ProductUsage) -> tuple[list[FeedItem], list[FeedItem]]:
    """Return the entries since yesterday, and some earlier ones if there are few."""
    account = request.account
    yesterday = datetime.combine(clock.today(account.time_zone) - timedelta(days=1), time.min, account.zone)
    feed_items = [_present_activity(one, account.zone) for one in recent_activity.list_activity(account, MAX_NEWS)]
    peaks = (
        get_or_compute(f"peaks:{account.pk}", lambda: recent_activity.find_peaks(account))
        if used.has_many
        else recent_activity.find_peaks(account)
    )
    busy = [_present_peak(one, account.zone) for one in peaks]
    new = [one for one in feed_items if one.at >= yesterday]
    earlier = [one for one in feed_items if one.at < yesterday][: max(0, MAX_EARLIER - len(new))]
    return sorted([*busy, *new], key=lambda one: one.at, reverse=True), earlier


def _present_activity(entry: ActivityEntry, zone: Any) -> FeedItem:
    left = entry.submission
    note = left.get("note", "").strip()
    return FeedItem(
        at=entry.at,
        icon=icons.render_icon(entry.product.icon),
        who=left["name"] or gettext("Someone"),
        action=entry.source.action_phrase or f"left a {entry.source.noun}",
        thing=entry.thing,
        page=left["page"],
        when=_format_when(entry.at, zone),
        note=f"{note[:_MAX_NOTE_LENGTH].rstrip()} …" if len(note) > _MAX_NOTE_LENGTH else note,
        rating=left.get("rating", 0),
        is_waiting=entry.is_waiting,
        contact_links=_contact_links(left),
        acts=tuple(act for act in entry.source.actions if entry.is_waiting or not act.only_waiting),
        act_url=f"/app/act/{entry.source.kind}/{left['id']}",
    )


def _contact_links(submission: Submission) -> tuple[tuple[str, str, str], ...]:
    email, phone = submission.get("email", ""), submission.get("phone", "")
    dialled = re.sub(r"[^\d+]", "", phone)
    mail = (("mail", f"mailto:{quote(email, safe='@+')}", gettext("Reply")),) if email else ()
    return (*mail, *((("phone", f"tel:{dialled}", gettext("Call")),) if len(dialled) > 3 else ()))


def _present_peak(peak: Peak, zone: Any) -> FeedItem:
    today = clock.today(zone.key)
    return FeedItem(
        at=datetime.combine(peak.day, time.min, zone),
        icon=icons.render_icon("chart"),
        who=peak.thing.title,
        action=_format_peak(peak, is_today=peak.day == today),
        thing="",
        page=urlsplit(peak.thing.page).path,
        when=gettext("Today") if peak.day == today else gettext("Yesterday"),
    )


def _format_peak(peak: Peak, *, is_today: bool) -> str:
    """Describe a busy day, and how much busier than usual it was."""
    is_scan = items.get_manifest(peak.thing.kind).visit_event == "scan"
    values = {"count": f"{peak.visits:,}", "ratio": f"{peak.visits / peak.usual:.0f}" if peak.usual else ""}
    if not peak.usual:
        if is_scan:
            text = gettext("had %(count)s scans today") if is_today else gettext("had %(count)s scans yesterday")
        else:
            text = gettext("had %(count)s views today") if is_today else gettext("had %(count)s views yesterday")
    elif is_scan:
        text = (
            gettext("had %(count)s scans today, %(ratio)s times as many as usual")
            if is_today
            else gettext("had %(count)s scans yesterday, %(ratio)s times as many as usual")
        )
    else:
        text = (
            gettext("had %(count)s views today, %(ratio)s times as many as usual")
            if is_today
            else gettext("had %(count)s views yesterday, %(ratio)s times as many as usual")
        )
    return text % values


def _format_when(at: datetime, zone: Any) -> str:
    there = at.astimezone(zone)
    days = (clock.today(zone.key) - there.date()).days
    day = {0: gettext("Today"), 1: gettext("Yesterday")}.get(days, f"{there.day} {there:%b}")
    return f"{day} {there:%H:%M}"


def _greeting(local_time: datetime) -> str:
    if local_time.hour < 5:
        return gettext("Hello")  # at neither evening nor morning
    if 5 <= local_time.hour < 12:
        return gettext("Good morning")
    return gettext("Good afternoon") if 12 <= local_time.hour < 18 else gettext("Good evening")
