"""A code's own page: its picture, where it leads and how it does; and pointing it elsewhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import visits
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import SIZES, done, moment
from workspace.dashboard.tool_pages import call, page
from workspace.products.qr import scan_tools, tools
from workspace.products.qr.dashboard.shown import HOME, shown, verdict_of
from workspace.products.qr.target import Target

RECENT = 14  # days of the small chart
CHANGES = 10


@page("GET", "HEAD", "POST")
def code(request: SignedInRequest, id: str) -> HttpResponse:
    """The page; what is posted to it is where the code shall lead, typed or one of the earlier addresses."""
    found = call(request, tools.get, id=id)
    initial, fixed = {"target_url": found["target_url"]}, {"id": id}
    form = ToolForm(tools.update_target, request, initial=initial, fixed=fixed, labels={"target_url": "New address"})
    if form.submit(request.caller):
        return done(request, "Done. Printed copies follow at their next scan.", f"{HOME}/{id}")
    stats = call(request, scan_tools.stats, id=id, days=RECENT)
    changes = found["retargets"][:CHANGES]
    context: dict[str, Any] = {
        "code": shown(found),
        "form": form,
        "is_new": "made" in request.GET,
        "sizes": SIZES,
        "stats": stats,
        "points": visits.points(stats["by_day"], unit="scans"),
        "changes": [{**change, "at": moment(change["at"])} for change in changes],
        "back": Target.of(changes[0]["from_url"]) if changes else None,
        "back_url": changes[0]["from_url"] if changes else "",
    }
    return render(request, "qr/code.html", context, status=form.status)


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.edit, id=id, live=False)
    words = f"“{found['name']}” is paused. Guests see a page that names {request.account.name}."
    return done(request, words, _back(request, id))


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.edit, id=id, live=True)
    return done(request, f"“{found['name']}” works again.", _back(request, id))


@page()
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Will it scan? A part for htmx, or a page of its own."""
    found = call(request, tools.get, id=id, check=True)
    context = {"code": shown(found), **verdict_of(found["scans_well"])}
    is_part = bool(request.headers.get("HX-Request"))
    return render(request, "qr/parts/verdict.html" if is_part else "qr/check.html", context)


@page()
def scans(request: SignedInRequest, id: str) -> HttpResponse:
    most = request.account.limits("qr").history_days
    stats = call(request, scan_tools.stats, id=id, days=visits.asked_days(request, most))
    context = {
        "code": shown(call(request, tools.get, id=id)),
        "stats": stats,
        "visits": visits.charts(stats, stats["by_day"], most),
        "most": most,
        "more_to_have": most < visits.RANGES[-1],
    }
    return render(request, "qr/scans.html", context)


def _back(request: SignedInRequest, id: str) -> str:
    """Where the button stood: the list, or the code."""
    return HOME if request.POST.get("_from") == "list" else f"{HOME}/{id}"
