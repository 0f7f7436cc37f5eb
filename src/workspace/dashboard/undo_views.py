"""Undoing the change named in a message."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from workspace.accounts import activity_tools
from workspace.dashboard.bin_views import is_deletion
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import build_page_decorator, call_tool

_ID = re.compile(r" \([a-z]+_[0-9a-z]{26}\)")  # tools mention ids, but people know items by name
_undo_page = build_page_decorator(
    list_path="/app", id_arguments=(), find_parent_url=lambda request: get_return_url(request)
)


@_undo_page("POST")
def undo(request: SignedInRequest) -> HttpResponse:
    done = call_tool(request, activity_tools.undo, change_id=request.POST.get("change_id", "")[:40])
    undone, back = request.account.changes.get(pk=done["id"]), get_return_url(request)
    messages.success(
        request,
        gettext("Item restored.")
        if is_deletion(undone)
        else gettext("Undone: %(change)s.") % {"change": _ID.sub("", done["text"]).rstrip(".")},
    )
    if undone.item_id in back and undone.previous.get(undone.item_id, "") is None:
        back = "/".join(back.split("/")[:3])  # an item that was just created is gone after an undo, and so is its page
    return redirect_full_page(request, back)


def get_return_url(request: HttpRequest) -> str:
    """Return the page that showed the message."""
    back = request.POST.get("back", "")[:500]
    return back if back.startswith("/app/") and url_has_allowed_host_and_scheme(back, None) else "/app"
