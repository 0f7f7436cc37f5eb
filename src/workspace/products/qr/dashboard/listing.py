"""The list of codes, with its search and its folders, and making one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page, whole_number, words
from workspace.products.qr import tools
from workspace.products.qr.dashboard.shown import HOME, shown
from workspace.products.qr.models import KIND
from workspace.products.qr.rows import folders_of

PAGE = 24
LABELS = {"name": "Name", "target_url": "Where it leads", "folder": "Folder"}


@page()
def codes(request: SignedInRequest) -> HttpResponse:
    """All codes, or those that match; htmx asks for the part below the search line only."""
    q = words(request.GET.get("q"), 200)
    folder = words(request.GET.get("folder"), 60)
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, tools.list_codes, q=q, folder=folder or None, limit=PAGE, offset=offset)
    context = {
        "listing": found,
        "codes": [shown(row) for row in found["items"]],
        "q": q,
        "folder": folder,
        "limit": PAGE,
        "all_url": _at(q, ""),
        "chips": [
            (one["folder"], one["codes"], _at(q, one["folder"]), one["folder"] == folder) for one in found["folders"]
        ],
        "room": room(request),
    }
    is_part = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-Boosted")
    response = render(request, "qr/parts/codes.html" if is_part else "qr/list.html", context)
    response.headers["Vary"] = "HX-Request, Cookie"
    return response


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"folder": request.GET.get("folder", "")[:60]}
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['id']}?made")
    context = {"form": form, "folders": folders_of(request.account)}
    return render(request, "qr/new.html", context, status=form.status)


def room(request: SignedInRequest, wanted: int = 0) -> dict[str, int] | None:
    """How far the plan's codes are used, and by how many the wanted ones go over; None where there is no limit."""
    most = request.account.limits(KIND).codes
    if most is None:
        return None
    used = request.account.codes.count()
    left = max(0, most - used)
    return {"used": used, "most": most, "left": left, "over": max(0, wanted - left)}


def _at(q: str, folder: str) -> str:
    query = urlencode([(name, value) for name, value in (("q", q), ("folder", folder)) if value])
    return f"{HOME}?{query}" if query else HOME
