"""The list of pages, and making one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page
from workspace.products.links.api import tools
from workspace.products.links.dashboard.layout import FRAME
from workspace.products.links.dashboard.presenters import themes_of
from workspace.products.links.models import KIND, Kind
from workspace.storage.files.images import picture_url

LABELS = {"title": "Name", "bio": "About", "slug": "Address", "theme": "Theme"}


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.pages)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).pages)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, initial={"title": request.account.name[:80]}, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    context = {"form": form, "themes": themes_of(request.account), "host": request.get_host()}
    return render(request, "links/new.html", context, status=form.status)


def _line(row: Mapping[str, Any]) -> Line:
    buttons = sum(element["kind"] == Kind.LINK for element in row["elements"])
    return Line(
        title=row["title"],
        about=f"{buttons} button{'' if buttons == 1 else 's'}",
        picture=picture_url(row["avatar_id"], 192) if row["avatar_id"] else f"{FRAME.home}/themes/{row['theme']}.svg",
        number=row["views"],
        unit="view" if row["views"] == 1 else "views",
    )
