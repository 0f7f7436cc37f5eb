"""How a page looks: its name, words, picture, theme and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import page
from workspace.products.links import tools
from workspace.products.links.dashboard.shown import HOME, find, shown_page
from workspace.products.links.networks import NETWORKS
from workspace.products.links.swatch import swatch
from workspace.products.links.themes import THEMES

LABELS = {
    "title": "Name",
    "bio": "A few words",
    "theme": "Theme",
    "avatar": "Picture",
    "avatar_id": "Picture",
    "social_profiles": "Profiles",
    "social_profiles.network": "Network",
    "social_profiles.url": "Name or address",
}
CHOICES = [(network.key, network.title) for network in NETWORKS.values()]


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = find(request, id)
    form = look_form(request, found)
    if request.method == "POST":
        form_pictures.take(request, form, "avatar", "avatar_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it on their next load.", f"{HOME}/{id}/look")
    context = {
        "page": shown_page(found),
        "form": form,
        "themes": THEMES.values(),
        "theme": form.values.get("theme") or found["theme"],
        "networks": CHOICES,
    }
    return render(request, "links/look.html", context, status=form.status)


def look_form(request: SignedInRequest, found: Mapping[str, Any]) -> ToolForm:
    initial = {name: found[name] for name in ("title", "bio", "theme", "social_profiles")}
    initial["avatar_id"] = found["avatar_id"] or ""
    return ToolForm(tools.edit, request, initial=initial, fixed={"page_id": found["id"]}, editing=True, labels=LABELS)


@page()
def theme_picture(request: SignedInRequest, name: str) -> HttpResponse:
    """A theme in small, for choosing."""
    if name not in THEMES:
        raise Http404
    response = HttpResponse(swatch(THEMES[name]), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
