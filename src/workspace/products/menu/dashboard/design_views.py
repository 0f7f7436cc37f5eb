"""The page for a menu's design and its text about the restaurant."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.presenters import THEME_CHOICES
from workspace.products.menu.dashboard.translation_fields import language_context
from workspace.products.menu.domain.menu_languages import languages_for

LABELS = {
    "restaurant_name": owner_gettext_lazy("Business name"),
    "intro": owner_gettext_lazy("Welcome text"),
    "address": owner_gettext_lazy("Business address"),
    "theme": owner_gettext_lazy("Colors"),
    "logo": owner_gettext_lazy("Logo"),
    "logo_id": owner_gettext_lazy("Logo"),
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
            return redirect_with_message(request, gettext("Design saved."), request.path)
    context = {
        "form": form,
        "themes": THEME_CHOICES,
        **language_context(languages_for(menu)),
    }
    return LAYOUT.render_page(request, menu, "menu/owner/design.html", context, form.status)
