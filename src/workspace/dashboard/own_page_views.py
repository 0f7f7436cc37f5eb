"""The choice of an own page next to an input for an address, loaded after the page."""

from __future__ import annotations

import re
from itertools import groupby

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.publishing import items
from workspace.publishing.own_pages import list_own_pages

_INPUT_ID = re.compile(r"[\w.-]{1,80}")


@page()
def list_choices(request: SignedInRequest) -> HttpResponse:
    """Render the account's pages as choices for the input with the id `for`, or nothing if there are no pages."""
    given = request.GET.get("for", "")
    pages = list_own_pages(request.account)
    groups = [
        (items.get_manifest(kind).page_title, list(members)) for kind, members in groupby(pages, lambda one: one.kind)
    ]
    context = {"input_id": given if _INPUT_ID.fullmatch(given) else "", "pages": pages, "groups": groups}
    return render(request, "dashboard/parts/own_pages.html", context)
