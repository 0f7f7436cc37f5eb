"""What a code is called, where it is filed, its address, its expiry and its password; and deleting it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.qr.dashboard.calls import DELETE, EDIT, GET, HOME, page
from workspace.products.qr.dashboard.shown import Shown, moment
from workspace.products.qr.rows import folders_of

LABELS = {
    "name": "Name",
    "folder": "Folder",
    "slug": "Printed address",
    "expires_at": "Stops working on",
    "password": "New password",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, id=id)
    form = ToolForm(EDIT, request, initial=_initial(request, found), fixed={"id": id}, editing=True, labels=LABELS)
    if answer := form.submit(request.caller):
        moved = answer.data["slug"] != found["slug"]
        more = " Print it afresh when you like; the earlier address goes on working." if moved else ""
        messages.success(request, f"Saved.{more}")
        return redirect_whole(request, f"{HOME}/{id}/settings")
    context = {
        "code": Shown(found),
        "form": form,
        "folders": folders_of(request.account),
        "older": [slug for slug in found["slugs"] if slug != found["slug"]],
        "address": found["short_url"].removesuffix(found["slug"]).partition("://")[2],
    }
    return render(request, "qr/settings.html", context, status=form.status)


@page("POST")
def remove_password(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, EDIT, id=id, password="")  # an empty text clears it
    messages.success(request, "Guests are not asked for a password any more.")
    return redirect_whole(request, f"{HOME}/{id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, id=id)
    if request.method == "POST":
        call(request, DELETE, id=id)
        messages.success(request, f"“{found['name']}” is deleted. Its address will not be used again.")
        return redirect_whole(request, HOME)
    context = {
        "title": f"Delete “{found['name']}”?",
        "text": "Printed copies will say that this code is gone, for good: its address is never given to another one. "
        "To stop it for a while, pause it instead.",
        "action": request.path,
        "button": "Delete this code",
        "back": f"{HOME}/{id}/settings",
    }
    return render(request, "dashboard/confirm.html", context)


def _initial(request: SignedInRequest, found: dict[str, Any]) -> dict[str, Any]:
    """The present state as the form's inputs write it: times in the account's zone, without an offset."""
    ends = moment(found["expires_at"])
    return {
        "name": found["name"],
        "folder": found["folder"],
        "slug": found["slug"],
        "expires_at": ends.astimezone(request.account.zone).strftime("%Y-%m-%dT%H:%M") if ends else "",
    }
