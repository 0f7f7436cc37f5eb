"""The pages for the leads of a card."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page, parse_whole_number
from workspace.products.card.api import lead_tools, tools
from workspace.products.card.api.arguments import tel_url
from workspace.products.card.dashboard.item_layout import LAYOUT

PAGE_SIZE = 50


@page()
def leads(request: SignedInRequest, id: str) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    listing = call_tool(request, lead_tools.list_leads, card_id=id, limit=PAGE_SIZE, offset=offset)
    context = {
        "card": call_tool(request, tools.get, card_id=id),
        "listing": listing,
        "leads": [
            {**lead, "at": parse_time(lead["submitted_at"]), "tel": tel_url(lead["phone"])} for lead in listing["items"]
        ],
        "limit": PAGE_SIZE,
    }
    return LAYOUT.render_item_page(request, id, "card/leads.html", context)


@page("GET", "HEAD", "POST")
def remove_lead(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{LAYOUT.home}/{id}/leads"
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[lead])
        return redirect_with_message(request, "Removed. For 30 days it can be brought back.", back)
    call_tool(request, tools.get, card_id=id)
    return render_confirmation(
        request,
        title="Remove these details?",
        text="For 30 days what this person left can be brought back; after that nothing of it is kept.",
        button="Remove them",
        back=back,
    )


@page("GET", "HEAD", "POST")
def erase_lead(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{LAYOUT.home}/{id}/leads"
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[lead], erase=True)
        return redirect_with_message(request, "Erased.", back)
    call_tool(request, tools.get, card_id=id)
    return render_confirmation(
        request,
        title="Erase these details?",
        text="What this person left is gone at once and everywhere, as they may ask. Nothing brings it back.",
        button="Erase it for good",
        back=back,
    )
