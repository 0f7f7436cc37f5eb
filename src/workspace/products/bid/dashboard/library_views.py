"""What an owner uses again: templates, and lines with their prices."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, whole_number
from workspace.lib import number_fields
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import plain
from workspace.products.bid.dashboard.layout import FRAME
from workspace.products.bid.models.proposal import USUAL_CURRENCY
from workspace.products.bid.rules import number_input

PAGE = 50
LABELS = {"items.name": "Name of line", "items.unit_price": "Price of line", "items.unit": "Unit of line"}


@page("GET", "HEAD", "POST")
def library(request: SignedInRequest) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**6)
    found = call(request, library_tools.show, kind="items", limit=PAGE, offset=offset)
    templates = call(request, library_tools.show, kind="templates", limit=200)
    items = [{name: plain(value) for name, value in item.items()} for item in found["items"]]
    kind = number_fields.price_kind(Brand.of(request.account).currency or USUAL_CURRENCY, number_input.DECIMALS)
    prices = {"items.unit_price": kind}
    form = ToolForm(library_tools.save_items, request, labels=LABELS, initial={"items": items}, amounts=prices)
    if form.submit(request.caller):
        return done(request, "Saved.", request.get_full_path())
    context = {"form": form, "listing": found, "templates": templates["items"], "limit": PAGE, "home": FRAME.home}
    return render(request, "bid/library.html", context, status=form.status)


@page("POST")
def begin(request: SignedInRequest) -> HttpResponse:
    """A draft of a template."""
    made = call(request, tools.copy, id=request.POST.get("id", ""))
    return done(request, "A draft of your template: fill in who it is for.", f"{FRAME.home}/{made['id']}")


@page("POST")
def drop(request: SignedInRequest) -> HttpResponse:
    call(request, tools.delete, ids=[request.POST.get("id", "")])
    return done(request, "Deleted. For 30 days it can be brought back.", f"{FRAME.home}/library")
