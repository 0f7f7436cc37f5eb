"""A card's photo, logo, theme and colour."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.card.api import tools
from workspace.products.card.dashboard.layout import FRAME
from workspace.products.card.rules.theme import THEMES

LABELS = {
    "theme": "Theme",
    "colour": "Colour",
    "photo": "Photo",
    "logo": "Logo",
    "photo_id": "Photo",
    "logo_id": "Logo",
}
PICTURES = ("photo", "logo")


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, card_id=id)
    initial = {name: found[name] or "" for name in ("theme", "colour", "photo_id", "logo_id")}
    form = FRAME.form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        for name in PICTURES:
            form_images.take(request, form, name, f"{name}_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}/look")
    context = {
        "form": form,
        "themes": THEMES.items(),
    }
    return FRAME.page(request, id, "card/look.html", context, form.status)
