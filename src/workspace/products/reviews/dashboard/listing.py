"""All review pages, and making one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.reviews import tools
from workspace.products.reviews.dashboard.shown import HOME, page_shown
from workspace.products.reviews.models import KIND
from workspace.products.reviews.models.page import CONSENT, QUESTIONS

PER_PAGE = 30


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    listing = call(request, tools.get, limit=PER_PAGE, offset=offset)["pages"]
    most = request.account.limits(KIND).pages
    context = {
        "listing": listing,
        "pages": [page_shown(row) for row in listing["items"]],
        "limit": PER_PAGE,
        "most": most,
        "is_full": most is not None and listing["total"] >= most,
    }
    return render(request, "reviews/pages.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    labels = {"title": "Heading", "intro": "A few words below it", "slug": "Address"}
    form = ToolForm(tools.create, request, labels=labels)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{answer.data['id']}/share?made")
    context = {"form": form, "questions": QUESTIONS, "consent": CONSENT}
    return render(request, "reviews/new.html", context, status=form.status)
