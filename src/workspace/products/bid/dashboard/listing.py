"""The list of proposals, and making one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line, asked
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page
from workspace.products.bid import tools
from workspace.products.bid.dashboard.edit import LABELS
from workspace.products.bid.dashboard.frame import FRAME
from workspace.products.bid.words import money


@page()
def bids(request: SignedInRequest) -> HttpResponse:
    return FRAME.listing(request, call(request, tools.list_bids, **asked(request)), _line)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    return render(request, "bid/new.html", {"form": form}, status=form.status)


def _line(bid: Mapping[str, Any]) -> Line:
    client = bid["client_name"] or bid["client_company"]
    status = "expired" if bid["expired"] else bid["status"]
    return Line(
        title=bid["title"],
        about=" · ".join(part for part in (client, status, money(bid["total"], bid["currency"])) if part),
        number=bid["views"],
        unit="views",
    )
