"""The list of codes, with its search and its folders."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, whole_number, words
from workspace.products.qr.dashboard.calls import HOME, LIST, page
from workspace.products.qr.dashboard.shown import Shown
from workspace.products.qr.models import KIND
from workspace.products.qr.rows import folders_of

PAGE = 24


@page()
def codes(request: SignedInRequest) -> HttpResponse:
    """All codes, or those that match; htmx asks for the part below the search line only."""
    q = words(request.GET.get("q"), 200)
    folder = words(request.GET.get("folder"), 60)
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, LIST, q=q, folder=folder or None, limit=PAGE, offset=offset)
    folders = folders_of(request.account)
    context = {
        "listing": found,
        "codes": [Shown(row) for row in found["items"]],
        "q": q,
        "folder": folder,
        "limit": PAGE,
        "all_url": _at(q, ""),
        "chips": [(name, count, _at(q, name), name == folder) for name, count in folders],
        "room": _room(request),
    }
    is_part = bool(request.headers.get("HX-Request")) and not request.headers.get("HX-Boosted")
    response = render(request, "qr/parts/codes.html" if is_part else "qr/list.html", context)
    response.headers["Vary"] = "HX-Request, Cookie"
    return response


def _at(q: str, folder: str) -> str:
    query = urlencode([(name, value) for name, value in (("q", q), ("folder", folder)) if value])
    return f"{HOME}?{query}" if query else HOME


def _room(request: SignedInRequest) -> dict[str, int] | None:
    """How far the plan's codes are used; None where there is no limit."""
    most = request.account.limits(KIND).codes
    if most is None:
        return None
    used = request.account.codes.count()
    return {"used": used, "most": most, "left": max(0, most - used)}
