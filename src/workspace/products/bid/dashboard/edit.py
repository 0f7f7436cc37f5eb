"""What a proposal says."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.bid import tools
from workspace.products.bid.dashboard.frame import FRAME

LABELS = {
    "title": "Title",
    "client_name": "Client",
    "client_email": "E-mail",
    "client_company": "Company",
    "intro": "Introduction",
    "notes": "Terms",
    "valid_until": "Valid until",
}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    form = FRAME.form(
        request, id, labels=LABELS, initial={name: value for name, value in found.items() if name in LABELS}
    )
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}")
    return FRAME.page(request, id, "bid/edit.html", {"found": found, "form": form}, form.status)
