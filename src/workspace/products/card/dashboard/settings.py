"""A card's address and who gets to it; pausing and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import tools
from workspace.products.card.dashboard.shown import HOME, shown

LABELS = {"slug": "Address", "expires_at": "Shown until", "password": "Password"}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, card_id=id)
    card = shown(found)
    initial = {"slug": found["slug"], "expires_at": input_time(found["expires_at"], request.account.zone)}
    form = ToolForm(tools.edit, request, initial=initial, fixed={"card_id": id}, editing=True, labels=LABELS)
    if answer := form.submit(request.caller):
        moved = answer.data["slug"] != found["slug"]
        return done(request, "Saved. The earlier address goes on working." if moved else "Saved.", card["settings_url"])
    return render(request, "card/settings.html", {"card": card, "form": form}, status=form.status)


@page("POST")
def unlock(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, card_id=id, password="")
    return done(request, "Everybody sees the card again.", f"{HOME}/{id}/settings")


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, card_id=id, live=False)
    return done(request, f"Paused. Guests see a page that names {request.account.name}.", f"{HOME}/{id}")


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, card_id=id, live=True)
    return done(request, "The card shows again.", f"{HOME}/{id}")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    name = call(request, tools.get, card_id=id)["full_name"]
    if request.method == "POST":
        call(request, tools.delete, ids=[id])
        return done(request, f"The card of {name} is deleted. For 30 days it can be brought back.", HOME)
    return ask(
        request,
        title=f"Delete the card of {name}?",
        text="The people who left their details go with it. Printed codes will say that the card is gone. For 30 "
        "days it can be brought back. To stop it for a while, pause it instead.",
        button="Delete this card",
        back=f"{HOME}/{id}/settings",
    )
