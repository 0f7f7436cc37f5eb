"""The editor of a menu's content, with switches for a phone during service, and the order of its parts."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard import item_views
from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import NotFoundError
from workspace.lib.languages import language_name
from workspace.products.menu import messages
from workspace.products.menu.api import section_and_item_tools, tools
from workspace.products.menu.api.tools import MenuItems
from workspace.products.menu.dashboard import dish_form
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.presenters import build_row_labels, present_item, present_sections


@page()
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    return _render_page(request, call_tool(request, tools.list_items, menu_id=id), _section_form(request, id))


@page("POST")
def add_section(request: SignedInRequest, id: str) -> HttpResponse:
    form = _section_form(request, id)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{id}#{answer.data['items'][0]['id']}")
    return _render_page(request, call_tool(request, tools.list_items, menu_id=id), form)


@page("POST")
def switch_sold_out(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """Mark an item as sold out or available. For htmx, return the row of the item."""
    is_out = request.POST.get("sold_out") == "true"
    call_tool(request, section_and_item_tools.update_item, menu_id=id, item_id=item, sold_out=is_out)
    if not is_partial(request):
        return redirect_full_page(request, f"{LAYOUT.home}/{id}#{item}")
    return render_item_row(request, id, item)


def render_item_row(
    request: SignedInRequest, id: str, item: str, message: str = "", extra_html: str = ""
) -> HttpResponse:
    """Render the row of an item as a part of the page, with a message. `extra_html` is inserted after the row."""
    for section in present_sections(call_tool(request, tools.list_items, menu_id=id), request.account.zone):
        for entry in section["items"]:
            if entry["id"] == item:
                context = {"items": [entry], "status_message": message, "more": extra_html, **build_row_labels()}
                return render(request, "menu/owner/parts/rows.html", context)
    raise NotFoundError(messages.ITEM_NOT_FOUND)


@page("POST")
def move_section(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    ids = [row["id"] for row in call_tool(request, tools.list_items, menu_id=id)["sections"]]
    call_tool(
        request, section_and_item_tools.save_sections, menu_id=id, order=_move_id(ids, section, request.POST.get("to"))
    )
    return redirect_full_page(request, f"{LAYOUT.home}/{id}#{section}")


@page("POST")
def move_item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """Move an item up or down, or to the end of another section."""
    rows = call_tool(request, tools.list_items, menu_id=id)["items"]
    existing = next((row["section_id"] for row in rows if row["id"] == item), None)
    if section := request.POST.get("section_id"):
        call_tool(request, section_and_item_tools.save_items, menu_id=id, items=[{"id": item, "section_id": section}])
    else:
        ids = [row["id"] for row in rows if row["section_id"] == existing]
        call_tool(
            request, section_and_item_tools.save_items, menu_id=id, order=_move_id(ids, item, request.POST.get("to"))
        )
    return redirect_full_page(request, f"{LAYOUT.home}/{id}#{item}")


@page("POST")
def reorder(request: SignedInRequest, id: str) -> HttpResponse:
    """Save the order after an item or section was dragged: the ids of all sections, or of all items of a section."""
    save = section_and_item_tools.save_items if request.POST.get("section_id") else section_and_item_tools.save_sections
    call_tool(request, save, menu_id=id, order=request.POST.getlist("id"))
    return HttpResponse(status=204)


@page("GET", "HEAD", "POST")
def confirm_allergens(request: SignedInRequest, id: str) -> HttpResponse:
    """Let the owner confirm that dishes contain no allergens other than the declared ones."""
    menu = call_tool(request, tools.list_items, menu_id=id)["menu"]
    if request.method == "POST":
        call_tool(request, tools.edit, menu_id=id, allergens_checked=True)
        return redirect_with_message(
            request, gettext("Allergens of all dishes marked as checked."), f"{LAYOUT.home}/{id}"
        )
    return LAYOUT.render_item_page(request, id, "menu/owner/confirm_allergens.html", {"menu": menu})


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Preview the guest page, including the unsaved menu or dish being edited."""
    dish, section = request.POST.get("_item", ""), request.POST.get("_section", "")
    if not dish and not section:
        return item_views.preview(request, id, LAYOUT)
    item = LAYOUT.get_item(request, id)
    existing = item.items().filter(pk=dish).exists() if dish else item.sections.filter(pk=section).exists()
    if not existing:
        return guests_page.render_preview(request, item)
    fixed = {"id": dish} if dish else {"section_id": section}
    return guests_page.render_draft(
        request, item, dish_form.build_dish_form(request, id, item.currency, {}, fixed, editing=bool(dish))
    )


def _move_id(ids: list[str], id: str, direction: str | None) -> list[str]:
    """Return the ids with one of them moved up or down."""
    if id not in ids:
        raise NotFoundError(messages.ENTRY_NOT_FOUND)
    place = ids.index(id)
    rest = [other for other in ids if other != id]
    place = max(0, place - 1) if direction == "up" else place + 1
    return [*rest[:place], id, *rest[place:]]


def _section_form(request: SignedInRequest, id: str) -> ToolForm:
    return ToolForm(
        section_and_item_tools.save_sections,
        request,
        fixed={"menu_id": id},
        labels={"name": gettext("Section")},
        entry="items",
    )


def _render_page(request: SignedInRequest, items: MenuItems, form: ToolForm) -> HttpResponse:
    zone, id = request.account.zone, items["menu"]["id"]
    warned = [item for item in items["items"] if item["warnings"]]
    context = {
        "menu": items["menu"],
        "sections": present_sections(items, zone),
        "form": form,
        "warnings": [present_item(item, f"{LAYOUT.home}/{id}", zone) for item in warned],
        "incomplete_languages": [(language_name(code), n) for code, n in items["menu"]["untranslated"].items() if n],
        "parts": len(items["items"]) + len(items["sections"]),
        "declared": any(item["allergens"] for item in items["items"]),
        **build_row_labels(),
    }
    return LAYOUT.render_item_page(request, id, "menu/owner/edit.html", context, form.status)
