"""One item: everything about it, and a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.menu import part_tools, tools
from workspace.products.menu.dashboard.shown import HOME, STATES, menu_shown
from workspace.products.menu.food import ALLERGENS, DIETS
from workspace.products.menu.models import KIND
from workspace.products.menu.rows import ItemRow, SectionRow
from workspace.products.menu.tools import MenuItems
from workspace.toolkit import money
from workspace.toolkit.errors import NotFound

Row = TypeVar("Row", ItemRow, SectionRow)
LABELS = {
    "name": "Name",
    "price": "Price",
    "price_note": "Instead of the price",
    "dietary_tags": "Suitable for",
    "variants": "Sizes and variants",
    "add_ons": "Extras",
    "photo": "Photo",
    "photo_id": "Photo",
    "sold_out_until": "Back again on",
    **{f"allergens.{key}": one.label for key, one in ALLERGENS.items()},
}
NOTHING = {"allergens": dict.fromkeys(ALLERGENS, "not_declared")}


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    into = one_of(found["sections"], section)
    form = _form(request, found, NOTHING, {"section_id": section})
    if request.method == "POST":
        form_pictures.take(request, form, "photo", "photo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            [row] = answer.data["items"]
            _tell(request, f"“{row['name']}” is on the menu{_at(row)}.", row["warnings"])
            more = request.POST.get("_then") == "more"
            there = f"{HOME}/{id}/sections/{section}/new" if more else f"{HOME}/{id}#{row['id']}"
            return redirect_whole(request, there)
    return _page(request, form, found, {"into": into})


@page("GET", "HEAD", "POST")
def item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    row = one_of(found["items"], item)
    form = _form(request, found, _initial(request, row, found["menu"]["currency"]), {"id": item}, editing=True)
    if request.method == "POST":
        form_pictures.take(request, form, "photo", "photo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            [now] = answer.data["items"]
            _tell(request, f"Saved{_at(now)}. Guests see it on their next load.", now["warnings"])
            return redirect_whole(request, f"{HOME}/{id}#{item}")
    others = [section for section in found["sections"] if section["id"] != row["section_id"]]
    return _page(request, form, found, {"item": row, "others": others, "url": f"{HOME}/{id}/items/{item}"})


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    row = one_of(call(request, tools.menu_items, menu_id=id)["items"], item)
    if request.method == "POST":
        call(request, part_tools.save_items, menu_id=id, remove=[item])
        return done(request, f"“{row['name']}” is deleted. For 30 days it can be brought back.", f"{HOME}/{id}")
    return ask(
        request,
        title=f"Delete “{row['name']}”?",
        text="For 30 days it can be brought back. To take it off the menu for a while, hide it instead.",
        button="Delete it",
        back=f"{HOME}/{id}/items/{item}",
    )


def one_of(rows: Sequence[Row], id: str) -> Row:
    for row in rows:
        if row["id"] == id:
            return row
    raise NotFound("It is not on this menu")


def _form(
    request: SignedInRequest,
    found: MenuItems,
    initial: dict[str, Any],
    fixed: dict[str, str],
    *,
    editing: bool = False,
) -> ToolForm:
    """Of one dish among those that the tool takes."""
    menu = found["menu"]
    return ToolForm(
        part_tools.save_items,
        request,
        initial=initial,
        fixed={"menu_id": menu["id"]},
        editing=editing,
        labels=LABELS,
        amounts=dict.fromkeys(("price", "variants.price", "add_ons.price"), menu["currency"]),
        entry="items",
        entry_fixed=fixed,
    )


def _initial(request: SignedInRequest, row: ItemRow, currency: str) -> dict[str, Any]:
    """The present state as the form's inputs write it: prices as 12.50."""

    def written(price: float) -> str:
        return money.plain(money.minor_of(money.amount_of(price), currency), currency)

    return {
        **row,
        "price": None if row["price"] is None else written(row["price"]),
        "variants": [{**choice, "price": written(choice["price"])} for choice in row["variants"]],
        "add_ons": [{**choice, "price": written(choice["price"])} for choice in row["add_ons"]],
        "allergens": {**NOTHING["allergens"], **row["allergens"]},
        "photo_id": row["photo_id"] or "",
        "sold_out_until": input_time(row["sold_out_until"], request.account.zone),
    }


def _at(row: ItemRow) -> str:
    """The price as it was understood; empty where there is none."""
    return "" if row["price"] is None or row["price_note"] else f" at {row['price_text']}"


def _tell(request: SignedInRequest, words: str, warnings: list[str]) -> None:
    messages.success(request, words)
    for warning in warnings:
        messages.warning(request, f"{warning}.")


def _page(request: SignedInRequest, form: ToolForm, found: MenuItems, more: dict[str, Any]) -> HttpResponse:
    context = {
        "form": form,
        "menu": menu_shown(found["menu"]),
        "diets": [(diet.key, diet.label) for diet in DIETS.values()],
        "allergens": [(one, form.field(f"allergens.{key}")) for key, one in ALLERGENS.items()],
        "states": STATES,
        "photo": form_pictures.shown(request.account, form.values.get("photo_id")),
        "photos": request.account.limits(KIND).photos,
        **more,
    }
    return render(request, "menu/item.html", context, status=form.status)
