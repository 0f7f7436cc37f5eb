"""The list of forms, making one, and what a form asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.form import starting, tools
from workspace.products.form.dashboard.frame import FRAME
from workspace.products.form.models import KIND
from workspace.toolkit.text import counted

LABELS = {"title": "Title", "like": "Begin with"}


@page()
def forms(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.list_forms)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).forms)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    context = {"form": form, "ready": starting.titles(request.account)}
    return render(request, "form/new.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    form = FRAME.form(request, id, initial={"title": found["title"]})
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}")
    return FRAME.page(request, id, "form/edit.html", {"form": form, "found": found}, form.status)


def _line(row: Mapping[str, Any]) -> Line:
    return Line(
        title=row["title"],
        about={"paused": "Closed", "over": "Its last day is over", "full": "Full"}.get(row["closed"], ""),
        number=row["responses"],
        unit="response" if row["responses"] == 1 else "responses",
        more=(counted(row["unread"], "new", "new"), "responses") if row["unread"] else None,
    )
