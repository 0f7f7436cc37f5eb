"""The page for a menu's texts about the restaurant and its design."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.translation_fields import language_context
from workspace.products.menu.domain.menu_languages import languages_for
from workspace.products.menu.rules.theme import THEMES

LABELS = {
    "restaurant_name": "Name of the business",
    "intro": "A line of welcome",
    "address": "Address of the business",
    "theme": "Colors",
    "logo": "Logo",
    "logo_id": "Logo",
}


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    menu = LAYOUT.get_item(request, id)
    initial = {name: getattr(menu, name) or "" for name in LABELS if name != "logo"}
    initial["translations"] = menu.translations
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        form_images.store_upload(request, form, "logo", "logo_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, "Saved. Guests see it on their next load.", request.path)
    context = {
        "form": form,
        "themes": THEMES,
        **language_context(languages_for(menu)),
    }
    return LAYOUT.render_page(request, menu, "menu/design.html", context, form.status)
