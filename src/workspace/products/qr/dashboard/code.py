"""A code's own page: its picture, where it leads and how it does; and pointing it elsewhere."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point, day_label
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.qr.dashboard.calls import CHECK, GET, HOME, PAUSE, RESUME, RETARGET, STATS, UNDO, page
from workspace.products.qr.dashboard.reading import verdict_of
from workspace.products.qr.dashboard.shown import Shown, moment
from workspace.products.qr.target import Target

SIZES = (512, 1024, 2048, 4096)
RECENT = 14  # days of the small chart
CHANGES = 10


@page("GET", "HEAD", "POST")
def code(request: SignedInRequest, id: str) -> HttpResponse:
    """The page; what is posted to it is where the code shall lead."""
    found = call(request, GET, id=id)
    initial, fixed = {"target_url": found["target_url"]}, {"id": id}
    form = ToolForm(RETARGET, request, initial=initial, fixed=fixed, labels={"target_url": "New address"})
    if form.submit(request.caller):
        messages.success(request, "Done. Printed copies follow at their next scan.")
        return redirect_whole(request, f"{HOME}/{id}")
    return _page(request, found, form)


@page("POST")
def undo(request: SignedInRequest, id: str) -> HttpResponse:
    now = call(request, UNDO, id=id)
    messages.success(request, f"Back to {Target.of(now['target_url']).host}.")
    return redirect_whole(request, f"{HOME}/{id}")


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, PAUSE, id=id)
    messages.success(request, f"“{found['name']}” is paused. Guests see a page that names {request.account.name}.")
    return redirect_whole(request, _back(request, id))


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, RESUME, id=id)
    messages.success(request, f"“{found['name']}” works again.")
    return redirect_whole(request, _back(request, id))


@page()
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Will it scan? A part for htmx, or a page of its own."""
    found = call(request, GET, id=id)
    context = {"code": Shown(found), **verdict_of(call(request, CHECK, id=id))}
    is_part = bool(request.headers.get("HX-Request"))
    return render(request, "qr/parts/verdict.html" if is_part else "qr/check.html", context)


def _page(request: SignedInRequest, found: dict[str, Any], form: ToolForm) -> HttpResponse:
    stats = call(request, STATS, id=found["id"], days=RECENT)
    changes = [change for change in found["retargets"] if not change["undone_at"]]
    context: dict[str, Any] = {
        "code": Shown(found),
        "form": form,
        "is_new": "made" in request.GET,
        "sizes": SIZES,
        "stats": stats,
        "points": [Point(day_label(day["date"]), day["scans"]) for day in stats["by_day"]],
        "changes": [{**change, "at": moment(change["at"])} for change in found["retargets"][:CHANGES]],
        "first_url": found["retargets"][:CHANGES][-1]["from_url"] if found["retargets"] else "",
        "undo_to": Target.of(changes[0]["from_url"]) if changes else None,
    }
    return render(request, "qr/code.html", context, status=form.status)


def _back(request: SignedInRequest, id: str) -> str:
    """Where the button stood: the list, or the code."""
    return HOME if request.POST.get("_from") == "list" else f"{HOME}/{id}"
