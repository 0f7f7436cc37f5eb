"""Editing a review page: its text, its design, and the websites that may show its reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import text_inputs
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.api import tools
from workspace.products.reviews.dashboard.item_layout import LAYOUT

MAX_QUESTIONS = 6
LAYOUT_CHOICES = [
    ("grid", owner_gettext_lazy("Columns"), owner_gettext_lazy("As many as fit")),
    ("list", owner_gettext_lazy("List"), owner_gettext_lazy("Stacked")),
    ("carousel", owner_gettext_lazy("Carousel"), owner_gettext_lazy("One row to swipe through")),
    ("badge", owner_gettext_lazy("Badge"), owner_gettext_lazy("Stars and average")),
]
TEXT_FIELDS = ("title", "intro", "questions", "thank_you")


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    page: Mapping[str, Any] = call_tool(request, tools.get, page_id=id)["page"]
    form = LAYOUT.edit_form(request, id, initial={name: page[name] for name in TEXT_FIELDS})
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Page saved."), f"{LAYOUT.home}/{id}")
    context = {"form": form, "questions": text_inputs(form, "questions", MAX_QUESTIONS)}
    return LAYOUT.render_item_page(request, id, "reviews/owner/edit.html", context, form.status)


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    page = LAYOUT.get_item(request, id)
    form = LAYOUT.edit_form(request, id, initial={"color": page.color, "layout": page.layout})
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}/look")
    return LAYOUT.render_item_page(
        request, id, "reviews/owner/design.html", {"form": form, "layouts": LAYOUT_CHOICES}, form.status
    )
