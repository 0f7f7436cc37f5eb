"""The tools that these pages call, and what becomes of a refusal that no form shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from workspace.accounts.door import perform
from workspace.dashboard.forms import tool_named
from workspace.dashboard.session import SignedInRequest, redirect_whole, signed_in
from workspace.products.menu import item_tools, section_tools, stats_tools  # noqa: F401 - they fill the box
from workspace.products.menu.tools import tools
from workspace.toolkit.errors import InvalidInput, NotFound, Refusal
from workspace.toolkit.tool import Tool

LIST = tool_named(tools, "svc_menu_list")
ITEMS = tool_named(tools, "svc_menu_items")
CREATE = tool_named(tools, "svc_menu_create")
EDIT = tool_named(tools, "svc_menu_edit_menu")
DELETE = tool_named(tools, "svc_menu_delete_menu")
STATS = tool_named(tools, "svc_menu_stats")
ADD_SECTION = tool_named(tools, "svc_menu_add_section")
EDIT_SECTION = tool_named(tools, "svc_menu_edit_section")
DELETE_SECTION = tool_named(tools, "svc_menu_delete_section")
ORDER_SECTIONS = tool_named(tools, "svc_menu_order_sections")
ADD_ITEM = tool_named(tools, "svc_menu_add_item")
UPDATE_ITEM = tool_named(tools, "svc_menu_update_item")
EDIT_ITEM = tool_named(tools, "svc_menu_edit_item")
DELETE_ITEM = tool_named(tools, "svc_menu_delete_item")
ORDER_ITEMS = tool_named(tools, "svc_menu_order_items")
MOVE_ITEM = tool_named(tools, "svc_menu_move_item")

HOME = "/app/menu"
_IDS = ("menu_id", "section_id", "item_id")

P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool, **arguments: Any) -> Any:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
    """A page for signed-in people, by default for looking only. What there is not is a 404; any other refusal goes back
    to the menu, or to the list, and is told there."""

    def wrap(view: Shown[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404(missing.message) from None
            except Refusal as refusal:
                if isinstance(refusal, InvalidInput) and refusal.issues[0].path in _IDS:
                    raise Http404("There is no such thing on your menus") from None
                if not methods:
                    raise Http404(refusal.message) from None
                messages.error(request, refusal.message)
                return redirect_whole(request, _above(request))

        return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

    return wrap


def _above(request: HttpRequest) -> str:
    """The menu's own page for what was tried on a menu, else the list."""
    parts = request.path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 else HOME
