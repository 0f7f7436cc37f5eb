"""The websites that may frame a thing: named by its owner, who sees here which others have tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse

from workspace.dashboard.forms import slots
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.web_address import spelled_host
from workspace.public_site.embeds import refused_lately
from workspace.publishing.arguments import MOST_HOSTS

if TYPE_CHECKING:
    from workspace.dashboard.item_layout import Frame


@page("GET", "HEAD", "POST")
def websites(request: SignedInRequest, id: str, frame: Frame) -> HttpResponse:
    found = frame.find(request, id)
    form = frame.form(
        request, id, initial={"hosts": [spelled_host(host) for host in found.hosts]}, labels={"hosts": "Website"}
    )
    at = f"{frame.home}/{id}/share/websites"
    if form.submit(request.caller):
        return done(request, f"Saved. These websites may show {frame.framed}.", at)
    filled = len(form.field("hosts").texts)
    context = {
        "hosts": found.hosts,
        "refused": refused_lately(found),
        "form": form,
        "at": at,
        "slots": slots(form, "hosts", min(MOST_HOSTS, filled + 2)),
        "room": len(found.hosts) < MOST_HOSTS,
    }
    return frame.drawn(request, found, "dashboard/frame/websites.html", context, form.status)
