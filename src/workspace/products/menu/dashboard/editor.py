"""The menu's own page: every item with its switches, made for a phone during service; and the order of things."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.menu.dashboard.calls import (
    ADD_SECTION,
    EDIT,
    HOME,
    ITEMS,
    MOVE_ITEM,
    ORDER_ITEMS,
    ORDER_SECTIONS,
    UPDATE_ITEM,
    page,
)
from workspace.products.menu.dashboard.shown import item_shown, menu_shown, sections_shown
from workspace.toolkit.errors import NotFound

LABELS = {"name": "Section"}


@page()
def menu(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, ITEMS, menu_id=id)
    return _page(request, found, ToolForm(ADD_SECTION, request, fixed={"menu_id": id}, labels=LABELS))


@page("POST")
def add_section(request: SignedInRequest, id: str) -> HttpResponse:
    form = ToolForm(ADD_SECTION, request, fixed={"menu_id": id}, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{HOME}/{id}#{answer.data['id']}")
    return _page(request, call(request, ITEMS, menu_id=id), form)


@page("POST")
def live(request: SignedInRequest, id: str) -> HttpResponse:
    now = call(request, EDIT, menu_id=id, live=request.POST.get("to") == "true")
    words = "Guests see the menu." if now["live"] else "Guests see a short page that says “Back soon”."
    messages.success(request, words)
    return redirect_whole(request, f"{HOME}/{id}")


@page("POST")
def switch(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """Sold out or there again, hidden or shown; htmx asks for the item's row."""
    field = "hidden" if request.POST.get("field") == "hidden" else "sold_out"
    call(request, UPDATE_ITEM, menu_id=id, item_id=item, **{field: request.POST.get("to") == "true"})
    if not request.headers.get("HX-Request"):
        return redirect_whole(request, f"{HOME}/{id}#{item}")
    found = call(request, ITEMS, menu_id=id)
    for section in sections_shown(found, request.account.zone):
        for row in section["items"]:
            if row["id"] == item:
                return render(request, "menu/parts/row.html", {"item": row, "menu": menu_shown(found["menu"])})
    raise NotFound("There is no such item on this menu")


@page("POST")
def move_section(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    ids = [row["id"] for row in call(request, ITEMS, menu_id=id)["sections"]]
    call(request, ORDER_SECTIONS, menu_id=id, section_ids=_moved(ids, section, request.POST.get("to")))
    return redirect_whole(request, f"{HOME}/{id}#{section}")


@page("POST")
def move_item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    """One place up or down, or to the end of another section."""
    found = call(request, ITEMS, menu_id=id)
    row = next((row for row in found["items"] if row["id"] == item), None)
    if row is None:
        raise NotFound("There is no such item on this menu")
    if section := request.POST.get("section_id"):
        call(request, MOVE_ITEM, menu_id=id, item_id=item, section_id=section)
    else:
        ids = [other["id"] for other in found["items"] if other["section_id"] == row["section_id"]]
        moved = _moved(ids, item, request.POST.get("to"))
        call(request, ORDER_ITEMS, menu_id=id, section_id=row["section_id"], item_ids=moved)
    return redirect_whole(request, f"{HOME}/{id}#{item}")


@page("POST")
def order(request: SignedInRequest, id: str) -> HttpResponse:
    """What was dragged: the ids of all sections, or of all items of a section, in their new order."""
    ids, section = request.POST.getlist("id"), request.POST.get("section_id")
    if section:
        call(request, ORDER_ITEMS, menu_id=id, section_id=section, item_ids=ids)
    else:
        call(request, ORDER_SECTIONS, menu_id=id, section_ids=ids)
    return HttpResponse(status=204)


def _moved(ids: list[str], id: str, to: str | None) -> list[str]:
    """The ids with one of them a place further up or down."""
    if id not in ids:
        raise NotFound("It is not there any more")
    place = ids.index(id)
    rest = [other for other in ids if other != id]
    place = max(0, place - 1) if to == "up" else place + 1
    return [*rest[:place], id, *rest[place:]]


def _page(request: SignedInRequest, found: dict[str, Any], form: ToolForm) -> HttpResponse:
    sections = sections_shown(found, request.account.zone)
    context = {
        "menu": menu_shown(found["menu"]),
        "sections": sections,
        "form": form,
        "warnings": [
            item_shown(item, menu_shown(found["menu"]), request.account.zone)
            for item in found["items"]
            if item["warnings"]
        ],
        "sold_out": sum(item["sold_out"] for item in found["items"]),
    }
    return render(request, "menu/menu.html", context, status=form.status)
