"""A card's photo, logo, theme and colour, with a miniature that follows what is being chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from pydantic import TypeAdapter, ValidationError

from workspace.accounts.models import Account
from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import tools
from workspace.products.card.arguments import Colour
from workspace.products.card.dashboard.miniature import Face, miniature
from workspace.products.card.dashboard.shown import HOME, face_of, shown
from workspace.products.card.theme import THEMES

LABELS = {
    "theme": "Theme",
    "colour": "Colour",
    "photo": "Photo",
    "logo": "Logo",
    "photo_id": "Photo",
    "logo_id": "Logo",
}
PICTURES = ("photo", "logo")
SWATCHES = ("#17604b", "#1d4ed8", "#8a1538", "#c2410c", "#6d28d9", "#0e7490", "#334155", "#f2b705")


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, card_id=id)
    form = _form(request, found)
    if request.method == "POST":
        for name in PICTURES:
            form_pictures.take(request, form, name, f"{name}_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it at their next load.", f"{HOME}/{id}/look")
    context = {
        "card": shown(found),
        "form": form,
        "themes": [(name, words, miniature(face_of(found, theme=name))) for name, words in THEMES.items()],
        "swatches": SWATCHES,
        "pictures": [
            (
                name,
                form.label(name),
                form.values.get(f"{name}_id") or "",
                form_pictures.address(request.account, form.values.get(f"{name}_id")),
                form.errors.get(name, ()),
            )
            for name in PICTURES
        ],
        "preview": miniature(_chosen(request.account, form, found)),
    }
    return render(request, "card/look.html", context, status=form.status)


@page("POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """The miniature of what is in the form."""
    found = call(request, tools.get, card_id=id)
    return HttpResponse(miniature(_chosen(request.account, _form(request, found), found)))


def _form(request: SignedInRequest, found: Mapping[str, Any]) -> ToolForm:
    initial = {name: found[name] or "" for name in ("theme", "colour", "photo_id", "logo_id")}
    return ToolForm(tools.edit, request, initial=initial, fixed={"card_id": found["id"]}, editing=True, labels=LABELS)


def _chosen(account: Account, form: ToolForm, found: Mapping[str, Any]) -> Face:
    values = form.values
    theme = values.get("theme") if values.get("theme") in THEMES else found["theme"]
    try:
        colour = TypeAdapter(Colour).validate_python(values.get("colour"))
    except ValidationError:
        colour = found["colour"]
    slots = {name: form_pictures.address(account, values.get(f"{name}_id")) for name in PICTURES}
    return face_of(found, theme=str(theme), colour=colour, **slots)
