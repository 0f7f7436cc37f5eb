"""The page for a card's photo, logo, theme and color."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.card.api import tools
from workspace.products.card.dashboard.item_layout import LAYOUT, THEME_CHOICES

IMAGE_FIELDS = ("photo", "logo")


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    card = call_tool(request, tools.get, card_id=id)
    initial = {name: card[name] or "" for name in ("theme", "color", "photo_id", "logo_id")}
    form = LAYOUT.edit_form(request, id, initial=initial)
    if request.method == "POST":
        for name in IMAGE_FIELDS:
            form_images.store_upload(request, form, name, f"{name}_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}/look")
    context = {"form": form, "themes": THEME_CHOICES}
    return LAYOUT.render_item_page(request, id, "card/owner/design.html", context, form.status)
