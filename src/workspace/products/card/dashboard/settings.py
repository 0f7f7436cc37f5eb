"""A card's address; pausing and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import tools
from workspace.products.card.dashboard.shown import Shown


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    initial = {"slug": found["slug"]}
    labels = {"slug": "Address"}
    form = ToolForm(tools.edit, request, initial=initial, fixed={"id": id}, editing=True, labels=labels)
    if form.submit(request.caller):
        messages.success(request, "Saved. The earlier address goes on working.")
        return redirect_whole(request, f"/app/card/{id}/settings")
    context = {
        "card": Shown(found),
        "form": form,
        "older": [slug for slug in found["slugs"] if slug != found["slug"]],
        "address": found["public_url"].removesuffix(found["slug"]).partition("://")[2],
    }
    return render(request, "card/settings.html", context, status=form.status)


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.pause, id=id)
    messages.success(request, f"Paused. Guests see a page that names {request.account.name}.")
    return redirect_whole(request, f"/app/card/{id}")


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.resume, id=id)
    messages.success(request, "The card shows again.")
    return redirect_whole(request, f"/app/card/{id}")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    if request.method == "POST":
        call(request, tools.delete, id=id)
        messages.success(request, f"The card of {found['full_name']} is deleted. Its address will not be used again.")
        return redirect_whole(request, "/app/card")
    context = {
        "title": f"Delete the card of {found['full_name']}?",
        "text": "The people who left their details go with it; export them first if you need them. Printed codes will "
        "say that the card is gone, for good. To stop it for a while, pause it instead.",
        "action": request.path,
        "button": "Delete this card",
        "back": f"/app/card/{id}/settings",
    }
    return render(request, "dashboard/confirm.html", context)
