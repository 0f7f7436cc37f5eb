"""The form of an existing or a new item. With scripts, it opens in a sheet, and otherwise on a page."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, TypeVar

from django.contrib import messages as flash_messages
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import format_input_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib import money
from workspace.lib.errors import NotFoundError
from workspace.products.menu import messages
from workspace.products.menu.api import section_and_item_tools, tools
from workspace.products.menu.api.serializers import ItemData, SectionData
from workspace.products.menu.api.tools import MenuItems
from workspace.products.menu.dashboard import dish_form, editor_views
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.presenters import STATE_CHOICES
from workspace.products.menu.dashboard.translation_fields import language_context
from workspace.products.menu.models import KIND
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.publishing.diets import DIETS

Row = TypeVar("Row", ItemData, SectionData)
# the lines of the form that can be opened, and the fields below them
LINES = {
    "price": {"price_note", "price_from"},
    "sizes": {"variants", "add_ons"},
    "food": {"dietary_tags", "allergens", "allergens_checked"},
    "translations": {"translations"},
    "photo": {"photo", "photo_id"},
    "shown": {"sold_out", "sold_out_until", "hidden"},
}
EMPTY_ITEM = {"allergens": dict.fromkeys(ALLERGENS, "not_declared")}


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str, section: str) -> HttpResponse:
    """Add an item. With htmx, it is typed in the last row of its section, and otherwise on its own page."""
    items = call_tool(request, tools.list_items, menu_id=id)
    into = get_item_data(items["sections"], section)
    url = f"{LAYOUT.home}/{id}/sections/{section}/new"
    form = dish_form.build_dish_form(request, id, items["menu"]["currency"], EMPTY_ITEM, {"section_id": section})
    row_context = {"menu": items["menu"], "target_section": {**into, "url": url.removesuffix("/new")}, "is_next": True}
    if answer := _submit_form(request, form):
        [row] = answer.data["items"]
        text = _format_saved(row, gettext("“%(name)s” added."), gettext("“%(name)s” added at %(price)s."))
        if is_partial(request):
            fresh = {**row_context, "token": secrets.token_urlsafe(18)}
            next_row = render_to_string("menu/owner/parts/add_row.html", fresh, request)
            return editor_views.render_item_row(request, id, row["id"], text, next_row)
        _add_messages(request, text, row["warnings"])
        adds_more = request.POST.get("_then") == "more"
        return redirect_full_page(request, url if adds_more else f"{LAYOUT.home}/{id}#{row['id']}")
    if is_partial(request):
        typed = {"form": form, "token": form.token, "typed_price": request.POST.get("price", "")}
        return render(request, "menu/owner/parts/add_row.html", {**row_context, **typed}, status=form.status)
    return _render_page(request, form, items, {"target_section": into, "url": url})


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    items = call_tool(request, tools.list_items, menu_id=id)
    row, currency = get_item_data(items["items"], item), items["menu"]["currency"]
    form = dish_form.build_dish_form(
        request, id, currency, _initial_values(request, row, currency), {"id": item}, editing=True
    )
    if answer := _submit_form(request, form):
        [now] = answer.data["items"]
        text = _format_saved(now, gettext("“%(name)s” saved."), gettext("“%(name)s” saved at %(price)s."))
        if is_partial(request):
            response = editor_views.render_item_row(request, id, item, text)
            response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#{item}", "outerHTML"
            return response
        _add_messages(request, text, now["warnings"])
        return redirect_full_page(request, f"{LAYOUT.home}/{id}#{item}")
    others = [section for section in items["sections"] if section["id"] != row["section_id"]]
    beside = [other["id"] for other in items["items"] if other["section_id"] == row["section_id"]]
    place = {"others": others, "first": beside[0] == item, "last": beside[-1] == item}
    return _render_page(request, form, items, {"item": row, **place, "url": f"{LAYOUT.home}/{id}/items/{item}"})


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item: str) -> HttpResponse:
    row = get_item_data(call_tool(request, tools.list_items, menu_id=id)["items"], item)
    if request.method == "POST":
        call_tool(request, section_and_item_tools.save_items, menu_id=id, remove=[item])
        return redirect_with_message(
            request,
            gettext("“%(name)s” deleted. You can restore it for 30 days.") % {"name": row["name"]},
            f"{LAYOUT.home}/{id}",
        )
    return render_confirmation(
        request,
        title=gettext("Delete “%(name)s”?") % {"name": row["name"]},
        text=gettext("You can restore it for 30 days. To remove it temporarily, hide it instead."),
        button=gettext("Delete item"),
        back=f"{LAYOUT.home}/{id}/items/{item}",
    )


def get_item_data(rows: Sequence[Row], id: str) -> Row:
    for row in rows:
        if row["id"] == id:
            return row
    raise NotFoundError(messages.ENTRY_NOT_FOUND)


def _submit_form(request: SignedInRequest, form: ToolForm) -> Any:
    """Submit the form with its photo. Return the tool's answer, or None if nothing was posted or saved."""
    if request.method != "POST":
        return None
    form_images.store_upload(request, form, "photo", "photo_id")
    return None if form.errors else form.submit(request.caller)


