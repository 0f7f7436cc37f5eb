"""The list of booking pages and the page for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.lib import time_zones
from workspace.lib.money import CURRENCIES, currency_choices
from workspace.lib.weekly_hours import DAY_NAMES, DAYS, Window
from workspace.products.booking.api import tools
from workspace.products.booking.dashboard.item_layout import LABELS, LAYOUT
from workspace.products.booking.models import KIND
from workspace.products.booking.models.page import DEFAULT_CURRENCY

DEFAULT_HOURS: list[Window] = [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "until": "17:00"}]
DEFAULT_DURATION = 30


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_pages)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).pages)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    names = ", ".join(service["name"] for service in row["services"][:3])
    more = len(row["services"]) - 3
    about = gettext("%(names)s and %(more)s more") % {"names": names, "more": more} if more > 0 else names
    upcoming = row["upcoming"]
    return ListItem(
        title=row["name"],
        about=about or gettext("No services yet"),
        number=upcoming,
        unit=gettext("upcoming"),
        counts_visits=False,
    )


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a booking page from a name, weekly hours and a first service."""
    hours = [
        {**hour, "days": hour["days"] or list(DAYS)}
        for hour in Brand.for_account(request.account).hours or DEFAULT_HOURS
    ]
    initial: dict[str, Any] = {
        "time_zone": request.account.time_zone,
        "currency": Brand.for_account(request.account).currency or DEFAULT_CURRENCY,
        "hours": hours,
        "services": [{"duration": DEFAULT_DURATION}],
    }
    labels = {
        **LABELS,
        "services.name": gettext("Service"),
        "services.duration": gettext("Duration"),
        "services.price": gettext("Price"),
    }
    currency = request.POST.get("currency", "")
    form = ToolForm(
        tools.create,
        request,
        initial=initial,
        labels=labels,
        amounts={"services.price": currency if currency in CURRENCIES else initial["currency"]},
    )
    if form.is_bound:
        _drop_unnamed_services(form)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    context = {
        "form": form,
        "days": list(DAY_NAMES.items()),
        "time_zones": time_zones.zone_choices(),
        "currencies": currency_choices(),
    }
    return render(request, "booking/owner/new.html", context, status=form.status)


def _drop_unnamed_services(form: ToolForm) -> None:
    """Remove services without a name, so that a page can start without a service."""
    rows = form.values.get("services")
    if isinstance(rows, list):
        form.values["services"] = [row for row in rows if isinstance(row, dict) and str(row.get("name", "")).strip()]
