"""The page for editing a notice board."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.pinboard.api import tools
from workspace.products.pinboard.dashboard.item_layout import LAYOUT


@page("GET", "HEAD", "POST")
def edit_page(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the form of a notice board, and save it."""
    form = LAYOUT.edit_form(request, id, initial=call_tool(request, tools.get, id=id))
    if form.submit(request.caller):
        return redirect_with_message(request, "Notice board saved.", f"{LAYOUT.home}/{id}")
    return LAYOUT.render_item_page(request, id, "pinboard/edit.html", {"form": form}, form.status)
