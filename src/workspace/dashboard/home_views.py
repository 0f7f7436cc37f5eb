"""Home: how the week goes, what happened since yesterday with what can be done about it, and what comes next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from workspace.brand.models import Brand
from workspace.dashboard import key_figures, navigation, onboarding, todo
from workspace.dashboard.item_presenters import done
from workspace.dashboard.models import FirstSteps
from workspace.dashboard.product_usage import Usage, remembered, usage
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, pages
from workspace.insights import recent_activity
from workspace.insights.recent_activity import Happened, Peak
from workspace.lib import clock
from workspace.lib.errors import NotFound
from workspace.publishing import icons, items
from workspace.publishing.submissions import Act, Left

DAYS = 7
MOST_NEWS, MOST_EARLIER = 12, 3
_NOTE = 240  # characters
_ID = re.compile(r"[a-z]+_[a-z0-9]{1,40}")

_act = pages(home="/app", ids=(), above=lambda request: "/app")


@dataclass(frozen=True, slots=True)
class News:
    """A line of the feed. `reach` are address and words of what reaches who left it; `acts` go to `act_url`."""

    at: datetime
    icon: SafeString
    who: str
    did: str
    thing: str
    page: str
    when: str
    note: str = ""
    rating: int = 0
    waits: bool = False
    reach: tuple[tuple[str, str, str], ...] = ()
    acts: tuple[Act, ...] = ()
    act_url: str = ""

    @property
    def stars(self) -> str:
        return "★" * self.rating + "☆" * (5 - self.rating) if self.rating else ""


@page()
def home(request: SignedInRequest) -> HttpResponse:
    account = request.account
    used = usage(account)
    remembered = FirstSteps.of(account)
    may_act = not getattr(request, "may_only_look", False)  # who may only look is shown no steps to take
    steps = onboarding.ticks(account, used, remembered) if may_act and not remembered.put_away_at else []
    left = [step for step in steps if not step.done]
    context: dict[str, Any] = {
        "greeting": _greeting(clock.now().astimezone(account.zone)),
        "today": clock.today(account.time_zone),
        "first_name": request.user.name.split(" ")[0],
        "steps": steps if left else [],
        "steps_done": len(steps) - len(left),
        "next_step": left[0] if left else None,
        "next_product": onboarding.next_product(used) if may_act and not left else None,
        "usage": used,
    }
    if not used.counts:
        context["beginning"] = navigation.beginning() if Brand.of(account).trade else None
        return render(request, "dashboard/home_new.html", context)
    found = key_figures.numbers(account, used, DAYS)
    news, earlier = _news(request, used)
    happened = any(one.now or one.before for one in found.shown) or news or earlier
    context |= {
        "is_begun": bool(happened or not left),  # before anybody came, what to do says more than zeros
        "days": DAYS,
        "numbers": found.shown,
        "needs": todo.needs(account, used.counts, found.came),
        "news": news,
        "earlier": earlier,
    }
    return render(request, "dashboard/home.html", context)


@_act("POST")
def act(request: SignedInRequest, kind: str, id: str, name: str) -> HttpResponse:
    """Do one of a kind's acts with something that a guest left, through its tool, and come back to home."""
    found = next((one for _, one in items.arrivals() if one.kind == kind), None)
    wanted = next((one for one in found.acts if one.name == name), None) if found else None
    if found is None or wanted is None or not _ID.fullmatch(id):
        raise NotFound("There is no such act")
    rows = list(found.rows(request.account).filter(pk=id))
    if not rows:
        raise NotFound("It is not there any more")
    call(request, wanted.tool, **wanted.arguments(found.told(rows)[0]))
    return done(request, wanted.told, "/app")


def _news(request: SignedInRequest, used: Usage) -> tuple[list[News], list[News]]:
    """What is new since yesterday, and the last of what came before, where little is new."""
    account = request.account
    yesterday = datetime.combine(clock.today(account.time_zone) - timedelta(days=1), time.min, account.zone)
    told = [_told(one, account.zone) for one in recent_activity.happened(account, MOST_NEWS)]
    peaks = (
        remembered(f"peaks:{account.pk}", lambda: recent_activity.peaks(account))
        if used.has_many
        else recent_activity.peaks(account)
    )
    busy = [_busy(one, account.zone) for one in peaks]
    new = [one for one in told if one.at >= yesterday]
    earlier = [one for one in told if one.at < yesterday][: max(0, MOST_EARLIER - len(new))]
    return sorted([*busy, *new], key=lambda one: one.at, reverse=True), earlier


def _told(one: Happened, zone: Any) -> News:
    left = one.left
    note = left.get("note", "").strip()
    return News(
        at=one.at,
        icon=icons.icon(one.product.icon),
        who=left["name"] or "Somebody",
        did=one.arrivals.did or f"left a {one.arrivals.noun}",
        thing=one.thing,
        page=left["page"],
        when=_when(one.at, zone),
        note=f"{note[:_NOTE].rstrip()} …" if len(note) > _NOTE else note,
        rating=left.get("rating", 0),
        waits=one.waits,
        reach=_reach(left),
        acts=tuple(act for act in one.arrivals.acts if one.waits or not act.only_waiting),
        act_url=f"/app/act/{one.arrivals.kind}/{left['id']}",
    )


def _reach(left: Left) -> tuple[tuple[str, str, str], ...]:
    email, phone = left.get("email", ""), left.get("phone", "")
    dialled = re.sub(r"[^\d+]", "", phone)
    mail = (("mail", f"mailto:{quote(email, safe='@+')}", "Reply"),) if email else ()
    return (*mail, *((("phone", f"tel:{dialled}", "Call"),) if len(dialled) > 3 else ()))


def _busy(one: Peak, zone: Any) -> News:
    product = items.manifest(one.thing.kind)
    today = clock.today(zone.key)
    day = "today" if one.day == today else "yesterday"
    often = f", {_times(one.visits / one.usual)} as often as usual" if one.usual else ""
    return News(
        at=datetime.combine(one.day, time.min, zone),
        icon=icons.icon("chart"),
        who=one.thing.title,
        did=f"had {one.visits:,} {product.visit}s {day}{often}",
        thing="",
        page=urlsplit(one.thing.page).path,
        when="Today" if one.day == today else "Yesterday",
    )


def _times(ratio: float) -> str:
    return f"{ratio:.0f} times" if ratio >= 3 else "twice"


def _when(at: datetime, zone: Any) -> str:
    there = at.astimezone(zone)
    days = (clock.today(zone.key) - there.date()).days
    day = {0: "Today", 1: "Yesterday"}.get(days, f"{there.day} {there:%b}")
    return f"{day} {there:%H:%M}"


def _greeting(there: datetime) -> str:
    if there.hour < 5:
        return "Hello"  # neither evening nor morning
    if 5 <= there.hour < 12:
        return "Good morning"
    return "Good afternoon" if 12 <= there.hour < 18 else "Good evening"
