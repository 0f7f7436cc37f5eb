"""A card's address; pausing and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done
from workspace.dashboard.tool_pages import call, page
from workspace.products.card import tools
from workspace.products.card.dashboard.shown import HOME, shown


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    card = shown(call(request, tools.get, card_id=id))
    form = ToolForm(tools.edit, request, initial={"slug": card["slug"]}, fixed={"card_id": id}, editing=True)
    if form.submit(request.caller):
        return done(request, "Saved. The earlier address goes on working.", card["settings_url"])
    return render(request, "card/settings.html", {"card": card, "form": form}, status=form.status)


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
