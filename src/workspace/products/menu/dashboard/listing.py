"""The list of menus, and making one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_pictures
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call, page
from workspace.products.menu import tools
from workspace.products.menu.dashboard.shown import HOME, currencies, menu_shown
from workspace.products.menu.models import THEMES

LABELS = {"restaurant_name": "Restaurant", "logo_id": "Logo", "logo": "Logo", "slug": "Address of the menu"}


@page()
def menus(request: SignedInRequest) -> HttpResponse:
    found = call(request, tools.list_menus)
    most = found["limits"]["menus"]
    context = {
        "menus": [menu_shown(row) for row in found["items"]],
        "full": most is not None and found["total"] >= most,
        "most": most,
    }
    return render(request, "menu/list.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"restaurant_name": request.account.name, "currency": "EUR", "theme": THEMES[0]}
    form = ToolForm(tools.create, request, initial=initial, labels=LABELS)
    if request.method == "POST":
        form_pictures.take(request, form, "logo", "logo_id")
        if not form.errors and (answer := form.submit(request.caller)):
            return redirect_whole(request, f"{HOME}/{answer.data['menu']['id']}")
    context = {
        "form": form,
        "themes": THEMES,
        "currencies": currencies(),
        "logo": form_pictures.shown(request.account, form.values.get("logo_id")),
    }
    return render(request, "menu/new.html", context, status=form.status)
