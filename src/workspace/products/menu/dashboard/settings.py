"""What a menu says of the restaurant, its look, its address, its hours; and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.menu.dashboard.calls import DELETE, EDIT, HOME, ITEMS, page
from workspace.products.menu.dashboard.shown import DAYS, currencies, menu_shown
from workspace.products.menu.models import THEMES

LABELS = {
    "restaurant_name": "Restaurant",
    "slug": "Address of the menu",
    "logo": "Logo",
    "logo_id": "Logo",
    "sold_out_resets_at": "Sold out ends at",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, ITEMS, menu_id=id)["menu"]
    initial = {**found, "logo_id": found["logo_id"] or ""}
    form = ToolForm(EDIT, request, initial=initial, fixed={"menu_id": id}, editing=True, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "logo", "logo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            moved = answer.data["slug"] != found["slug"]
            more = " What is printed goes on working." if moved else ""
            messages.success(request, f"Saved.{more}")
            return redirect_whole(request, f"{HOME}/{id}/settings")
    context = {
        "form": form,
        "menu": menu_shown(found),
        "themes": THEMES,
        "currencies": currencies(),
        "days": DAYS,
        "logo": form_pictures.shown(request.account, form.values.get("logo_id")),
        "older": [slug for slug in found["slugs"] if slug != found["slug"]],
        "address": found["public_link"].removesuffix(found["slug"]).partition("://")[2],
    }
    return render(request, "menu/settings.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, ITEMS, menu_id=id)["menu"]
    if request.method == "POST":
        call(request, DELETE, menu_id=id)
        messages.success(request, f"The menu of {found['restaurant_name']} is deleted.")
        return redirect_whole(request, HOME)
    context = {
        "title": f"Delete the menu of {found['restaurant_name']}?",
        "text": "With everything on it, for good: printed codes then say that it is gone. To take it away for a while, "
        "switch it off instead.",
        "action": request.path,
        "button": "Delete this menu",
        "back": f"{HOME}/{id}/settings",
    }
    return render(request, "dashboard/confirm.html", context)
