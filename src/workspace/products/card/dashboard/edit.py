"""What a card says."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import tools
from workspace.products.card.dashboard.frame import FRAME
from workspace.products.card.models import KIND

LABELS = {
    "full_name": "Name",
    "given_name": "First names",
    "family_name": "Family name",
    "name_prefix": "Before the name",
    "name_suffix": "After the name",
    "title": "Title",
    "company": "Company",
    "phone": "Phone",
    "email": "E-mail",
    "more_phones": "More numbers",
    "more_phones.number": "Phone",
    "more_phones.label": "What it is called",
    "more_emails": "More e-mail addresses",
    "more_emails.email": "E-mail",
    "more_emails.label": "What it is called",
    "website": "Website",
    "address": "Address",
    "bio": "About",
    "colour": "Colour",
    "links": "Links",
    "links.url": "Address of the link",
    "links.label": "What it is called",
    "lead_capture": "Let guests leave their details",
    "consent_text": "What guests agree to",
}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, card_id=id)
    form = FRAME.form(
        request, id, labels=LABELS, initial={name: value for name, value in found.items() if name in LABELS}
    )
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}")
    context = {"card": found, "form": form, "leads_planned": request.account.limits(KIND).lead_capture}
    return FRAME.page(request, id, "card/edit.html", context, form.status)
