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
from workspace.products.links import element_tools, file_tools, stats_tools  # noqa: F401 - they fill the box
from workspace.products.links.tools import tools
from workspace.toolkit.errors import NotFound, Refusal
from workspace.toolkit.tool import Tool

PAGES = tool_named(tools, "svc_links_pages")
CREATE = tool_named(tools, "svc_links_create_page")
GET = tool_named(tools, "svc_links_get_page")
EDIT = tool_named(tools, "svc_links_edit_page")
PAUSE = tool_named(tools, "svc_links_pause_page")
RESUME = tool_named(tools, "svc_links_resume_page")
DELETE = tool_named(tools, "svc_links_delete_page")
ADD = tool_named(tools, "svc_links_add")
HEADING = tool_named(tools, "svc_links_insert_heading")
TEXT = tool_named(tools, "svc_links_insert_text")
LIVE = tool_named(tools, "svc_links_insert_live")
EDIT_LINK = tool_named(tools, "svc_links_edit_link")
REMOVE = tool_named(tools, "svc_links_remove_link")
REORDER = tool_named(tools, "svc_links_reorder")
STATS = tool_named(tools, "svc_links_stats")
EXPORT = tool_named(tools, "svc_links_export_page")
IMPORT = tool_named(tools, "svc_links_import_page")

HOME = "/app/links"

P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool, **arguments: Any) -> Any:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
    """A page for signed-in people, by default for looking only. What there is not is a 404; any other refusal goes back
    to the page that was worked on, or to the list, and is told there."""

    def wrap(view: Shown[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404(missing.message) from None
            except Refusal as refusal:
                if not methods:
                    raise Http404(refusal.message) from None
                messages.error(request, refusal.message)
                parts = request.path.split("/")
                return redirect_whole(request, "/".join(parts[:4]) if len(parts) > 4 else HOME)

        return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

    return wrap
