"""A page's address and code, its end and password, what link previews show of it; pausing and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.links import tools
from workspace.products.links.dashboard.shown import HOME, find, shown_page

LABELS = {
    "slug": "Address",
    "expires_at": "Stops on",
    "share_title": "Title",
    "share_description": "Text",
    "share_picture": "Picture",
    "share_picture_id": "Picture",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = find(request, id)
    initial = {
        **{name: found[name] or "" for name in ("slug", "share_title", "share_description", "share_picture_id")},
        "expires_at": input_time(found["expires_at"], request.account.zone),
    }
    form = ToolForm(tools.edit, request, initial=initial, fixed={"page_id": id}, editing=True, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "share_picture", "share_picture_id")
        if not form.errors and (answer := form.submit(request.caller)):
            moved = answer.data["slug"] != found["slug"]
            said = "Saved." + (" The earlier address goes on working." if moved else "")
            return done(request, said, f"{HOME}/{id}/settings")
    return render(request, "links/settings.html", {"page": shown_page(found), "form": form}, status=form.status)


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    title = call(request, tools.edit, page_id=id, live=False)["title"]
    said = f"“{title}” is paused. Guests see a page that names {request.account.name}."
    return done(request, said, f"{HOME}/{id}/settings")


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    title = call(request, tools.edit, page_id=id, live=True)["title"]
    return done(request, f"“{title}” is public again.", f"{HOME}/{id}")


@page("POST")
def open_to_all(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.edit, page_id=id, password="")
    return done(request, "Guests are not asked for a password any more.", f"{HOME}/{id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    title = find(request, id)["title"]
    if request.method == "POST":
        call(request, tools.delete, ids=[id])
        return done(request, f"“{title}” is deleted. For 30 days it can be brought back.", HOME)
    return ask(
        request,
        title=f"Delete “{title}”?",
        text="Whoever follows its address is told that it is gone; it is never given to another page. For 30 days it "
        "can be brought back. To take it down for a while, pause it instead.",
        button="Delete this page",
        back=f"{HOME}/{id}/settings",
    )
