"""The list of programs and the page for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import OwnerText
from workspace.products.event.api import tools
from workspace.products.event.dashboard.item_layout import LABELS, LAYOUT
from workspace.products.event.models import KIND


@page()
def programs(request: SignedInRequest) -> HttpResponse:
    listing = LAYOUT.list_items(request, tools.list_events)
    return LAYOUT.render_list(request, listing, _list_item, limit=request.account.limits(KIND).programs)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    # isolated, because it may be written from right to left
    where = f"\u2068{row['where']}\u2069" if row["where"] else ""
    count = row["item_count"]
    sessions = ngettext("%(count)s session", "%(count)s sessions", count) % {"count": count}
    about = " · ".join(filter(None, [row["when"], where, sessions]))
    return ListItem(title=row["title"], about=about, number=row["views"], unit=ngettext("view", "views", row["views"]))


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a program from a title and dates, or from an earlier program with new dates."""
    labels: dict[str, OwnerText] = {
        **LABELS,
        "copy_of": gettext_lazy("Program to copy"),
        "first_day": gettext_lazy("First day"),
    }
    form = ToolForm(tools.create, request, labels=labels)
    if form.is_bound and not form.values.get("copy_of"):
        form.values.pop("first_day", None)
    elif form.is_bound:
        form.values.pop("days", None)
    if answer := form.submit(request.caller):
        return redirect_with_message(
            request, gettext("Program created as a draft."), f"{LAYOUT.home}/{answer.data['id']}"
        )
    earlier = call_tool(request, tools.list_events, limit=100)["items"]
    context = {"form": form, "earlier": [(row["id"], f"{row['title']} ({row['when']})") for row in earlier]}
    return render(request, "event/owner/new.html", context, status=form.status)
