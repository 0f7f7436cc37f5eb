"""The people who left their details with a card."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.card import lead_tools, tools
from workspace.products.card.arguments import tel_address
from workspace.products.card.dashboard.shown import Shown, moment

PAGE = 50


@page()
def leads(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, lead_tools.leads, card_id=id, limit=PAGE, offset=offset)
    context = {
        "card": Shown(call(request, tools.get, id=id)),
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
    # the mark at the beginning tells spreadsheets that this is UTF-8
    response = HttpResponse("\ufeff" + found["csv"], content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{found["file_name"]}"'
    return response


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    if request.method == "POST":
        call(request, lead_tools.remove_lead, card_id=id, lead_id=lead)
        messages.success(request, "Removed for good.")
        return redirect_whole(request, f"/app/card/{id}/leads")
    call(request, tools.get, id=id)
    context = {
        "title": "Remove these details?",
        "text": "What this person left is deleted for good, for instance because they asked for it.",
        "action": request.path,
        "button": "Remove them",
        "back": f"/app/card/{id}/leads",
    }
    return render(request, "dashboard/confirm.html", context)
