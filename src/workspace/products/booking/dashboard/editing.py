"""What a page says, and how it looks."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_pictures
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.booking import tools
from workspace.products.booking.dashboard.frame import FRAME
from workspace.toolkit import time_zones
from workspace.toolkit.money import currencies

WORDS = ("name", "description", "place", "time_zone", "currency")
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español")]


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, page_id=id)["page"]
    form = FRAME.form(request, id, initial={name: found[name] for name in WORDS})
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}/edit")
    context = {
        "form": form,
        "page": found,
        "time_zones": time_zones.choices(),
        "currencies": currencies(),
    }
    return FRAME.page(request, id, "booking/owner/edit.html", context, form.status)


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, page_id=id)["page"]
    form = FRAME.form(request, id, initial={name: found[name] for name in ("picture_id", "language")})
    if request.method == "POST":
        form_pictures.take(request, form, "picture", "picture_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}/look")
    return FRAME.page(request, id, "booking/owner/look.html", {"form": form, "languages": LANGUAGES}, form.status)
