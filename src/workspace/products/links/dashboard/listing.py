"""The list of pages, and making one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page
from workspace.products.links import tools
from workspace.products.links.dashboard.shown import HOME, shown_page
from workspace.products.links.models import KIND
from workspace.products.links.themes import THEMES

LABELS = {"title": "Name", "bio": "A few words", "slug": "Address", "theme": "Look"}


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    found = call(request, tools.pages)
    most = request.account.limits(KIND).pages
    context = {
        "pages": [shown_page(row) for row in found["items"]],
        "most": most,
        "is_full": most is not None and found["total"] >= most,
    }
    return render(request, "links/list.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, initial={"title": request.account.name[:80]}, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['id']}?made")
    context = {"form": form, "themes": THEMES.values(), "host": request.get_host()}
    return render(request, "links/new.html", context, status=form.status)
