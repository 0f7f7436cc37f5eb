"""The kiosk's own page: its PIN, and the link that makes a tablet one."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.waiver.api import tools
from workspace.products.waiver.api.serializers import waiver_of
from workspace.products.waiver.dashboard.layout import FRAME
from workspace.products.waiver.domain import kiosk as kiosks
from workspace.public_site.qr_image_views import drawn
from workspace.qr_symbols.style import Style

LABELS = {"kiosk.enabled": "Kiosk", "kiosk.pin": "PIN", "kiosk.reset_seconds": "Back to the start after"}


@page("GET", "HEAD", "POST")
def kiosk(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)
    form = FRAME.form(request, id, labels=LABELS, initial={"kiosk": {"reset_seconds": kiosks.RESET, **found["kiosk"]}})
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}/kiosk")
    waiver = waiver_of(request.account, id)
    context: dict[str, Any] = {"form": form, "address": "", "code": ""}
    if kiosks.is_on(waiver):
        context["address"] = kiosks.address_of(waiver)
        svg = drawn(context["address"], Style(), None, "The kiosk's link")
        context["code"] = f"data:image/svg+xml,{quote(svg)}"
    return FRAME.page(request, id, "waiver/owner/kiosk.html", context, form.status)
