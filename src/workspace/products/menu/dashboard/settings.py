"""What a menu says of the restaurant, its look, its address, its hours; and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.menu import tools
from workspace.products.menu.dashboard.shown import DAYS, HOME, currencies, menu_shown
from workspace.products.menu.models import THEMES

LABELS = {
    "restaurant_name": "Restaurant",
    "slug": "Address of the menu",
    "logo": "Logo",
    "logo_id": "Logo",
    "password": "Password",
    "expires_at": "Shown until",
    "sold_out_resets_at": "Sold out ends at",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)["menu"]
    initial = {**found, "logo_id": found["logo_id"] or ""}
    initial["expires_at"] = input_time(found["expires_at"], request.account.zone)
    form = ToolForm(tools.edit, request, initial=initial, fixed={"menu_id": id}, editing=True, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "logo", "logo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            moved = answer.data["slug"] != found["slug"]
            more = " What is printed goes on working." if moved else ""
            return done(request, f"Saved.{more}", f"{HOME}/{id}/settings")
    context = {
        "form": form,
        "menu": menu_shown(found),
        "themes": THEMES,
        "currencies": currencies(),
        "days": DAYS,
        "logo": form_pictures.shown(request.account, form.values.get("logo_id")),
    }
    return render(request, "menu/settings.html", context, status=form.status)


@page("POST")
def remove_password(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, menu_id=id, password="")
    return done(request, "Guests are not asked for a password any more.", f"{HOME}/{id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)["menu"]
    name = found["restaurant_name"]
    if request.method == "POST":
        call(request, tools.delete, ids=[id])
        return done(request, f"The menu of {name} is deleted. For 30 days it can be brought back.", HOME)
    return ask(
        request,
        title=f"Delete the menu of {name}?",
        text="With everything on it: printed codes then say that it is gone. For 30 days it can be brought back. To "
        "take it away for a while, take it offline instead.",
        button="Delete this menu",
        back=f"{HOME}/{id}/settings",
    )
