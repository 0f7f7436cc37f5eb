"""What a menu says of the restaurant, and how it looks."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.menu.dashboard.layout import FRAME
from workspace.products.menu.dashboard.translation_fields import tongues
from workspace.products.menu.domain.menu_languages import languages_of
from workspace.products.menu.rules.theme import THEMES

LABELS = {
    "restaurant_name": "Name of the business",
    "intro": "A line of welcome",
    "address": "Address of the business",
    "theme": "Colours",
    "logo": "Logo",
    "logo_id": "Logo",
}


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = FRAME.find(request, id)
    initial = {name: getattr(found, name) or "" for name in LABELS if name != "logo"}
    initial["translations"] = found.translations
    form = FRAME.form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        form_images.take(request, form, "logo", "logo_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it on their next load.", request.path)
    context = {
        "form": form,
        "themes": THEMES,
        **tongues(languages_of(found)),
    }
    return FRAME.drawn(request, found, "menu/look.html", context, form.status)
