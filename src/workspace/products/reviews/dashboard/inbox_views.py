"""The testimonials of a page: found, chosen, decided many at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, whole_number, words
from workspace.products.reviews.api import testimonial_tools, tools
from workspace.products.reviews.dashboard.layout import FRAME
from workspace.products.reviews.dashboard.presenters import HOME, page, testimonial_shown

PER_PAGE = 25
# The filter's value, its words, and the member of a page's row that counts it.
STATUSES = (
    ("", "All", "testimonials"),
    ("pending", "Waiting", "pending"),
    ("approved", "Approved", "approved"),
    ("hidden", "Hidden", "hidden"),
)


@page()
def inbox(request: SignedInRequest, id: str) -> HttpResponse:
    found: Mapping[str, Any] = call(request, tools.get, page_id=id)["page"]
    at = f"{HOME}/{id}/items"
    q, tag = words(request.GET.get("q"), 200), words(request.GET.get("tag"), 30).replace("|", "")
    status = request.GET.get("status", "")
    status = status if status in {name for name, *_ in STATUSES} else ""
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    wanted = {"q": q, **({"status": status} if status else {}), **({"tag": tag} if tag else {})}
    listing = call(request, tools.search, page_id=id, **wanted, limit=PER_PAGE, offset=offset)
    context = {
        "any": bool(found["testimonials"]),
        "listing": listing,
        "items": [testimonial_shown(row) for row in listing["items"]],
        "limit": PER_PAGE,
        "q": q,
        "tag": tag,
        "status": status,
        "chips": [
            (label, found[count], _at(at, q=q, tag=tag, status=name), name == status) for name, label, count in STATUSES
        ],
        "tags": [
            (one, _at(at, q=q, status=status, tag="" if one == tag else one), one == tag) for one in found["tags"]
        ],
        "here": request.get_full_path(),
        "any_unconsented": any(row["source"] != "page" and not row["consented"] for row in listing["items"]),
    }
    return FRAME.page(request, id, "reviews/inbox.html", context)


@page("POST")
def moderate(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.get, page_id=id)
    ids = request.POST.getlist("item_ids")
    back = here(request, id) or f"{HOME}/{id}/items"
    if not ids:
        messages.error(request, "Choose one or more testimonials first.")
        return redirect_whole(request, back)
    action = request.POST.get("action", "")
    same: dict[str, Any] = {"action": action}
    if tag := request.POST.get("add_tags", "").strip():
        same["add_tags"] = [tag]
    agreed = {"consented": True} if request.POST.get("consented") == "yes" else {}
    saved = call(
        request, testimonial_tools.save_items, page_id=id, items=[{"id": item_id, **same} for item_id in ids], **agreed
    )
    if count := len(ids) - len(saved["skipped"]):
        messages.success(request, f"{tools.DONE[action]} {count} testimonial{'' if count == 1 else 's'}.")
    for one in saved["skipped"]:
        messages.warning(request, f"It is not recorded that {one['name']} agreed to have it shown: it stays as it is.")
    return redirect_whole(request, back)


def here(request: SignedInRequest, id: str) -> str:
    """Where the list stood that a form came from; nothing but an address of this list is taken."""
    given, home = request.POST.get("_here", ""), f"{HOME}/{id}/items"
    return given if given == home or given.startswith(f"{home}?") else ""


def _at(url: str, **wanted: str) -> str:
    query = urlencode([(name, value) for name, value in wanted.items() if value])
    return f"{url}?{query}" if query else url
