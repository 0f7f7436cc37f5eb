"""Editing a review page: its texts, its design, and the websites that may show its reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import text_inputs
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.reviews.api import tools
from workspace.products.reviews.dashboard.item_layout import LAYOUT

MAX_QUESTIONS = 6
LAYOUT_CHOICES = [
    ("grid", "Columns", "As many as fit"),
    ("list", "List", "One below the other"),
    ("carousel", "Row", "To swipe or turn"),
    ("badge", "Badge", "Stars and average"),
]
TEXT_FIELDS = ("title", "intro", "questions", "thank_you")


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    page: Mapping[str, Any] = call_tool(request, tools.get, page_id=id)["page"]
    form = LAYOUT.edit_form(request, id, initial={name: page[name] for name in TEXT_FIELDS})
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved. Guests see it at their next load.", f"{LAYOUT.home}/{id}")
    context = {"form": form, "questions": text_inputs(form, "questions", MAX_QUESTIONS)}
    return LAYOUT.render_item_page(request, id, "reviews/edit.html", context, form.status)


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    page = LAYOUT.get_item(request, id)
    form = LAYOUT.edit_form(request, id, initial={"color": page.color, "layout": page.layout})
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved. Guests see it at their next load.", f"{LAYOUT.home}/{id}/look")
    return LAYOUT.render_item_page(
        request, id, "reviews/design.html", {"form": form, "layouts": LAYOUT_CHOICES}, form.status
    )
