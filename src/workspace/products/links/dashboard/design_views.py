"""The design of a page: name, text, picture, theme, profiles and share preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.links.dashboard.item_layout import LAYOUT
from workspace.products.links.dashboard.presenters import get_page_data, present_themes
from workspace.products.links.rules.social_networks import NETWORKS
from workspace.products.links.rules.theme_swatch import render_swatch
from workspace.products.links.rules.themes import AS_BRAND

LABELS = {
    "title": owner_gettext_lazy("Name"),
    "bio": owner_gettext_lazy("About"),
    "theme": owner_gettext_lazy("Theme"),
    "avatar": owner_gettext_lazy("Image"),
    "avatar_id": owner_gettext_lazy("Image"),
    "social_profiles": owner_gettext_lazy("Profiles"),
    "social_profiles.network": owner_gettext_lazy("Network"),
    "social_profiles.url": owner_gettext_lazy("Username or link"),
    "share_title": owner_gettext_lazy("Title"),
    "share_description": owner_gettext_lazy("Description"),
    "share_image": owner_gettext_lazy("Image"),
    "share_image_id": owner_gettext_lazy("Image"),
}
NETWORK_CHOICES = [(network.key, network.title) for network in NETWORKS.values()]
IMAGE_FIELDS = ("avatar", "share_image")


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    page_data: Mapping[str, Any] = get_page_data(request, id)
    named = ("title", "bio", "theme", "social_profiles", "share_title", "share_description")
    initial = {
        **{name: page_data[name] for name in named},
        **{f"{name}_id": page_data[f"{name}_id"] or "" for name in IMAGE_FIELDS},
    }
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        for name in IMAGE_FIELDS:
            form_images.store_upload(request, form, name, f"{name}_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}/look")
    context = {
        "form": form,
        "page": page_data,
        "themes": present_themes(request.account),
        "theme": form.values.get("theme") or page_data["theme"],
        "networks": NETWORK_CHOICES,
    }
    return LAYOUT.render_item_page(request, id, "links/owner/design.html", context, form.status)


@page()
def theme_image(request: SignedInRequest, name: str) -> HttpResponse:
    """Return a small picture of a theme."""
    result = {theme.name: theme for theme in present_themes(request.account)}.get(name)
    if result is None:
        raise Http404
    response = HttpResponse(render_swatch(result), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache" if name == AS_BRAND else "private, max-age=3600"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
