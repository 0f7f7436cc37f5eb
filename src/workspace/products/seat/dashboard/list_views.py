"""The list of charts, creating a chart, and its content."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page, parse_whole_number
from workspace.products.seat.api import tools
from workspace.products.seat.dashboard.item_layout import LAYOUT, UNIT_CHOICES

DEFAULT_TABLE_COUNT, DEFAULT_CAPACITY = 8, 8  # round tables of a new chart
LABELS = {"title": gettext_lazy("Name")}


@page()
def list_charts(request: SignedInRequest) -> HttpResponse:
    return LAYOUT.render_list(request, LAYOUT.list_items(request, tools.list_charts), _list_item)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    count = parse_whole_number(
        request.POST.get("count"), DEFAULT_TABLE_COUNT if request.method != "POST" else 0, 0, 100
    )
    capacity = parse_whole_number(request.POST.get("capacity"), DEFAULT_CAPACITY, 1, 60)
    tables = {"tables": [{"capacity": capacity, "count": count}]} if count else {}
    form = ToolForm(tools.create, request, labels=LABELS, fixed=tables, initial={"units": "cm"})
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['chart']['id']}?made")
    context = {"form": form, "count": count, "capacity": capacity, "units": UNIT_CHOICES}
    return render(request, "seat/owner/new.html", context, status=form.status)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    return ListItem(
        title=row["title"],
        about=" · ".join(part for part in (_format_day(row["date"]), row["venue"]) if part),
        number=row["seated"],
        unit=gettext("seated"),
        more=(
            ngettext("%(count)s guest", "%(count)s guests", row["guest_count"]) % {"count": f"{row['guest_count']:,}"},
            "",
        ),
    )


def _format_day(text: str) -> str:
    return f"{date.fromisoformat(text):%-d %B %Y}" if text else ""
