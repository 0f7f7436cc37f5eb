"""One section: its name, its hours, whether it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.menu.dashboard.calls import DELETE_SECTION, EDIT_SECTION, HOME, ITEMS, page
from workspace.products.menu.dashboard.items import one_of
from workspace.products.menu.dashboard.shown import DAYS, menu_shown

LABELS = {"name": "Section", "hours": "Hours", "hours.from": "From", "hours.until": "Until", "hours.days": "Days"}


@page("GET", "HEAD", "POST")
def section(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    found = call(request, ITEMS, menu_id=id)
    row = one_of(found["sections"], section)
    fixed = {"menu_id": id, "section_id": section}
    form = ToolForm(EDIT_SECTION, request, initial=row, fixed=fixed, editing=True, labels=LABELS)
    if form.submit(request.caller):
        messages.success(request, "Saved. Guests see it on their next load.")
        return redirect_whole(request, f"{HOME}/{id}#{section}")
    context = {
        "form": form,
        "menu": menu_shown(found["menu"]),
        "section": row,
        "url": f"{HOME}/{id}/sections/{section}",
        "days": DAYS,
    }
    return render(request, "menu/section.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    row = one_of(call(request, ITEMS, menu_id=id)["sections"], section)
    if request.method == "POST":
        call(request, DELETE_SECTION, menu_id=id, section_id=section)
        messages.success(request, f"“{row['name']}” is deleted.")
        return redirect_whole(request, f"{HOME}/{id}")
    count = row["item_count"]
    context = {
        "title": f"Delete “{row['name']}”?",
        "text": f"With {count} item{'' if count == 1 else 's'} in it, for good. To take it off for a while, hide it.",
        "action": request.path,
        "button": "Delete it",
        "back": f"{HOME}/{id}/sections/{section}",
    }
    return render(request, "dashboard/confirm.html", context)
