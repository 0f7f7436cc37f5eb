"""The page for a card's photo, logo, theme and color."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.card.api import tools
from workspace.products.card.dashboard.item_layout import LAYOUT
from workspace.products.card.rules.theme import THEME_DESCRIPTIONS

IMAGE_LABELS = {"photo": "Photo", "logo": "Logo"}


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    card = call_tool(request, tools.get, card_id=id)
    initial = {name: card[name] or "" for name in ("theme", "color", "photo_id", "logo_id")}
    form = LAYOUT.edit_form(request, id, labels=IMAGE_LABELS, initial=initial)
    if request.method == "POST":
        for name in IMAGE_LABELS:
            form_images.store_upload(request, form, name, f"{name}_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(
                request, "Saved. Guests see it at their next load.", f"{LAYOUT.home}/{id}/look"
            )
    context = {
        "form": form,
        "themes": THEME_DESCRIPTIONS.items(),
    }
    return LAYOUT.render_item_page(request, id, "card/design.html", context, form.status)
