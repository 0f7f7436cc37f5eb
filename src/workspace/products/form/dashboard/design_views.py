"""The page for the design of a form: the brand's, or a custom color."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.form.dashboard.item_layout import LAYOUT


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    item = LAYOUT.get_item(request, id)
    initial = {"color": item.color, "one_at_a_time": item.one_at_a_time}
    form = LAYOUT.edit_form(request, id, labels={"color": gettext("Your color")}, initial=initial)
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Design saved."), request.path)
    return LAYOUT.render_page(request, item, "form/owner/design.html", {"form": form}, form.status)
