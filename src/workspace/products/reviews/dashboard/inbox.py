"""The testimonials of a page: found, chosen, decided many at once."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page, whole_number, words
from workspace.products.reviews import item_tools, tools
from workspace.products.reviews.dashboard.shown import HOME, page_of, testimonial_shown

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
    found = page_of(request, page_id)
    q, tag = words(request.GET.get("q"), 200), words(request.GET.get("tag"), 30).replace("|", "")
    status = request.GET.get("status", "")
    status = status if status in {name for name, *_ in STATUSES} else ""
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    wanted = {"q": q, **({"status": status} if status else {}), **({"tag": tag} if tag else {})}
    listing = call(request, tools.search, page_id=page_id, **wanted, limit=PER_PAGE, offset=offset)
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
        "any_unconsented": any(row["source"] != "page" and not row["consented"] for row in listing["items"]),
    }
    return render(request, "reviews/inbox.html", context)


@page("POST")
def moderate(request: SignedInRequest, page_id: str) -> HttpResponse:
    page_of(request, page_id)
    ids = request.POST.getlist("item_ids")
    back = here(request, page_id) or f"{HOME}/{page_id}"
    if not ids:
        messages.error(request, "Choose one or more testimonials first.")
        return redirect_whole(request, back)
    action = request.POST.get("action", "")
    same: dict[str, Any] = {"action": action}
    if tag := request.POST.get("add_tags", "").strip():
        same["add_tags"] = [tag]
    agreed = {"consented": True} if request.POST.get("consented") == "yes" else {}
    saved = call(request, item_tools.save_items, page_id=page_id, items=[{"id": id, **same} for id in ids], **agreed)
    if count := len(ids) - len(saved["skipped"]):
        messages.success(request, f"{tools.DONE[action]} {count} testimonial{'' if count == 1 else 's'}.")
    for one in saved["skipped"]:
        messages.warning(request, f"It is not recorded that {one['name']} agreed to have it shown: it stays as it is.")
    return redirect_whole(request, back)


def here(request: SignedInRequest, page_id: str) -> str:
    """Where the list stood that a form came from; nothing but an address of this list is taken."""
    given, home = request.POST.get("_here", ""), f"{HOME}/{page_id}"
    return given if given == home or given.startswith(f"{home}?") else ""


def _at(found: dict[str, Any], **wanted: str) -> str:
    query = urlencode([(name, value) for name, value in wanted.items() if value])
    return f"{found['url']}?{query}" if query else str(found["url"])
