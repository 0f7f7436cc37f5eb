"""The list of waivers, and creating a waiver from a gallery."""

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
from workspace.products.waiver.api import tools
from workspace.products.waiver.dashboard.edit_views import LABELS
from workspace.products.waiver.dashboard.item_layout import LAYOUT
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.models import KIND
from workspace.publishing.guest_language import guest_language

EMPTY_TEMPLATE = "empty"
MAX_CLAUSES = 4  # clauses of a template that are shown


@page()
def list_waivers(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_waivers)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).waivers)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    unit = ngettext("signature", "signatures", row["signed_count"])
    return ListItem(title=row["title"], about="", number=row["signed_count"], unit=unit, counts_visits=False)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a waiver from the template gallery. The title defaults to that of the template."""
    language = guest_language(request.account)
    form = ToolForm(tools.create, request, labels=LABELS, initial={"copy_of": template_gallery.TEMPLATE_NAMES[0]})
    copy_of = str(form.values.get("copy_of", EMPTY_TEMPLATE))
    if copy_of == EMPTY_TEMPLATE:
        form.values = {name: value for name, value in form.values.items() if name != "copy_of"}
    elif form.is_bound and copy_of in template_gallery.TEMPLATE_NAMES and not str(form.values.get("title", "")).strip():
        form.values["title"] = template_gallery.load_template(copy_of, language)["title"]
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    form.values["copy_of"] = copy_of
    ready = [_present_template(name, language) for name in template_gallery.TEMPLATE_NAMES]
    context = {"form": form, "ready": ready, "empty": EMPTY_TEMPLATE}
    return render(request, "waiver/owner/new.html", context, status=form.status)


def _present_template(name: str, language: str) -> dict[str, str]:
    template = template_gallery.load_template(name, language)
    about = [clause["title"] for clause in template["clauses"]][:MAX_CLAUSES]
    return {"name": name, "title": template["title"], "about": " · ".join(about)}
