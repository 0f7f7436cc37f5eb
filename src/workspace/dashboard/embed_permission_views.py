"""The websites that may frame an item. Its owner lists them, and sees which others have tried to."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import text_inputs
from workspace.dashboard.item_layout import ItemLayout
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.web_address import to_unicode_host
from workspace.public_site.embeds import list_refused_websites
from workspace.publishing.shared_item_arguments import MAX_HOSTS


@page("GET", "HEAD", "POST")
def websites(request: SignedInRequest, id: str, layout: ItemLayout) -> HttpResponse:
    found = layout.get_item(request, id)
    form = layout.edit_form(
        request,
        id,
        initial={"hosts": [to_unicode_host(host) for host in found.hosts]},
        labels={"hosts": gettext("Website")},
    )
    at = f"{layout.home}/{id}/share/websites"
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Allowed websites saved."), at)
    filled = len(form.get_field("hosts").texts)
    context = {
        "hosts": found.hosts,
        "refused": list_refused_websites(found),
        "form": form,
        "at": at,
        "slots": text_inputs(form, "hosts", min(MAX_HOSTS, filled + 2)),
        "room": len(found.hosts) < MAX_HOSTS,
    }
    return layout.render_page(request, found, "dashboard/frame/websites.html", context, form.status)
