"""The page for the picture and the video of a proposal."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.products.bid.api import tools
from workspace.products.bid.dashboard.item_layout import LAYOUT
from workspace.products.bid.models import CLOSED_STATUSES

LABELS = {"image": _("Image"), "image_id": _("Image"), "video_url": _("Video")}


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    bid = call_tool(request, tools.get, id=id)
    initial = {"image_id": bid["image_id"] or "", "video_url": bid["video_url"]}
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        form_images.store_upload(request, form, "image", "image_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}/look")
    context = {"form": form, "bid": bid, "is_closed": bid["status"] in CLOSED_STATUSES}
    return LAYOUT.render_item_page(request, id, "bid/owner/design.html", context, form.status)
