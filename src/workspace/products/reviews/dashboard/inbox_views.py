"""The testimonials of a page: search, selection, and decisions on several at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, parse_whole_number
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.api import testimonial_tools, tools
from workspace.products.reviews.dashboard.item_layout import LAYOUT
from workspace.products.reviews.dashboard.presenters import HOME_PATH, page, present_testimonial

PAGE_SIZE = 25
# value of the filter, label, and the field of a page's data that counts it
STATUS_FILTERS = (
    ("", owner_gettext_lazy("All"), "testimonials"),
    ("pending", owner_gettext_lazy("Pending"), "pending"),
    ("approved", owner_gettext_lazy("Approved"), "approved"),
    ("hidden", owner_gettext_lazy("Hidden"), "hidden"),
)


@page()
def inbox(request: SignedInRequest, id: str) -> HttpResponse:
    page: Mapping[str, Any] = call_tool(request, tools.get, page_id=id)["page"]
    at = f"{HOME_PATH}/{id}/items"
    q, tag = clean_text(request.GET.get("q"), 200), clean_text(request.GET.get("tag"), 30).replace("|", "")
    status = request.GET.get("status", "")
    status = status if status in {name for name, *_ in STATUS_FILTERS} else ""
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    requested = {"q": q, **({"status": status} if status else {}), **({"tag": tag} if tag else {})}
    listing = call_tool(request, tools.search, page_id=id, **requested, limit=PAGE_SIZE, offset=offset)
    context = {
        "any": bool(page["testimonials"]),
        "listing": listing,
        "items": [present_testimonial(row) for row in listing["items"]],
        "limit": PAGE_SIZE,
        "q": q,
        "tag": tag,
        "status": status,
        "chips": [
            (label, page[count], _filter_url(at, q=q, tag=tag, status=name), name == status)
            for name, label, count in STATUS_FILTERS
        ],
        "tags": [
            (item, _filter_url(at, q=q, status=status, tag="" if item == tag else item), item == tag)
            for item in page["tags"]
        ],
        "current_url": request.get_full_path(),
        "any_unconsented": any(row["source"] != "page" and not row["consented"] for row in listing["items"]),
    }
    return LAYOUT.render_item_page(request, id, "reviews/owner/inbox.html", context)


@page("POST")
def moderate_testimonials(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.get, page_id=id)
    ids = request.POST.getlist("item_ids")
    back = return_url(request, id) or f"{HOME_PATH}/{id}/items"
    if not ids:
        messages.error(request, gettext("Select at least one review."))
        return redirect_full_page(request, back)
    action = request.POST.get("action", "")
    same: dict[str, Any] = {"action": action}
    if tag := request.POST.get("add_tags", "").strip():
        same["add_tags"] = [tag]
    agreed = {"consented": True} if request.POST.get("consented") == "yes" else {}
    saved = call_tool(
        request, testimonial_tools.save_items, page_id=id, items=[{"id": item_id, **same} for item_id in ids], **agreed
    )
    if count := len(ids) - len(saved["skipped"]):
        messages.success(request, format_decision(action, count))
    for skipped_testimonial in saved["skipped"]:
        text = gettext("The review by %(name)s wasn’t changed because consent isn’t recorded.")
        messages.warning(request, text % {"name": skipped_testimonial["name"]})
    return redirect_full_page(request, back)


def format_decision(action: str, count: int) -> str:
    """Return the message after a decision on one or more testimonials."""
    if action == "approve":
        text = ngettext("Review approved.", "%(count)s reviews approved.", count)
    elif action == "hide":
        text = ngettext("Review hidden.", "%(count)s reviews hidden.", count)
    elif action == "feature":
        text = ngettext("Review approved and pinned.", "%(count)s reviews approved and pinned.", count)
    else:
        text = ngettext("Review unpinned.", "%(count)s reviews unpinned.", count)
    return text % {"count": count}


def return_url(request: SignedInRequest, id: str) -> str:
    """Return the URL of the list from which a form was sent. Any other URL is ignored."""
    text, home = request.POST.get("_here", ""), f"{HOME_PATH}/{id}/items"
    return text if text == home or text.startswith(f"{home}?") else ""


def _filter_url(url: str, **requested: str) -> str:
    query = urlencode([(name, value) for name, value in requested.items() if value])
    return f"{url}?{query}" if query else url
