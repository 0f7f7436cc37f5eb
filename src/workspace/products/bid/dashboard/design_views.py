"""The picture and the video of a proposal."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.bid.api import tools
from workspace.products.bid.dashboard.layout import FRAME
from workspace.products.bid.models import CLOSED

LABELS = {"picture": "Picture", "picture_id": "Picture", "video_url": "Video"}


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    initial = {"picture_id": found["picture_id"] or "", "video_url": found["video_url"]}
    form = FRAME.form(request, id, labels=LABELS, initial=initial)
    if request.method == "POST":
        form_images.take(request, form, "picture", "picture_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved.", f"{FRAME.home}/{id}/look")
    context = {"form": form, "found": found, "is_closed": found["status"] in CLOSED}
    return FRAME.page(request, id, "bid/look.html", context, form.status)
