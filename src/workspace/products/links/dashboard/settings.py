"""A page's address and code, what link previews show of it; pausing, exporting and deleting it."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.links.dashboard.calls import DELETE, EDIT, EXPORT, GET, HOME, PAUSE, RESUME, page
from workspace.products.links.dashboard.shown import shown_page

LABELS = {
    "slug": "Address",
    "share_title": "Title",
    "share_description": "Text",
    "share_picture": "Picture",
    "share_picture_id": "Picture",
}


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, page_id=id)
    form = ToolForm(EDIT, request, initial=_initial(found), fixed={"page_id": id}, editing=True, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "share_picture", "share_picture_id")
        if not form.errors and (answer := form.submit(request.caller)):
            moved = answer.data["slug"] != found["slug"]
            messages.success(request, "Saved." + (" The earlier address goes on working." if moved else ""))
            return redirect_whole(request, f"{HOME}/{id}/settings")
    shown = shown_page(found)
    context = {
        "page": shown,
        "form": form,
        "older": [slug for slug in found["slugs"] if slug != found["slug"]],
        "prefix": shown["told"].removesuffix(found["slug"]),
    }
    return render(request, "links/settings.html", context, status=form.status)


@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, PAUSE, page_id=id)
    messages.success(request, f"“{found['title']}” is paused. Guests see a page that names {request.account.name}.")
    return redirect_whole(request, f"{HOME}/{id}/settings")


@page("POST")
def resume(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, RESUME, page_id=id)
    messages.success(request, f"“{found['title']}” is public again.")
    return redirect_whole(request, f"{HOME}/{id}")


@page()
def export(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, EXPORT, page_id=id)
    text = json.dumps(found["page"], ensure_ascii=False, indent=2)
    response = HttpResponse(text + "\n", content_type="application/json; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{found["file_name"]}"'
    return response


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, page_id=id)
    if request.method == "POST":
        call(request, DELETE, page_id=id)
        messages.success(request, f"“{found['title']}” is deleted. Its address will not be used again.")
        return redirect_whole(request, HOME)
    context = {
        "title": f"Delete “{found['title']}”?",
        "text": "Whoever follows its address is told that it is gone, for good: it is never given to another page. "
        "To take it down for a while, pause it instead.",
        "action": request.path,
        "button": "Delete this page",
        "back": f"{HOME}/{id}/settings",
    }
    return render(request, "dashboard/confirm.html", context)


def _initial(found: dict[str, Any]) -> dict[str, Any]:
    names = ("slug", "share_title", "share_description")
    return {**{name: found[name] for name in names}, "share_picture_id": found["share_picture_id"] or ""}
