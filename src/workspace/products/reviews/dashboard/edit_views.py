"""What the page that collects says, how it looks, and the websites that may show its reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import slots
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.reviews.api import tools
from workspace.products.reviews.dashboard.layout import FRAME

MOST_QUESTIONS = 6
LAYOUTS = [
    ("grid", "Columns", "As many as fit"),
    ("list", "List", "One below the other"),
    ("carousel", "Row", "To swipe or turn"),
    ("badge", "Badge", "Stars and average"),
]
WORDS = ("title", "intro", "questions", "thanks")


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    found: Mapping[str, Any] = call(request, tools.get, page_id=id)["page"]
    form = FRAME.form(request, id, initial={name: found[name] for name in WORDS})
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}")
    context = {"form": form, "questions": slots(form, "questions", MOST_QUESTIONS)}
    return FRAME.page(request, id, "reviews/edit.html", context, form.status)


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = FRAME.find(request, id)
    form = FRAME.form(request, id, initial={"colour": found.colour, "layout": found.layout})
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it at their next load.", f"{FRAME.home}/{id}/look")
    return FRAME.page(request, id, "reviews/look.html", {"form": form, "layouts": LAYOUTS}, form.status)
