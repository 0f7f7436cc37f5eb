"""The list of link pages, and creating a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.links.api import tools
from workspace.products.links.dashboard.item_layout import LAYOUT
from workspace.products.links.dashboard.presenters import present_themes
from workspace.products.links.models import KIND, ElementKind
from workspace.storage.files.images import image_url

LABELS = {
    "title": owner_gettext_lazy("Name"),
    "bio": owner_gettext_lazy("About"),
    "slug": owner_gettext_lazy("Custom link"),
    "theme": owner_gettext_lazy("Theme"),
}


@page()
def pages(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_pages)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).pages)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, initial={"title": request.account.name[:80]}, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    context = {"form": form, "themes": present_themes(request.account), "host": request.get_host()}
    return render(request, "links/owner/new.html", context, status=form.status)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    buttons = sum(element["kind"] == ElementKind.LINK for element in row["elements"])
    return ListItem(
        title=row["title"],
        about=ngettext("%(count)s button", "%(count)s buttons", buttons) % {"count": buttons},
        picture=image_url(row["avatar_id"], 192) if row["avatar_id"] else f"{LAYOUT.home}/themes/{row['theme']}.svg",
        number=row["views"],
        unit=ngettext("view", "views", row["views"]),
    )
