"""The list of proposals, and making one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Chip, Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib import clock, money
from workspace.lib.errors import Refusal
from workspace.lib.text import counted
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import LABELS, price
from workspace.products.bid.dashboard.layout import FRAME
from workspace.products.bid.domain.pipeline import Stage, pipeline
from workspace.products.bid.models import CLOSED, OPEN, Status
from workspace.storage.files.images import picture_url

STATUSES = {"draft": "Drafts", "sent": "Sent", "viewed": "Opened", "approved": "Approved", "declined": "Declined"}
LATELY = timedelta(days=30)  # of which the figures above the list tell
CLIENT = ("client_name", "client_company", "client_email")


@page()
def bids(request: SignedInRequest) -> HttpResponse:
    status = request.GET.get("status", "")
    status = status if status in STATUSES else ""
    found = FRAME.found(request, tools.list_bids, *(["status"] if status else []))
    # the list's own word is whether guests see it; a proposal has a better one
    rows = [{**row, "state": _state(row)} for row in found["items"]]
    stages = pipeline(request.account, clock.now() - LATELY)
    counts = Counter[str]()
    for stage in stages:
        counts[stage.status] += stage.count
    chips = [Chip("All", counts.total(), FRAME.home, not status)] if found["total"] or status else []
    chips += [
        Chip(label, counts[key], f"{FRAME.home}?status={key}", key == status)
        for key, label in STATUSES.items()
        if chips and (counts[key] or key == status)
    ]
    told = {**found, "items": rows, "tiles": _tiles(stages)}
    return FRAME.listing(request, told, _line, chips=chips, filters=["status"] if status else [])


def _tiles(stages: Sequence[Stage]) -> list[tuple[str, str, str]]:
    """What waits for an answer, and what was answered lately: label, sums, and how many."""
    waiting = [one for one in stages if one.status in OPEN and not one.expired]
    recent = {
        status: [replace(one, count=one.recent, total=one.recent_total) for one in stages if one.status == status]
        for status in CLOSED
    }
    tiles = [
        ("Waits for an answer", *_sums(waiting)),
        (f"Approved in {LATELY.days} days", *_sums(recent[Status.APPROVED])),
    ]
    if any(one.count for one in recent[Status.DECLINED]):
        tiles.append((f"Declined in {LATELY.days} days", *_sums(recent[Status.DECLINED])))
    if over := sum(one.count for one in stages if one.expired):
        tiles.append(("Expired", str(over), "without an answer"))
    return tiles if any(one.status != Status.DRAFT for one in stages) else []


def _sums(stages: Sequence[Stage]) -> tuple[str, str]:
    """By currency, large ones in whole units, and how many proposals that is."""
    sums = Counter[str]()
    for one in stages:
        sums[one.currency] += one.total if one.count else 0
    shown = [_rounded(total, currency) for currency, total in sums.items() if total]
    return " + ".join(shown) or "–", counted(sum(one.count for one in stages), "proposal")


def _rounded(total: int, currency: str) -> str:
    shown, unit = money.shown(total, currency), 10 ** money.decimals_of(currency)
    if total < 1000 * unit or unit == 1:
        return shown
    return money.shown((total + unit // 2) // unit * unit, currency).partition(".")[0]


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Blank, or as a template or an earlier one begins."""
    form = ToolForm(tools.create, request, labels=LABELS)
    source = request.POST.get("_source", "")
    if source and form.bound:
        if made := _copied(request, form, source):
            return redirect_whole(request, f"{FRAME.home}/{made}?made")
    elif answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    recent = call(request, tools.list_bids, limit=20)["items"]
    templates = call(request, library_tools.show, kind="templates", limit=100)["items"]
    context = {
        "form": form,
        "source": source or request.GET.get("from", ""),
        "templates": [(one["id"], one["name"]) for one in templates],
        "recent": [(one["id"], f"{one['number']}: {one['title']}") for one in recent],
    }
    return render(request, "bid/new.html", context, status=form.status)


def _copied(request: SignedInRequest, form: ToolForm, source: str) -> str:
    """The id of a copy with what was typed of it; empty where it was refused, which the form then says."""
    given = form.arguments
    try:
        made = call(request, tools.copy, id=source, **({"title": given["title"]} if given.get("title") else {}))
        client = {name: given[name] for name in CLIENT if given.get(name)}
        if client:
            call(request, tools.edit, id=made["id"], **client)
    except Refusal as refusal:
        form.error = refusal.message
        return ""
    return str(made["id"])


def _state(row: Mapping[str, Any]) -> str:
    if row["state"] != "live":
        return str(row["state"])
    return "expired" if row["expired"] else {"viewed": "opened"}.get(row["status"], row["status"])


def _line(bid: Mapping[str, Any]) -> Line:
    client = bid["client_name"] or bid["client_company"]
    client = f"\u2068{client}\u2069" if client else ""  # set apart, in whichever direction it is written
    parts = [client, price(bid["total"], bid["currency"]), _left(bid["days_left"]), _opened(bid["last_viewed_at"])]
    return Line(
        title=bid["title"],
        about=" · ".join(part for part in parts if part),
        picture=picture_url(bid["picture_id"], 192) if bid["picture_id"] else "",
        number=bid["views"],
        unit="view" if bid["views"] == 1 else "views",
    )


def _left(days: int | None) -> str:
    if days is None or days < 0:
        return ""
    return "ends today" if days == 0 else f"{counted(days, 'day')} left"


def _opened(at: str | None) -> str:
    if at is None:
        return ""
    days = (clock.now() - datetime.fromisoformat(at)).days
    return "opened today" if days < 1 else f"opened {counted(days, 'day')} ago"
