"""The list of charts, making one, and what stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page
from workspace.products.seat import tools
from workspace.products.seat.dashboard.frame import FRAME

LABELS = {"title": "What is it?"}


@page()
def charts(request: SignedInRequest) -> HttpResponse:
    return FRAME.listing(request, FRAME.found(request, tools.charts), _line)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['chart']['id']}?made")
    return render(request, "seat/owner/new.html", {"form": form}, status=form.status)


@page()
def plan(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.tables, event_id=id)
    return FRAME.page(request, id, "seat/owner/plan.html", {"chart": found["chart"], "tables": found["items"]})


def _line(row: Mapping[str, Any]) -> Line:
    return Line(
        title=row["title"],
        about=" · ".join(part for part in (row["date"], row["venue"]) if part),
        number=row["seated"],
        unit="seated",
        more=(f"{row['guest_count']:,} guests", ""),
    )