def _initial_values(request: SignedInRequest, row: ItemData, currency: str) -> dict[str, Any]:
    """Return the current values as the form's inputs show them, with prices such as 12.50."""

    def format_value(price: float) -> str:
        return money.format_decimal(money.to_minor_units(money.parse_wire_amount(price), currency), currency)

    return {
        **row,
        "price": None if row["price"] is None else format_value(row["price"]),
        "variants": [{**choice, "price": format_value(choice["price"])} for choice in row["variants"]],
        "add_ons": [{**choice, "price": format_value(choice["price"])} for choice in row["add_ons"]],
        "allergens": {**EMPTY_ITEM["allergens"], **row["allergens"]},
        "photo_id": row["photo_id"] or "",
        "sold_out_until": format_input_time(row["sold_out_until"], request.account.zone),
    }


def _format_saved(row: ItemData, text: str, text_with_price: str) -> str:
    """Return the message about a saved item. If the item has a price, include it as it was parsed."""
    if row["price"] is None or row["price_note"]:
        return text % {"name": row["name"]}
    return text_with_price % {"name": row["name"], "price": row["price_text"]}


def _add_messages(request: SignedInRequest, words: str, warnings: list[str]) -> None:
    flash_messages.success(request, words)
    for warning in warnings:
        flash_messages.warning(request, warning)


def _context(request: SignedInRequest, form: ToolForm, items: MenuItems, more: dict[str, Any]) -> dict[str, Any]:
    return {
        "form": form,
        "menu": items["menu"],
        "back": f"{LAYOUT.home}/{items['menu']['id']}",
        "diets": [(diet.key, diet.label) for diet in DIETS.values()],
        "allergens": [(allergen, form.get_field(f"allergens.{key}")) for key, allergen in ALLERGENS.items()],
        "states": STATE_CHOICES,
        "photos": request.account.limits(KIND).photos,
        "in_place": is_partial(request),
        "opened": _find_open_lines(form),
        **language_context(items["menu"]["languages"], more.get("item")),
        **more,
    }


def _find_open_lines(form: ToolForm) -> dict[str, bool]:
    """Return which lines of the form are open: those with an error."""
    wrong = {path.split(".")[0] for path in form.errors}
    return {name: bool(wrong & fields) for name, fields in LINES.items()}


def _render_page(request: SignedInRequest, form: ToolForm, items: MenuItems, more: dict[str, Any]) -> HttpResponse:
    context = _context(request, form, items, more)
    if is_partial(request):
        return render(request, "menu/owner/parts/item_sheet.html", context, status=form.status)
    return LAYOUT.render_item_page(request, items["menu"]["id"], "menu/owner/item.html", context, form.status)
