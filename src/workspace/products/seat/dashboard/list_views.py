"""The list of charts, making one, and what stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page, whole_number
from workspace.products.seat.api import tools
from workspace.products.seat.dashboard.layout import FRAME, UNITS

COUNT, CAPACITY = 8, 8  # round tables that a new chart begins with
LABELS = {"title": "What is it?"}


@page()
def charts(request: SignedInRequest) -> HttpResponse:
    return FRAME.listing(request, FRAME.found(request, tools.charts), _line)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    count = whole_number(request.POST.get("count"), COUNT if request.method != "POST" else 0, 0, 100)
    capacity = whole_number(request.POST.get("capacity"), CAPACITY, 1, 60)
    tables = {"tables": [{"capacity": capacity, "count": count}]} if count else {}
    form = ToolForm(tools.create, request, labels=LABELS, fixed=tables, initial={"units": "cm"})
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['chart']['id']}?made")
    context = {"form": form, "count": count, "capacity": capacity, "units": UNITS}
    return render(request, "seat/owner/new.html", context, status=form.status)


def _line(row: Mapping[str, Any]) -> Line:
    return Line(
        title=row["title"],
        about=" · ".join(part for part in (_day(row["date"]), row["venue"]) if part),
        number=row["seated"],
        unit="seated",
        more=(f"{row['guest_count']:,} guests", ""),
    )


def _day(text: str) -> str:
    return f"{date.fromisoformat(text):%-d %B %Y}" if text else ""
