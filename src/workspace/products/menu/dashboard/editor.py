"""The menu's own page: every item with its switches, made for a phone during service; and the order of things."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page
from workspace.products.menu import part_tools, tools
from workspace.products.menu.dashboard.shown import HOME, item_shown, menu_shown, sections_shown
from workspace.products.menu.tools import MenuItems
from workspace.toolkit.errors import NotFound

LABELS = {"name": "Section"}


@page()
def menu(request: SignedInRequest, id: str) -> HttpResponse:
    return _page(request, call(request, tools.menu_items, menu_id=id), _new_section(request, id))


@page("POST")
def add_section(request: SignedInRequest, id: str) -> HttpResponse:
    form = _new_section(request, id)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{id}#{answer.data['items'][0]['id']}")
    return _page(request, call(request, tools.menu_items, menu_id=id), form)


@page("POST")
def live(request: SignedInRequest, id: str) -> HttpResponse:
    now = call(request, tools.edit, menu_id=id, live=request.POST.get("to") == "true")
    words = "Guests see the menu." if now["live"] else "Guests see a short page that says “Back soon”."
    return done(request, words, f"{HOME}/{id}")


@page("POST")
def switch(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """Sold out or there again, hidden or shown; htmx asks for the item's row."""
    field = "hidden" if request.POST.get("field") == "hidden" else "sold_out"
    call(request, part_tools.update_item, menu_id=id, item_id=item, **{field: request.POST.get("to") == "true"})
    if not request.headers.get("HX-Request"):
        return redirect_whole(request, f"{HOME}/{id}#{item}")
    for section in sections_shown(call(request, tools.menu_items, menu_id=id), request.account.zone):
        for row in section["items"]:
            if row["id"] == item:
                return render(request, "menu/parts/row.html", {"item": row})
    raise NotFound("There is no such item on this menu")


@page("POST")
def move_section(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    ids = [row["id"] for row in call(request, tools.menu_items, menu_id=id)["sections"]]
    call(request, part_tools.save_sections, menu_id=id, order=_moved(ids, section, request.POST.get("to")))
    return redirect_whole(request, f"{HOME}/{id}#{section}")


@page("POST")
def move_item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """One place up or down, or to the end of another section."""
    rows = call(request, tools.menu_items, menu_id=id)["items"]
    there = next((row["section_id"] for row in rows if row["id"] == item), None)
    if section := request.POST.get("section_id"):
        call(request, part_tools.save_items, menu_id=id, items=[{"id": item, "section_id": section}])
    else:
        ids = [row["id"] for row in rows if row["section_id"] == there]
        call(request, part_tools.save_items, menu_id=id, order=_moved(ids, item, request.POST.get("to")))
    return redirect_whole(request, f"{HOME}/{id}#{item}")


@page("POST")
def order(request: SignedInRequest, id: str) -> HttpResponse:
    """What was dragged: the ids of all sections, or of all items of a section, in their new order."""
    save = part_tools.save_items if request.POST.get("section_id") else part_tools.save_sections
    call(request, save, menu_id=id, order=request.POST.getlist("id"))
    return HttpResponse(status=204)


def _moved(ids: list[str], id: str, to: str | None) -> list[str]:
    """The ids with one of them a place further up or down."""
    if id not in ids:
        raise NotFound("It is not there any more")
    place = ids.index(id)
    rest = [other for other in ids if other != id]
    place = max(0, place - 1) if to == "up" else place + 1
    return [*rest[:place], id, *rest[place:]]


def _new_section(request: SignedInRequest, id: str) -> ToolForm:
    return ToolForm(part_tools.save_sections, request, fixed={"menu_id": id}, labels=LABELS, entry="items")


def _page(request: SignedInRequest, found: MenuItems, form: ToolForm) -> HttpResponse:
    zone = request.account.zone
    menu = menu_shown(found["menu"])
    context = {
        "menu": menu,
        "sections": sections_shown(found, zone),
        "form": form,
        "warnings": [item_shown(item, menu["url"], zone) for item in found["items"] if item["warnings"]],
        "declared": any(item["allergens"] for item in found["items"]),
    }
    return render(request, "menu/menu.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def check(request: SignedInRequest, id: str) -> HttpResponse:
    """Declares of every dish that it contains none of the allergens that it does not name."""
    found = call(request, tools.menu_items, menu_id=id)["menu"]
    if request.method == "POST":
        call(request, tools.edit, menu_id=id, allergens_checked=True)
        return done(request, "Every dish says now that its allergens are checked.", f"{HOME}/{id}")
    return render(request, "menu/check.html", {"menu": menu_shown(found)})
