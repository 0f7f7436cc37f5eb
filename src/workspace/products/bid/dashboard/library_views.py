"""The page of the library: templates, and lines with their prices."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page, parse_whole_number
from workspace.lib import number_fields
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import drop_zero_decimals
from workspace.products.bid.dashboard.item_layout import LAYOUT
from workspace.products.bid.models.proposal import DEFAULT_CURRENCY
from workspace.products.bid.rules import number_input

PAGE_SIZE = 50
LABELS = {"items.name": _("Line name"), "items.unit_price": _("Line price"), "items.unit": _("Line unit")}


@page("GET", "HEAD", "POST")
def library(request: SignedInRequest) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    listing = call_tool(request, library_tools.list_library, kind="items", limit=PAGE_SIZE, offset=offset)
    templates = call_tool(request, library_tools.list_library, kind="templates", limit=200)
    items = [{name: drop_zero_decimals(value) for name, value in item.items()} for item in listing["items"]]
    kind = number_fields.price_kind(
        Brand.for_account(request.account).currency or DEFAULT_CURRENCY, number_input.MAX_DECIMALS
    )
    prices = {"items.unit_price": kind}
    form = ToolForm(library_tools.save_items, request, labels=LABELS, initial={"items": items}, amounts=prices)
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Library saved."), request.get_full_path())
    context = {
        "form": form,
        "listing": listing,
        "templates": templates["items"],
        "limit": PAGE_SIZE,
        "home": LAYOUT.home,
    }
    return render(request, "bid/owner/library.html", context, status=form.status)


@page("POST")
def create_from_template(request: SignedInRequest) -> HttpResponse:
    """Create a draft from a template."""
    copied_bid = call_tool(request, tools.copy, id=request.POST.get("id", ""))
    return redirect_with_message(
        request, gettext("Draft created. Add the client."), f"{LAYOUT.home}/{copied_bid['id']}"
    )


@page("POST")
def delete_item(request: SignedInRequest) -> HttpResponse:
    call_tool(request, tools.delete, ids=[request.POST.get("id", "")])
    return redirect_with_message(
        request, gettext("Template deleted. You can restore it for 30 days."), f"{LAYOUT.home}/library"
    )
