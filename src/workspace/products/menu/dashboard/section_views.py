"""The form of a section: its name, its hours, and whether it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.api import section_and_item_tools, tools
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.item_views import get_item_data
from workspace.products.menu.dashboard.presenters import DAY_CHOICES
from workspace.products.menu.dashboard.translation_fields import language_context

LABELS = {
    "name": owner_gettext_lazy("Section"),
    "hours": owner_gettext_lazy("Hours"),
    "hours.from": owner_gettext_lazy("From"),
    "hours.until": owner_gettext_lazy("Until"),
    "hours.days": owner_gettext_lazy("Days"),
}


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
            messages.success(request, gettext("Section saved."))
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        return redirect_with_message(request, gettext("Section saved."), f"{LAYOUT.home}/{id}#{section}")
    context = {
        "form": form,
        "section": row,
        "url": f"{LAYOUT.home}/{id}/sections/{section}",
        "back": f"{LAYOUT.home}/{id}",
        "days": DAY_CHOICES,
        "in_place": in_place,
        "place": [each["id"] for each in items["sections"]].index(section) + 1,
        "total": len(items["sections"]),
        **language_context(items["menu"]["languages"], row),
    }
    if in_place:
        return render(request, "menu/owner/parts/section_sheet.html", context, status=form.status)
    return LAYOUT.render_item_page(request, id, "menu/owner/section.html", context, form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    row = get_item_data(call_tool(request, tools.list_items, menu_id=id)["sections"], section)
    if request.method == "POST":
        call_tool(request, section_and_item_tools.save_sections, menu_id=id, remove=[section])
        return redirect_with_message(
            request,
            gettext("“%(name)s” deleted. You can restore it for 30 days.") % {"name": row["name"]},
            f"{LAYOUT.home}/{id}",
        )
    count = row["item_count"]
    return render_confirmation(
        request,
        title=gettext("Delete “%(name)s”?") % {"name": row["name"]},
        text=ngettext(
            "Its %(count)s item is deleted too. You can restore it for 30 days. "
            "To remove it temporarily, hide it instead.",
            "Its %(count)s items are deleted too. You can restore it for 30 days. "
            "To remove it temporarily, hide it instead.",
            count,
        )
        % {"count": count},
        button=gettext("Delete section"),
        back=f"{LAYOUT.home}/{id}/sections/{section}",
    )
