"""The people who left their details with a card."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.downloads import csv_file
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, moment
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.card import lead_tools, tools
from workspace.products.card.arguments import tel_address
from workspace.products.card.dashboard.shown import HOME, shown

PAGE = 50


@page()
def leads(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, lead_tools.leads, card_id=id, limit=PAGE, offset=offset)
    context = {
        "card": shown(call(request, tools.get, id=id)),
        "listing": found,
        "leads": [
            {**lead, "at": moment(lead["submitted_at"]), "tel": tel_address(lead["phone"])} for lead in found["items"]
        ],
        "limit": PAGE,
    }
    return render(request, "card/leads.html", context)


@page()
def export(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, lead_tools.export_leads, card_id=id)
    return csv_file(found["csv"], found["file_name"])


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{HOME}/{id}/leads"
    if request.method == "POST":
        call(request, lead_tools.remove_lead, card_id=id, lead_id=lead)
        return done(request, "Removed for good.", back)
    call(request, tools.get, id=id)
    return ask(
        request,
        title="Remove these details?",
        text="What this person left is deleted for good, for instance because they asked for it.",
        button="Remove them",
        back=back,
    )
