"""A card's photo, logo, theme and colour, with a miniature that follows what is being chosen."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from pydantic import TypeAdapter, ValidationError

from workspace.accounts.models import Account, Upload
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.products.card.arguments import Colour
from workspace.products.card.dashboard.calls import EDIT, GET, call, page
from workspace.products.card.dashboard.miniature import Face, miniature
from workspace.products.card.dashboard.shown import Shown, face_of
from workspace.products.card.theme import THEMES
from workspace.publishing.pictures import picture_url
from workspace.storage.database import writing
from workspace.storage.pictures import MAX_BYTES, Picture, redraw
from workspace.toolkit.errors import Refusal

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
    found = call(request, GET, id=id)
    form = _form(request, found)
    if request.method == "POST":
        for name in PICTURES:
            _take(request, form, name)
        if not form.errors and form.submit(request.caller):
            messages.success(request, "Saved. Guests see it at their next load.")
            return redirect_whole(request, f"/app/card/{id}/look")
    context = {
        "card": Shown(found),
        "form": form,
        "themes": [(name, words, miniature(face_of(found, theme=name))) for name, words in THEMES.items()],
        "swatches": SWATCHES,
        "pictures": [
            (
                name,
                form.label(name),
                _slot(request.account, str(form.values.get(f"{name}_id") or "")),
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
    found = call(request, GET, id=id)
    return HttpResponse(miniature(_chosen(request.account, _form(request, found), found)))


def _form(request: SignedInRequest, found: dict[str, Any]) -> ToolForm:
    initial = {name: found[name] or "" for name in ("theme", "colour", "photo_id", "logo_id")}
    return ToolForm(EDIT, request, initial=initial, fixed={"id": found["id"]}, editing=True, labels=LABELS)


def _chosen(account: Account, form: ToolForm, found: dict[str, Any]) -> Face:
    values = form.values
    theme = values.get("theme") if values.get("theme") in THEMES else found["theme"]
    try:
        colour = TypeAdapter(Colour).validate_python(values.get("colour"))
    except ValidationError:
        colour = found["colour"]
    slots = {name: _slot(account, str(values.get(f"{name}_id") or "")) for name in PICTURES}
    shown = {name: slot["picture"] if slot else "" for name, slot in slots.items()}
    return face_of({**found, "photo_id": "", "logo_id": ""}, theme=str(theme), colour=colour, **shown)


def _take(request: SignedInRequest, form: ToolForm, name: str) -> None:
    """A file that came with the form becomes an upload, drawn anew before any transaction begins."""
    file = request.FILES.get(name)
    if file is None:
        return
    try:
        if (file.size or 0) > MAX_BYTES:
            raise ValueError(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
        form.values[f"{name}_id"] = _keep(request.account, redraw(file.read())).pk
    except ValueError as problem:
        form.refuse(name, str(problem))
    except Refusal as refusal:
        form.refuse(name, refusal.message)


def _keep(account: Account, picture: Picture) -> Upload:
    with writing():
        return Upload.keep(account, picture)


def _slot(account: Account, id: str) -> dict[str, str] | None:
    """A picture of the account's for showing, also before any card wears it."""
    upload = account.uploads.filter(pk=id).first() if id and "\0" not in id else None
    if upload is None:
        return None
    if upload.uses:
        return {"id": upload.pk, "picture": picture_url(upload.pk, 192)}
    # what nothing uses yet has no address
    return {"id": upload.pk, "picture": f"data:{upload.media_type};base64,{b64encode(upload.content).decode()}"}
