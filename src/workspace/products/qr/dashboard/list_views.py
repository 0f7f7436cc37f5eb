"""The list of codes, with its search and its folders, and making one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse

from workspace.dashboard.item_lists import Chip, Line, asked
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import CodeRow, folders_of
from workspace.products.qr.dashboard.layout import FRAME
from workspace.products.qr.models import KIND
from workspace.products.qr.rules.target import Target


@page()
def codes(request: SignedInRequest) -> HttpResponse:
    wanted = asked(request, "q", "folder")
    found = FRAME.found(request, tools.list_codes, "q", "folder")
    q, chosen = wanted.get("q", ""), wanted.get("folder", "")
    chips = [
        Chip(one["folder"], one["codes"], _at(q, one["folder"]), one["folder"] == chosen)
        for one in folders_of(request.account)
    ]
    if chips:
        chips.insert(0, Chip("All", None, _at(q, ""), not chosen))
    most = request.account.limits(KIND).codes
    return FRAME.listing(request, found, _line, most=most, searches=True, chips=chips, filters=("folder",))


def _line(code: CodeRow) -> Line:
    target = Target.of(code["target_url"])
    leads = code["holds"] or f"{target.host}{target.after}"
    return Line(
        title=code["name"],
        about=" · ".join(part for part in (leads, code["folder"]) if part),
        number=code["total_scans"],
        unit="scan" if code["total_scans"] == 1 else "scans",
    )


def room(request: SignedInRequest, wanted: int = 0) -> dict[str, int] | None:
    """How far the plan's codes are used, and by how many the wanted ones go over; None where there is no limit."""
    most = request.account.limits(KIND).codes
    if most is None:
        return None
    used = request.account.codes.count() - len(FRAME.model.starters(request.account))
    left = max(0, most - used)
    return {"used": used, "most": most, "left": left, "over": max(0, wanted - left)}


def _at(q: str, folder: str) -> str:
    query = urlencode([(name, value) for name, value in (("q", q), ("folder", folder)) if value])
    return f"{FRAME.home}?{query}" if query else FRAME.home
