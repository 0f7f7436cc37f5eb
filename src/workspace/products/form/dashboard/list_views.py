"""The list of forms, and making one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import page
from workspace.lib.text import counted
from workspace.products.form.api import tools
from workspace.products.form.dashboard.layout import FRAME, SHUT
from workspace.products.form.domain import template_gallery
from workspace.products.form.models import KIND
from workspace.publishing.call_to_action import language_of

EMPTY = "empty"
SEEN = 4  # questions of a template that are told
UNASKED = ("heading", "text", "calculated", "consent")
LABELS = {"title": "Title", "like": "Begin with"}


@page()
def forms(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.list_forms)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).forms)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """From a gallery; the title of what is chosen is that of a form without one."""
    account = request.account
    form = ToolForm(tools.create, request, labels=LABELS, initial={"like": EMPTY})
    like = form.values.get("like", EMPTY)
    if like == EMPTY:
        form.values = {name: value for name, value in form.values.items() if name != "like"}
    elif like in template_gallery.NAMES and not str(form.values.get("title", "")).strip():
        form.values["title"] = template_gallery.ready(like, language_of(account))["title"]
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    form.values["like"] = like
    empty = {"name": EMPTY, "title": "An empty form", "about": "Name, e-mail and message; the rest is yours."}
    ready = [_ready(account, name) for name, _ in template_gallery.titles(account)]
    return render(request, "form/new.html", {"form": form, "ready": [empty, *ready]}, status=form.status)


def _ready(account: Account, name: str) -> dict[str, str]:
    """A template in the account's language: its title, and its first questions."""
    found = template_gallery.ready(name, language_of(account))
    labels = [one["label"] for page in found["pages"] for one in page["fields"] if one.get("type") not in UNASKED]
    more = f" +\u00a0{len(labels) - SEEN}" if len(labels) > SEEN else ""
    return {"name": name, "title": found["title"], "about": " · ".join(labels[:SEEN]) + more}


def _line(row: Mapping[str, Any]) -> Line:
    return Line(
        title=row["title"],
        shut=SHUT.get(row["closed"], ""),
        number=row["responses"],
        unit="response" if row["responses"] == 1 else "responses",
        counts_visits=False,
        more=(counted(row["unread"], "new", "new"), "responses") if row["unread"] else None,
    )
