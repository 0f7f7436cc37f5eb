"""The kiosk page: its PIN, and the link that sets up a tablet as a kiosk."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import tools
from workspace.products.waiver.dashboard.item_layout import LAYOUT
from workspace.products.waiver.domain import kiosk as kiosks
from workspace.products.waiver.domain.queries import get_waiver
from workspace.public_site.qr_image_views import get_or_render_svg
from workspace.qr_symbols.style import Style

LABELS = {
    "kiosk.enabled": owner_gettext_lazy("Kiosk"),
    "kiosk.pin": owner_gettext_lazy("Exit PIN"),
    "kiosk.reset_seconds": owner_gettext_lazy("Return to start after signing"),
}


@page("GET", "HEAD", "POST")
def edit_kiosk(request: SignedInRequest, id: str) -> HttpResponse:
    result: Any = call_tool(request, tools.get, id=id)
    form = LAYOUT.edit_form(
        request, id, labels=LABELS, initial={"kiosk": {"reset_seconds": kiosks.RESET_SECONDS, **result["kiosk"]}}
    )
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Kiosk saved."), f"{LAYOUT.home}/{id}/kiosk")
    waiver = get_waiver(request.account, id)
    context: dict[str, Any] = {"form": form, "address": "", "code": ""}
    if kiosks.is_enabled(waiver):
        context["address"] = kiosks.kiosk_url(waiver)
        svg = get_or_render_svg(context["address"], Style(), None, gettext("Kiosk link"))
        context["code"] = f"data:image/svg+xml,{quote(svg)}"
    return LAYOUT.render_item_page(request, id, "waiver/owner/kiosk.html", context, form.status)
