"""The testimonials of a page: found, chosen, decided many at once."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, whole_number
from workspace.products.reviews.dashboard.calls import HOME, MODERATE, PAGE_GET, SEARCH, page
from workspace.products.reviews.dashboard.shown import page_shown, testimonial_shown
from workspace.products.reviews.tools import DONE
from workspace.toolkit.errors import InvalidInput

PER_PAGE = 25
# The filter's value, its words, and the member of a page's row that counts it.
STATUSES = (
    ("", "All", "testimonials"),
    ("pending", "Waiting", "pending"),
    ("approved", "Approved", "approved"),
    ("hidden", "Hidden", "hidden"),
)


@page()
def inbox(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_shown(call(request, PAGE_GET, page_id=page_id))
    q = request.GET.get("q", "").strip()[:200]
    tag = request.GET.get("tag", "").strip()[:30]
    status = request.GET.get("status", "")
    status = status if status in {name for name, *_ in STATUSES} else ""
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    wanted = {"q": q, **({"status": status} if status else {}), **({"tag": tag} if tag else {})}
    try:
        listing = call(request, SEARCH, page_id=page_id, **wanted, limit=PER_PAGE, offset=offset)
    except InvalidInput:  # control characters and their like match nothing
        listing = {"total": 0, "count": 0, "offset": 0, "has_more": False, "items": []}
    context = {
        "page": found,
        "listing": listing,
        "items": [testimonial_shown(row) for row in listing["items"]],
        "limit": PER_PAGE,
        "q": q,
        "tag": tag,
        "status": status,
        "chips": [
            (label, found[count], _at(found, q=q, tag=tag, status=name), name == status)
            for name, label, count in STATUSES
        ],
        "tags": [
            (one, _at(found, q=q, status=status, tag="" if one == tag else one), one == tag) for one in found["tags"]
        ],
        "here": request.get_full_path(),
    }
    return render(request, "reviews/inbox.html", context)


@page("POST")
def moderate(request: SignedInRequest, page_id: str) -> HttpResponse:
    ids = request.POST.getlist("item_ids")
    back = _back(request, page_id)
    if not ids:
        messages.error(request, "Choose one or more testimonials first.")
        return redirect_whole(request, back)
    arguments: dict[str, Any] = {"item_ids": ids, "action": request.POST.get("action", "")}
    if tag := request.POST.get("add_tags", "").strip():
        arguments["add_tags"] = [tag]
    done = call(request, MODERATE, **arguments)
    if done["done"]:
        count = done["done"]
        messages.success(request, f"{DONE[arguments['action']]} {count} testimonial{'' if count == 1 else 's'}.")
    for refused in done["refused"]:
        messages.warning(request, f"{refused['message']}: it stays as it is.")
    return redirect_whole(request, back)


def _at(found: dict[str, Any], **wanted: str) -> str:
    query = urlencode([(name, value) for name, value in wanted.items() if value])
    return f"{found['url']}?{query}" if query else str(found["url"])


def _back(request: SignedInRequest, page_id: str) -> str:
    """Where the list stood; nothing but an address of this list is taken."""
    here = f"{HOME}/{page_id}"
    given = request.POST.get("_here", "")
    return given if given.startswith(f"{here}?") else here
