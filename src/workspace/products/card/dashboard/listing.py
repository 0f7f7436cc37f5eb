"""The list of cards, and making one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.card import tools
from workspace.products.card.dashboard.details import LABELS
from workspace.products.card.dashboard.look import SWATCHES
from workspace.products.card.dashboard.shown import HOME, shown
from workspace.products.card.models import KIND

PAGE = 24


@page()
def cards(request: SignedInRequest) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, tools.list_cards, limit=PAGE, offset=offset)
    context = {
        "listing": found,
        "cards": [shown(row) for row in found["items"]],
        "limit": PAGE,
        "room": _room(request, found["total"]),
    }
    return render(request, "card/list.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"company": request.account.name, "lead_capture": True, "colour": ""}
    form = ToolForm(tools.save_cards, request, entry="items", initial=initial, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['items'][0]['id']}?made")
    context = {
        "form": form,
        "leads_planned": request.account.limits(KIND).lead_capture,
        "swatches": SWATCHES,
    }
    return render(request, "card/new.html", context, status=form.status)


def _room(request: SignedInRequest, used: int) -> dict[str, int] | None:
    """How far the plan's cards are used; None where there is no limit."""
    most = request.account.limits(KIND).cards
    return None if most is None else {"used": used, "most": most, "left": max(0, most - used)}
