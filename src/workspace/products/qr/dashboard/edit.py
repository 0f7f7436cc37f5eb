"""What a code is called and where it leads; whether it will scan."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.things import done, moment
from workspace.dashboard.tool_pages import call, page
from workspace.products.qr import tools
from workspace.products.qr.dashboard.frame import FRAME
from workspace.products.qr.dashboard.shown import verdict_of
from workspace.products.qr.rows import folders_of
from workspace.products.qr.target import Target

CHANGES = 10
LABELS = {"name": "Name", "target_url": "Where it leads", "folder": "Folder"}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    """What is posted may also be one of the earlier addresses alone."""
    found = call(request, tools.get, id=id)
    form = FRAME.form(
        request, id, labels=LABELS, initial={name: value for name, value in found.items() if name in LABELS}
    )
    if answer := form.submit(request.caller):
        moved = answer.data["target_url"] != found["target_url"]
        more = " Printed copies follow at their next scan." if moved else ""
        return done(request, f"Saved.{more}", f"{FRAME.home}/{id}")
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


@page()
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Will it scan? A part for htmx, or a page of its own."""
    found = call(request, tools.get, id=id, check=True)
    context = {"code": found, **verdict_of(found["scans_well"])}
    if is_part(request):
        return render(request, "qr/parts/verdict.html", context)
    return FRAME.page(request, id, "qr/check.html", context)
