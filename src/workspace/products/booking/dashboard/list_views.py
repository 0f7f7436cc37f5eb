"""All booking pages, and making one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page
from workspace.lib import time_zones
from workspace.lib.money import CURRENCIES, currencies
from workspace.lib.weekly_hours import DAYS, NAMES, Window
from workspace.products.booking.api import tools
from workspace.products.booking.dashboard.layout import FRAME, LABELS
from workspace.products.booking.models import KIND
from workspace.products.booking.models.page import USUAL_CURRENCY

USUAL_WEEK: list[Window] = [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "until": "17:00"}]
USUAL_DURATION = 30


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.pages)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).pages)


def _line(row: Mapping[str, Any]) -> Line:
    names = ", ".join(one["name"] for one in row["services"][:3])
    more = len(row["services"]) - 3
    about = f"{names} and {more} more" if more > 0 else names
    upcoming = row["upcoming"]
    return Line(
        title=row["name"], about=about or "No services yet", number=upcoming, unit="to come", counts_visits=False
    )


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """A name, a week and a first service: enough to be booked."""
    hours = [{**one, "days": one["days"] or list(DAYS)} for one in Brand.of(request.account).hours or USUAL_WEEK]
    initial: dict[str, Any] = {
        "time_zone": request.account.time_zone,
        "currency": Brand.of(request.account).currency or USUAL_CURRENCY,
        "hours": hours,
        "services": [{"duration": USUAL_DURATION}],
    }
    labels = {**LABELS, "services.name": "Service", "services.duration": "Takes", "services.price": "Price"}
    currency = request.POST.get("currency", "")
    form = ToolForm(
        tools.create,
        request,
        initial=initial,
        labels=labels,
        amounts={"services.price": currency if currency in CURRENCIES else initial["currency"]},
    )
    if form.bound:
        _without_unnamed(form)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    context = {
        "form": form,
        "days": list(NAMES.items()),
        "time_zones": time_zones.choices(),
        "currencies": currencies(),
    }
    return render(request, "booking/owner/new.html", context, status=form.status)


def _without_unnamed(form: ToolForm) -> None:
    """Who names no service yet begins without one."""
    rows = form.values.get("services")
    if isinstance(rows, list):
        form.values["services"] = [row for row in rows if isinstance(row, dict) and str(row.get("name", "")).strip()]
