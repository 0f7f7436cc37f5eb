"""One item: everything about it, and a new one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.menu.dashboard.calls import ADD_ITEM, DELETE_ITEM, EDIT_ITEM, HOME, ITEMS, page
from workspace.products.menu.dashboard.shown import STATES, menu_shown, moment
from workspace.products.menu.food import ALLERGENS, DIETS
from workspace.products.menu.models import KIND
from workspace.toolkit import money
from workspace.toolkit.errors import NotFound

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
    found = call(request, ITEMS, menu_id=id)
    into = one_of(found["sections"], section)
    fixed, amounts = {"menu_id": id, "section_id": section}, _amounts(found)
    form = ToolForm(ADD_ITEM, request, initial=NOTHING, fixed=fixed, labels=LABELS, amounts=amounts)
    if request.method == "POST":
        form_pictures.take(request, form, "photo", "photo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            price = _price(answer.data, found)
            words = f"“{answer.data['name']}” is on the menu{f' at {price}' if price else ''}."
            _tell(request, words, answer.data["warnings"])
            more = request.POST.get("_then") == "more"
            there = f"{HOME}/{id}/sections/{section}/new" if more else f"{HOME}/{id}#{answer.data['id']}"
            return redirect_whole(request, there)
    return _page(request, form, found, {"into": into})


@page("GET", "HEAD", "POST")
def item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    found = call(request, ITEMS, menu_id=id)
    row = one_of(found["items"], item)
    initial = _initial(request, row, found["menu"]["currency"])
    fixed, amounts = {"menu_id": id, "item_id": item}, _amounts(found)
    form = ToolForm(EDIT_ITEM, request, initial=initial, fixed=fixed, editing=True, labels=LABELS, amounts=amounts)
    if request.method == "POST":
        form_pictures.take(request, form, "photo", "photo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            price = _price(answer.data, found)
            words = f"Saved{f' at {price}' if price else ''}. Guests see it on their next load."
            _tell(request, words, answer.data["warnings"])
            return redirect_whole(request, f"{HOME}/{id}#{item}")
    others = [section for section in found["sections"] if section["id"] != row["section_id"]]
    return _page(request, form, found, {"item": row, "others": others, "url": f"{HOME}/{id}/items/{item}"})


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    row = one_of(call(request, ITEMS, menu_id=id)["items"], item)
    if request.method == "POST":
        call(request, DELETE_ITEM, menu_id=id, item_id=item)
        messages.success(request, f"“{row['name']}” is deleted.")
        return redirect_whole(request, f"{HOME}/{id}")
    context = {
        "title": f"Delete “{row['name']}”?",
        "text": "For good. To take it off the menu for a while, hide it instead.",
        "action": request.path,
        "button": "Delete it",
        "back": f"{HOME}/{id}/items/{item}",
    }
    return render(request, "dashboard/confirm.html", context)


def one_of(rows: list[dict[str, Any]], id: str) -> dict[str, Any]:
    for row in rows:
        if row["id"] == id:
            return row
    raise NotFound("It is not on this menu")


def _initial(request: SignedInRequest, row: dict[str, Any], currency: str) -> dict[str, Any]:
    """The present state as the form's inputs write it: prices as 12.50."""

    def written(price: float) -> str:
        return money.plain(money.minor_of(money.amount_of(price), currency), currency)

    until = moment(row["sold_out_until"])
    return {
        **row,
        "price": None if row["price"] is None else written(row["price"]),
        **{
            name: [{**choice, "price": written(choice["price"])} for choice in row[name]]
            for name in ("variants", "add_ons")
        },
        "allergens": {**NOTHING["allergens"], **row["allergens"]},
        "photo_id": row["photo_id"] or "",
        "sold_out_until": until.astimezone(request.account.zone).strftime("%Y-%m-%dT%H:%M") if until else "",
    }


def _amounts(found: dict[str, Any]) -> dict[str, str]:
    return dict.fromkeys(("price", "variants.price", "add_ons.price"), found["menu"]["currency"])


def _price(row: dict[str, Any], found: dict[str, Any]) -> str:
    """The price as it was understood; empty where there is none."""
    if row["price"] is None:
        return ""
    currency = found["menu"]["currency"]
    return money.shown(money.minor_of(money.amount_of(row["price"]), currency), currency)


def _tell(request: SignedInRequest, words: str, warnings: list[str]) -> None:
    messages.success(request, words)
    for warning in warnings:
        messages.warning(request, f"{warning}.")


def _page(request: SignedInRequest, form: ToolForm, found: dict[str, Any], more: dict[str, Any]) -> HttpResponse:
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
