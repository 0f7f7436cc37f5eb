"""The list of menus, and making one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import page
from workspace.products.menu import tools
from workspace.products.menu.dashboard.frame import FRAME
from workspace.products.menu.dashboard.look import LABELS
from workspace.products.menu.models import KIND, usual_currency
from workspace.products.menu.theme import THEMES
from workspace.toolkit.money import currencies


@page()
def menus(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.list_menus)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).menus)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"restaurant_name": request.account.name, "currency": usual_currency(request.account), "theme": THEMES[0]}
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "logo", "logo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            return redirect_whole(request, f"{FRAME.home}/{answer.data['menu']['id']}?made")
    context = {
        "form": form,
        "themes": THEMES,
        "currencies": currencies(),
    }
    return render(request, "menu/new.html", context, status=form.status)


def _line(row: Mapping[str, Any]) -> Line:
    count = row["item_count"]
    return Line(
        title=row["restaurant_name"],
        about=f"{count} item{'' if count == 1 else 's'}",
        number=row["views"],
        unit="view" if row["views"] == 1 else "views",
    )
