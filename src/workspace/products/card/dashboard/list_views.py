"""The list of cards and the page for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.products.card.api import tools
from workspace.products.card.dashboard.edit_views import form_context
from workspace.products.card.dashboard.item_layout import LAYOUT
from workspace.products.card.models import KIND
from workspace.storage.files.images import image_url


@page()
def cards(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_cards)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).cards)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    brand = Brand.for_account(request.account)
    initial = {
        "company": request.account.name,
        "phone": brand.phone,
        "address": brand.address,
        "lead_capture": True,
        "color": "",
    }
    form = ToolForm(tools.save, request, entry="items", initial=initial, labels=LAYOUT.labels)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['items'][0]['id']}?made")
    return render(request, "card/owner/new.html", form_context(request, form, "reach"), status=form.status)


def _list_item(card: Mapping[str, Any]) -> ListItem:
    leads = card["lead_count"]
    lead_text = ngettext("%(count)s lead", "%(count)s leads", leads) % {"count": f"{leads:,}"}
    return ListItem(
        title=card["full_name"],
        about=" · ".join(part for part in (card["title"], card["company"]) if part),
        picture=image_url(card["photo_id"], 192) if card["photo_id"] else "",
        number=card["views"],
        unit=ngettext("view", "views", card["views"]),
        more=(lead_text, "leads") if leads else None,
    )
