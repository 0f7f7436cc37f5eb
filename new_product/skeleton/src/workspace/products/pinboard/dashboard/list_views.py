"""The list of notice boards and the page for a new one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.products.pinboard.api import tools
from workspace.products.pinboard.api.serializers import NoticeBoardSummary
from workspace.products.pinboard.dashboard.item_layout import LAYOUT
from workspace.products.pinboard.models import KIND


@page()
def list_page(request: SignedInRequest) -> HttpResponse:
    """Show the notice boards of the account."""
    listing = LAYOUT.list_items(request, tools.list_notice_boards)
    return LAYOUT.render_list(request, listing, _build_list_item, limit=request.account.limits(KIND).notice_boards)


@page("GET", "HEAD", "POST")
def new_page(request: SignedInRequest) -> HttpResponse:
    """Show the form for a new notice board, and create it."""
    form = ToolForm(tools.create, request)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    return render(request, "pinboard/new.html", {"form": form}, status=form.status)


def _build_list_item(notice_board: NoticeBoardSummary) -> ListItem:
    views = notice_board["views"]
    return ListItem(title=notice_board["title"], number=views, unit="view" if views == 1 else "views")
