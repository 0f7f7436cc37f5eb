"""The form of a section: its name, its hours, and whether it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.menu.api import section_and_item_tools, tools
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.item_views import get_item_data
from workspace.products.menu.dashboard.presenters import DAY_CHOICES
from workspace.products.menu.dashboard.translation_fields import language_context

LABELS = {"name": "Section", "hours": "Hours", "hours.from": "From", "hours.until": "Until", "hours.days": "Days"}


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    items = call_tool(request, tools.list_items, menu_id=id)
    row = get_item_data(items["sections"], section)
    form = ToolForm(
        section_and_item_tools.save_sections,
        request,
        initial=row,
        fixed={"menu_id": id},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": section},
    )
    in_place = is_partial(request)
    if form.submit(request.caller):
        if in_place:
            messages.success(request, "Saved. Guests see it on their next load.")
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        return redirect_with_message(
            request, "Saved. Guests see it on their next load.", f"{LAYOUT.home}/{id}#{section}"
        )
    context = {
        "form": form,
        "section": row,
        "url": f"{LAYOUT.home}/{id}/sections/{section}",
        "back": f"{LAYOUT.home}/{id}",
        "days": DAY_CHOICES,
        "in_place": in_place,
        **language_context(items["menu"]["languages"], row),
    }
    if in_place:
        return render(request, "menu/parts/section_form.html", context, status=form.status)
    return LAYOUT.render_item_page(request, id, "menu/section.html", context, form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    row = get_item_data(call_tool(request, tools.list_items, menu_id=id)["sections"], section)
    if request.method == "POST":
        call_tool(request, section_and_item_tools.save_sections, menu_id=id, remove=[section])
        return redirect_with_message(
            request, f"“{row['name']}” is deleted. For 30 days it can be brought back.", f"{LAYOUT.home}/{id}"
        )
    count = row["item_count"]
    return render_confirmation(
        request,
        title=f"Delete “{row['name']}”?",
        text=f"With {count} item{'' if count == 1 else 's'} in it. For 30 days it can be brought back. To take it off "
        "for a while, hide it.",
        button="Delete it",
        back=f"{LAYOUT.home}/{id}/sections/{section}",
    )
