"""The list of pages, and making one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.links.dashboard.calls import CREATE, HOME, IMPORT, PAGES, page
from workspace.products.links.dashboard.shown import shown_page
from workspace.products.links.models import KIND
from workspace.products.links.themes import THEMES
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.json import parse

LABELS = {"title": "Name", "bio": "A few words", "slug": "Address", "theme": "Look"}
LARGEST = 4_000_000  # bytes of a file to import: pictures are inside


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    found = call(request, PAGES)
    most = request.account.limits(KIND).pages
    context = {
        "pages": [shown_page(row) for row in found["items"]],
        "most": most,
        "is_full": most is not None and found["total"] >= most,
    }
    return render(request, "links/list.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(CREATE, request, initial={"title": request.account.name[:80]}, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['id']}?made")
    context = {"form": form, "themes": THEMES.values(), "host": request.get_host()}
    return render(request, "links/new.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest) -> HttpResponse:
    """A page out of a file that was exported here."""
    form = ToolForm(IMPORT, request, labels={"slug": "Address"})
    if request.method == "POST":
        given, problem = _file(request)
        if problem:
            form.error = problem
        else:
            form.values["page"] = given
            if answer := form.submit(request.caller):
                messages.success(request, f"“{answer.data['title']}” is here.")
                return redirect_whole(request, f"{HOME}/{answer.data['id']}")
    return render(request, "links/import.html", {"form": form, "host": request.get_host()}, status=form.status)


def _file(request: SignedInRequest) -> tuple[Any, str]:
    """The file's JSON, and what is wrong with it as a whole."""
    file = request.FILES.get("file")
    if file is None:
        return None, "Choose the file that you exported, please."
    if (file.size or 0) > LARGEST:
        return None, "This file is too large: at most 4 MB, please."
    try:
        return parse(file.read()), ""
    except InvalidInput:
        return None, "This is not a page that was exported here: the file is no JSON."
