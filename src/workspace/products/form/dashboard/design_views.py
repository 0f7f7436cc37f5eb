"""How a form looks: as the brand, or in a colour of its own."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.form.dashboard.layout import FRAME


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = FRAME.find(request, id)
    initial = {"colour": found.colour, "one_at_a_time": found.one_at_a_time}
    form = FRAME.form(request, id, labels={"colour": "Your colour"}, initial=initial)
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it on their next load.", request.path)
    return FRAME.drawn(request, found, "form/look.html", {"form": form}, form.status)
