"""The list of menus, and creating a menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.lib.money import currency_choices
from workspace.products.menu.api import tools
from workspace.products.menu.dashboard.design_views import LABELS
from workspace.products.menu.dashboard.item_layout import LAYOUT
from workspace.products.menu.dashboard.presenters import THEME_CHOICES
from workspace.products.menu.models import KIND, default_currency
from workspace.products.menu.rules.theme import THEMES


@page()
def menus(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_menus)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).menus)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {
        "restaurant_name": request.account.name,
        "currency": default_currency(request.account),
        "theme": THEMES[0],
    }
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    if request.method == "POST":
        form_images.store_upload(request, form, "logo", "logo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['menu']['id']}?made")
    context = {
        "form": form,
        "themes": THEME_CHOICES,
        "currencies": currency_choices(),
    }
    return render(request, "menu/owner/new.html", context, status=form.status)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    count = row["item_count"]
    return ListItem(
        title=row["restaurant_name"],
        about=ngettext("%(count)s item", "%(count)s items", count) % {"count": count},
        number=row["views"],
        unit=ngettext("view", "views", row["views"]),
    )
