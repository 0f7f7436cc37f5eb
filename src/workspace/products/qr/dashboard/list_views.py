"""The list of codes with search and folders, and creating a code."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard.item_lists import FilterChip, ListItem, parse_list_arguments
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import CodeSummary, folders_for
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.models import KIND
from workspace.products.qr.rules.target import Target


@page()
def list_codes(request: SignedInRequest) -> HttpResponse:
    requested = parse_list_arguments(request, "q", "folder")
    listing = LAYOUT.list_items(request, tools.list_codes, "q", "folder")
    q, chosen = requested.get("q", ""), requested.get("folder", "")
    chips = [
        FilterChip(folder["folder"], folder["codes"], _list_url(q, folder["folder"]), folder["folder"] == chosen)
        for folder in folders_for(request.account)
    ]
    if chips:
        chips.insert(0, FilterChip(gettext("All"), None, _list_url(q, ""), not chosen))
    most = request.account.limits(KIND).codes
    return LAYOUT.render_list(
        request, listing, _list_item, limit=most, is_searchable=True, chips=chips, filters=("folder",)
    )


def _list_item(code: CodeSummary) -> ListItem:
    target = Target.from_url(code["target_url"])
    leads = code["holds"] or f"{target.host}{target.after}"
    return ListItem(
        title=code["name"],
        about=" · ".join(part for part in (leads, code["folder"]) if part),
        number=code["total_scans"],
        unit=ngettext("scan", "scans", code["total_scans"]),
    )


def quota_usage(request: SignedInRequest, wanted_count: int = 0) -> dict[str, int] | None:
    """Return how many codes are used, and by how many the requested ones exceed the plan, or None if unlimited."""
    most = request.account.limits(KIND).codes
    if most is None:
        return None
    used = request.account.codes.count() - len(LAYOUT.model.list_starters(request.account))
    left = max(0, most - used)
    return {"used": used, "most": most, "left": left, "over": max(0, wanted_count - left)}


def _list_url(q: str, folder: str) -> str:
    query = urlencode([(name, value) for name, value in (("q", q), ("folder", folder)) if value])
    return f"{LAYOUT.home}?{query}" if query else LAYOUT.home
