"""What a code is called and where it leads; whether it will scan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_presenters import done, moment
from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.tool_views import call, page
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import DYNAMIC, folders_of
from workspace.products.qr.dashboard.layout import FRAME
from workspace.products.qr.dashboard.presenters import verdict_of
from workspace.products.qr.rules.static_content import SECRET
from workspace.products.qr.rules.target import Target

CHANGES = 10
LABELS = {"name": "Name", "target_url": "Where it leads", "folder": "Folder"}
NAMES = {
    "static": "What it holds",
    "static.ssid": "Network name",
    "static.password": "Password",
    "static.security": "Security",
    "static.hidden": "Hidden",
    "static.name": "Name",
    "static.organization": "Business",
    "static.title": "Job title",
    "static.phone": "Phone",
    "static.email": "E-mail",
    "static.website": "Website",
    "static.address": "Address",
    "static.note": "Note",
    "static.subject": "Subject",
    "static.message": "Message",
    "static.text": "Text",
}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    """What is posted may also be one of the earlier addresses alone."""
    found = call(request, tools.get, id=id)
    is_static = found["kind"] != DYNAMIC
    shown = [name for name in LABELS if not (is_static and name == "target_url")]
    form = FRAME.form(request, id, labels=LABELS, initial={name: dict(found)[name] for name in shown})
    if answer := form.submit(request.caller):
        moved = answer.data["target_url"] != found["target_url"]
        more = " Printed copies follow at their next scan." if moved else ""
        return done(request, f"Saved.{more}", f"{FRAME.home}/{id}")
    if is_static:
        held = {"code": found, "form": form, "folders": folders_of(request.account), "facts": _facts(found["content"])}
        return FRAME.page(request, id, "qr/static.html", held, form.status)
    changes = found["retargets"][:CHANGES]
    context = {
        "code": {**found, "target": Target.of(found["target_url"])},
        "form": form,
        "folders": folders_of(request.account),
        "changes": [{**change, "at": moment(change["at"])} for change in changes],
        "back": Target.of(changes[0]["from_url"]) if changes else None,
        "back_url": changes[0]["from_url"] if changes else "",
    }
    return FRAME.page(request, id, "qr/edit.html", context, form.status)


def _facts(content: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """What a static code holds: the label, the value and whether it is shown on asking only."""
    return [
        (NAMES[f"static.{name}"], "Yes" if value is True else str(value), name == SECRET)
        for name, value in content.items()
        if name != "kind" and value
    ]


@page()
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Will it scan? A part for htmx, or a page of its own."""
    found = call(request, tools.get, id=id, check=True)
    context = {"code": found, **verdict_of(found["scans_well"])}
    if is_part(request):
        return render(request, "qr/parts/verdict.html", context)
    return FRAME.page(request, id, "qr/check.html", context)
