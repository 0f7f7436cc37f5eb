"""The list of forms and the page for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.accounts.models import Account
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.api import tools
from workspace.products.form.dashboard.item_layout import CLOSED_LABELS, LAYOUT
from workspace.products.form.domain import template_gallery
from workspace.products.form.models import KIND
from workspace.publishing.guest_language import guest_language

EMPTY_FORM = "empty"
MAX_PREVIEW_QUESTIONS = 4  # questions of a template in its preview
UNLISTED_TYPES = ("heading", "text", "calculated", "consent")
LABELS = {"title": owner_gettext_lazy("Title"), "copy_of": owner_gettext_lazy("Template")}


@page()
def forms(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_forms)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).forms)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a form from the template gallery. The title defaults to that of the template."""
    account = request.account
    form = ToolForm(tools.create, request, labels=LABELS, initial={"copy_of": EMPTY_FORM})
    copy_of = form.values.get("copy_of", EMPTY_FORM)
    if copy_of == EMPTY_FORM:
        form.values = {name: value for name, value in form.values.items() if name != "copy_of"}
    elif copy_of in template_gallery.TEMPLATE_NAMES and not str(form.values.get("title", "")).strip():
        form.values["title"] = template_gallery.load_template(copy_of, guest_language(account))["title"]
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    form.values["copy_of"] = copy_of
    empty = {
        "name": EMPTY_FORM,
        "title": gettext("Empty form"),
        "about": gettext("Starts with name, email and message"),
    }
    ready = [_present_template(account, name) for name, _ in template_gallery.list_titles(account)]
    return render(request, "form/owner/new.html", {"form": form, "ready": [empty, *ready]}, status=form.status)


def _present_template(account: Account, name: str) -> dict[str, str]:
    """Prepare a template in the account's language: its title and its first questions."""
    template = template_gallery.load_template(name, guest_language(account))
    labels = [
        field["label"]
        for page in template["pages"]
        for field in page["fields"]
        if field.get("type") not in UNLISTED_TYPES
    ]
    more = f" +\u00a0{len(labels) - MAX_PREVIEW_QUESTIONS}" if len(labels) > MAX_PREVIEW_QUESTIONS else ""
    return {"name": name, "title": template["title"], "about": " · ".join(labels[:MAX_PREVIEW_QUESTIONS]) + more}


def _list_item(row: Mapping[str, Any]) -> ListItem:
    return ListItem(
        title=row["title"],
        closed_reason=CLOSED_LABELS.get(row["closed"], ""),
        number=row["responses"],
        unit=ngettext("response", "responses", row["responses"]),
        counts_visits=False,
        more=(gettext("%(count)s new") % {"count": f"{row['unread']:,}"}, "responses") if row["unread"] else None,
    )
