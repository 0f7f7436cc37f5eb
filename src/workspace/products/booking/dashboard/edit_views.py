"""The pages for the content and the design of a booking page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib import time_zones
from workspace.lib.errors import ToolError
from workspace.lib.languages import GUEST_LANGUAGES, language_name
from workspace.lib.money import currency_choices
from workspace.products.booking.api import booking_tools, tools
from workspace.products.booking.dashboard.item_layout import LAYOUT

TEXT_FIELDS = ("name", "description", "place", "time_zone", "currency")
LANGUAGE_CHOICES = [(code, language_name(code)) for code in GUEST_LANGUAGES]


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    page: Mapping[str, Any] = call_tool(request, tools.get, page_id=id)["page"]
    form = LAYOUT.edit_form(request, id, initial={name: page[name] for name in TEXT_FIELDS})
    moves = _preview_moves(request, form, page) if form.is_bound and "_sure" not in request.POST else []
    if not moves and form.submit(request.caller):
        return redirect_with_message(request, gettext("Page saved."), f"{LAYOUT.home}/{id}/edit")
    context = {
        "form": form,
        "page": page,
        "moves": moves,
        "time_zones": time_zones.zone_choices(),
        "currencies": currency_choices(),
    }
    return LAYOUT.render_item_page(request, id, "booking/owner/edit.html", context, form.status)


def _preview_moves(request: SignedInRequest, form: ToolForm, page: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the bookings that another time zone would show at a different time.

    The edit is tried as a dry run, so that the owner sees them before it is saved."""
    if form.values.get("time_zone") == page["time_zone"]:
        return []
    try:
        edited_page = call_tool(
            request, tools.edit, page_id=page["id"], time_zone=form.values["time_zone"], dry_run=True
        )
    except ToolError:
        return []  # the form shows the reason
    listed = call_tool(request, booking_tools.list_bookings, page_id=page["id"], limit=200)["items"]
    coming = {row["id"]: row["name"] for row in listed}
    return [
        {
            "name": coming.get(move["booking_id"], move["booking_id"]),
            "before": f"{datetime.fromisoformat(move['before']):%a %d %b, %H:%M}",
            "after": f"{datetime.fromisoformat(move['after']):%a %d %b, %H:%M}",
        }
        for move in edited_page.get("moves", ())
    ]


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    page: Mapping[str, Any] = call_tool(request, tools.get, page_id=id)["page"]
    form = LAYOUT.edit_form(request, id, initial={name: page[name] for name in ("image_id", "language")})
    if request.method == "POST":
        form_images.store_upload(request, form, "image", "image_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}/look")
    return LAYOUT.render_item_page(
        request, id, "booking/owner/design.html", {"form": form, "languages": LANGUAGE_CHOICES}, form.status
    )
