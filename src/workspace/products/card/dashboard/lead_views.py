"""The pages for the leads of a card."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

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
    return LAYOUT.render_item_page(request, id, "card/owner/leads.html", context)


@page("GET", "HEAD", "POST")
def remove_lead(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{LAYOUT.home}/{id}/leads"
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[lead])
        return redirect_with_message(request, gettext("Lead deleted. You can restore it for 30 days."), back)
    call_tool(request, tools.get, card_id=id)
    return render_confirmation(
        request,
        title=gettext("Delete this lead?"),
        text=gettext("You can restore it for 30 days. After that, it’s permanently deleted."),
        button=gettext("Delete lead"),
        back=back,
    )


@page("GET", "HEAD", "POST")
def erase_lead(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{LAYOUT.home}/{id}/leads"
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[lead], erase=True)
        return redirect_with_message(request, gettext("Lead erased."), back)
    call_tool(request, tools.get, card_id=id)
    return render_confirmation(
        request,
        title=gettext("Erase this lead permanently?"),
        text=gettext("The person’s details are removed everywhere immediately. You can’t undo this."),
        button=gettext("Erase permanently"),
        back=back,
    )
