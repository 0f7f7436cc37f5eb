"""The name and the destination of a code, and the check whether it scans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import DYNAMIC, folders_for
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.dashboard.presenters import present_verdict
from workspace.products.qr.rules.static_content import SECRET_FIELD
from workspace.products.qr.rules.target import Target

MAX_CHANGES = 10
LABELS = {
    "name": owner_gettext_lazy("Name"),
    "target_url": owner_gettext_lazy("Destination"),
    "folder": owner_gettext_lazy("Folder"),
}
STATIC_LABELS = {
    "static": owner_gettext_lazy("Content"),
    "static.ssid": owner_gettext_lazy("Network name"),
    "static.password": owner_gettext_lazy("Password"),
    "static.security": owner_gettext_lazy("Security"),
    "static.hidden": owner_gettext_lazy("Hidden network"),
    "static.name": owner_gettext_lazy("Name"),
    "static.organization": owner_gettext_lazy("Business"),
    "static.title": owner_gettext_lazy("Job title"),
    "static.phone": owner_gettext_lazy("Phone"),
    "static.email": owner_gettext_lazy("Email"),
    "static.website": owner_gettext_lazy("Website"),
    "static.address": owner_gettext_lazy("Address"),
    "static.note": owner_gettext_lazy("Note"),
    "static.subject": owner_gettext_lazy("Subject"),
    "static.message": owner_gettext_lazy("Message"),
    "static.text": owner_gettext_lazy("Text"),
}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    """Edit a code. To restore a previous destination, a form contains only that destination."""
    checked_code = call_tool(request, tools.get, id=id)
    is_static = checked_code["kind"] != DYNAMIC
    shown = [name for name in LABELS if not (is_static and name == "target_url")]
    form = LAYOUT.edit_form(request, id, labels=LABELS, initial={name: dict(checked_code)[name] for name in shown})
    if answer := form.submit(request.caller):
        moved = answer.data["target_url"] != checked_code["target_url"]
        text = gettext("Destination changed. Printed QR codes open it now.") if moved else gettext("QR code saved.")
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}")
    if is_static:
        held = {
            "code": checked_code,
            "form": form,
            "folders": folders_for(request.account),
            "facts": _present_content(checked_code["content"]),
        }
        return LAYOUT.render_item_page(request, id, "qr/owner/static.html", held, form.status)
    changes = checked_code["retargets"][:MAX_CHANGES]
    context = {
        "code": {**checked_code, "target": Target.from_url(checked_code["target_url"])},
        "form": form,
        "folders": folders_for(request.account),
        "changes": [{**change, "at": parse_time(change["at"])} for change in changes],
        "back": Target.from_url(changes[0]["from_url"]) if changes else None,
        "back_url": changes[0]["from_url"] if changes else "",
    }
    return LAYOUT.render_item_page(request, id, "qr/owner/edit.html", context, form.status)


def _present_content(content: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Prepare the content of a static code: label, value, and whether it is hidden until requested."""
    return [
        (STATIC_LABELS[f"static.{name}"], gettext("Yes") if value is True else str(value), name == SECRET_FIELD)
        for name, value in content.items()
        if name != "kind" and value
    ]


@page()
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Check whether a code scans. Return a part of the page for htmx, or else a page."""
    checked_code = call_tool(request, tools.get, id=id, check=True)
    context = {"code": checked_code, **present_verdict(checked_code["scans_well"])}
    if is_partial(request):
        return render(request, "qr/owner/parts/verdict.html", context)
    return LAYOUT.render_item_page(request, id, "qr/owner/check.html", context)
