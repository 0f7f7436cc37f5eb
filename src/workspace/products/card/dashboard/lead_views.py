"""The people who left their details with a card."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, whole_number
from workspace.products.card.api import lead_tools, tools
from workspace.products.card.api.arguments import tel_address
from workspace.products.card.dashboard.layout import FRAME

PAGE = 50


@page()
def leads(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    found = call(request, lead_tools.leads, card_id=id, limit=PAGE, offset=offset)
    context = {
        "card": call(request, tools.get, card_id=id),
        "listing": found,
        "leads": [
            {**lead, "at": moment(lead["submitted_at"]), "tel": tel_address(lead["phone"])} for lead in found["items"]
        ],
        "limit": PAGE,
    }
    return FRAME.page(request, id, "card/leads.html", context)


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{FRAME.home}/{id}/leads"
    if request.method == "POST":
        call(request, tools.delete, ids=[lead])
        return done(request, "Removed. For 30 days it can be brought back.", back)
    call(request, tools.get, card_id=id)
    return ask(
        request,
        title="Remove these details?",
        text="For 30 days what this person left can be brought back; after that nothing of it is kept.",
        button="Remove them",
        back=back,
    )


@page("GET", "HEAD", "POST")
def erase(request: SignedInRequest, id: str, lead: str) -> HttpResponse:
    back = f"{FRAME.home}/{id}/leads"
    if request.method == "POST":
        call(request, tools.delete, ids=[lead], erase=True)
        return done(request, "Erased.", back)
    call(request, tools.get, card_id=id)
    return ask(
        request,
        title="Erase these details?",
        text="What this person left is gone at once and everywhere, as they may ask. Nothing brings it back.",
        button="Erase it for good",
        back=back,
    )
