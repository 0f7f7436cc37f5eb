"""One section: its name, its hours, whether it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.tool_views import call, page
from workspace.products.menu.api import part_tools, tools
from workspace.products.menu.dashboard.item_views import one_of
from workspace.products.menu.dashboard.layout import FRAME
from workspace.products.menu.dashboard.presenters import DAYS
from workspace.products.menu.dashboard.translation_fields import tongues

LABELS = {"name": "Section", "hours": "Hours", "hours.from": "From", "hours.until": "Until", "hours.days": "Days"}


@page("GET", "HEAD", "POST")
def section(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    row = one_of(found["sections"], section)
    form = ToolForm(
        part_tools.save_sections,
        request,
        initial=row,
        fixed={"menu_id": id},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": section},
    )
    in_place = is_part(request)
    if form.submit(request.caller):
        if in_place:
            messages.success(request, "Saved. Guests see it on their next load.")
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        return done(request, "Saved. Guests see it on their next load.", f"{FRAME.home}/{id}#{section}")
    context = {
        "form": form,
        "section": row,
        "url": f"{FRAME.home}/{id}/sections/{section}",
        "back": f"{FRAME.home}/{id}",
        "days": DAYS,
        "in_place": in_place,
        **tongues(found["menu"]["languages"], row),
    }
    if in_place:
        return render(request, "menu/parts/section_form.html", context, status=form.status)
    return FRAME.page(request, id, "menu/section.html", context, form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    row = one_of(call(request, tools.menu_items, menu_id=id)["sections"], section)
    if request.method == "POST":
        call(request, part_tools.save_sections, menu_id=id, remove=[section])
        return done(request, f"“{row['name']}” is deleted. For 30 days it can be brought back.", f"{FRAME.home}/{id}")
    count = row["item_count"]
    return ask(
        request,
        title=f"Delete “{row['name']}”?",
        text=f"With {count} item{'' if count == 1 else 's'} in it. For 30 days it can be brought back. To take it off "
        "for a while, hide it.",
        button="Delete it",
        back=f"{FRAME.home}/{id}/sections/{section}",
    )
