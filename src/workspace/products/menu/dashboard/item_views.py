"""One item: everything about it, and a new one. Its form stands in its row where script runs, else on a page."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, input_time
from workspace.dashboard.session import SignedInRequest, is_part, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib import money
from workspace.lib.errors import NotFound
from workspace.products.menu.api import part_tools, tools
from workspace.products.menu.api.serializers import ItemRow, SectionRow
from workspace.products.menu.api.tools import MenuItems
from workspace.products.menu.dashboard import editor_views, forms
from workspace.products.menu.dashboard.layout import FRAME
from workspace.products.menu.dashboard.presenters import STATES
from workspace.products.menu.dashboard.translation_fields import tongues
from workspace.products.menu.models import KIND
from workspace.products.menu.rules.food import ALLERGENS
from workspace.publishing.diets import DIETS

Row = TypeVar("Row", ItemRow, SectionRow)
NOTHING = {"allergens": dict.fromkeys(ALLERGENS, "not_declared")}


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    into = one_of(found["sections"], section)
    url = f"{FRAME.home}/{id}/sections/{section}/new"
    form = forms.dish(request, id, found["menu"]["currency"], NOTHING, {"section_id": section})
    if is_part(request) and "closed" in request.GET:
        return render(request, "menu/parts/place.html", {"into": into})
    if answer := _sent(request, form):
        [row] = answer.data["items"]
        said = f"“{row['name']}” is on the menu{_at(row)}."
        again = request.POST.get("_then") == "more"
        if is_part(request):
            form.values, form.bound, form.token = NOTHING, False, secrets.token_urlsafe(18)
            fresh = _context(request, form, found, {"into": into, "url": url})
            more = render_to_string("menu/parts/open.html" if again else "menu/parts/place.html", fresh, request)
            return editor_views.drawn_row(request, id, row["id"], said, more)
        _tell(request, said, row["warnings"])
        return redirect_whole(request, url if again else f"{FRAME.home}/{id}#{row['id']}")
    return _page(request, form, found, {"into": into, "url": url})


@page("GET", "HEAD", "POST")
def item(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    found = call(request, tools.menu_items, menu_id=id)
    row, currency = one_of(found["items"], item), found["menu"]["currency"]
    form = forms.dish(request, id, currency, _initial(request, row, currency), {"id": item}, editing=True)
    if answer := _sent(request, form):
        [now] = answer.data["items"]
        said = f"Saved{_at(now)}."
        if is_part(request):
            return editor_views.drawn_row(request, id, item, said)
        _tell(request, f"{said} Guests see it on their next load.", now["warnings"])
        return redirect_whole(request, f"{FRAME.home}/{id}#{item}")
    others = [section for section in found["sections"] if section["id"] != row["section_id"]]
    beside = [other["id"] for other in found["items"] if other["section_id"] == row["section_id"]]
    place = {"others": others, "first": beside[0] == item, "last": beside[-1] == item}
    return _page(request, form, found, {"item": row, **place, "url": f"{FRAME.home}/{id}/items/{item}"})


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    row = one_of(call(request, tools.menu_items, menu_id=id)["items"], item)
    if request.method == "POST":
        call(request, part_tools.save_items, menu_id=id, remove=[item])
        return done(request, f"“{row['name']}” is deleted. For 30 days it can be brought back.", f"{FRAME.home}/{id}")
    return ask(
        request,
        title=f"Delete “{row['name']}”?",
        text="For 30 days it can be brought back. To take it off the menu for a while, hide it instead.",
        button="Delete it",
        back=f"{FRAME.home}/{id}/items/{item}",
    )


def one_of(rows: Sequence[Row], id: str) -> Row:
    for row in rows:
        if row["id"] == id:
            return row
    raise NotFound("It is not on this menu")


def _sent(request: SignedInRequest, form: ToolForm) -> Any:
    """The tool's answer to what was posted, with its photo; None for none, or for one that was refused."""
    if request.method != "POST":
        return None
    form_images.take(request, form, "photo", "photo_id")
    return None if form.errors else form.submit(request.caller)


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


def _context(request: SignedInRequest, form: ToolForm, found: MenuItems, more: dict[str, Any]) -> dict[str, Any]:
    return {
        "form": form,
        "menu": found["menu"],
        "back": f"{FRAME.home}/{found['menu']['id']}",
        "diets": [(diet.key, diet.label) for diet in DIETS.values()],
        "allergens": [(one, form.field(f"allergens.{key}")) for key, one in ALLERGENS.items()],
        "states": STATES,
        "photos": request.account.limits(KIND).photos,
        "in_place": is_part(request),
        **tongues(found["menu"]["languages"], more.get("item")),
        **more,
    }


def _page(request: SignedInRequest, form: ToolForm, found: MenuItems, more: dict[str, Any]) -> HttpResponse:
    context = _context(request, form, found, more)
    if is_part(request):
        return render(request, "menu/parts/open.html", context, status=form.status)
    return FRAME.page(request, found["menu"]["id"], "menu/item.html", context, form.status)
