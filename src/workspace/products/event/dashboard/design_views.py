"""The page for a program's description and design."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext, ngettext

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.event.api import tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LABELS, LAYOUT

DESIGN_FIELDS = ("title", "description", "venue", "address", "color", "image_id")


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    event = LAYOUT.get_item(request, id)
    form = LAYOUT.edit_form(
        request, id, labels=LABELS, initial={name: getattr(event, name) or "" for name in DESIGN_FIELDS}
    )
    if request.method == "POST":
        form_images.store_upload(request, form, "image", "image_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), request.path)
    return LAYOUT.render_page(request, event, "event/owner/design.html", {"form": form}, form.status)


@page("GET", "HEAD", "POST")
def publish(request: SignedInRequest, id: str) -> HttpResponse:
    """Publish a program. If this costs a credit, ask for confirmation first."""
    if request.method == "POST":
        call_tool(request, tools.edit, event_id=id, published=True)
        return redirect_with_message(request, gettext("Program published."), f"{LAYOUT.home}/{id}/share")
    event = presenters.get_event(request, id)
    if not event["publishing"]["costs_credits"] or not event["publishing"]["unused_credits"]:
        return LAYOUT.render_item_page(request, id, "event/owner/publish.html", {"program": event})
    left = event["publishing"]["unused_credits"] - 1
    return render_confirmation(
        request,
        title=gettext("Publish “%(name)s” for one event credit?") % {"name": event["title"]},
        text=ngettext(
            "Guests can see the program immediately. You’ll have %(count)s credit left. "
            "You can unpublish and publish this program again for free.",
            "Guests can see the program immediately. You’ll have %(count)s credits left. "
            "You can unpublish and publish this program again for free.",
            left,
        )
        % {"count": left},
        button=gettext("Publish program"),
        back=f"{LAYOUT.home}/{id}",
    )
