"""What a code is called, where it is filed, its address, its expiry and its password; and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.qr import tools
from workspace.products.qr.dashboard.shown import HOME, shown
from workspace.products.qr.rows import folders_of

LABELS = {
    "name": "Name",
    "folder": "Folder",
    "slug": "Printed address",
    "expires_at": "Stops working on",
    "fallback_url": "Meanwhile lead to",
    "password": "New password",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    initial = {
        **{name: found[name] for name in ("name", "folder", "slug", "fallback_url")},
        "expires_at": input_time(found["expires_at"], request.account.zone),
    }
    form = ToolForm(tools.edit, request, initial=initial, fixed={"id": id}, editing=True, labels=LABELS)
    if answer := form.submit(request.caller):
        moved = answer.data["slug"] != found["slug"]
        more = " Print it afresh when you like; the earlier address goes on working." if moved else ""
        return done(request, f"Saved.{more}", f"{HOME}/{id}/settings")
    context = {"code": shown(found), "form": form, "folders": folders_of(request.account)}
    return render(request, "qr/settings.html", context, status=form.status)


@page("POST")
def remove_password(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, id=id, password="")  # an empty text clears it
    return done(request, "Guests are not asked for a password any more.", f"{HOME}/{id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    name = call(request, tools.get, id=id)["name"]
    if request.method == "POST":
        call(request, tools.delete, ids=[id])
        return done(request, f"“{name}” is deleted. For 30 days it can be brought back.", HOME)
    return ask(
        request,
        title=f"Delete “{name}”?",
        text="Printed copies will say that this code is gone; its address is never given to another one. For 30 days "
        "it can be brought back. To stop it for a while, pause it instead.",
        button="Delete this code",
        back=f"{HOME}/{id}/settings",
    )
