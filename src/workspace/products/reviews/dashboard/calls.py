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
from workspace.products.reviews import add_tools, page_tools  # noqa: F401 - they fill the box
from workspace.products.reviews.tools import tools
from workspace.toolkit.errors import InvalidInput, NotFound, Refusal
from workspace.toolkit.tool import Tool

PAGES = tool_named(tools, "svc_reviews_pages")
PAGE_CREATE = tool_named(tools, "svc_reviews_page_create")
PAGE_GET = tool_named(tools, "svc_reviews_page_get")
PAGE_EDIT = tool_named(tools, "svc_reviews_page_edit")
PAGE_PAUSE = tool_named(tools, "svc_reviews_page_pause")
PAGE_RESUME = tool_named(tools, "svc_reviews_page_resume")
PAGE_DELETE = tool_named(tools, "svc_reviews_page_delete")
PAGE_STATS = tool_named(tools, "svc_reviews_page_stats")
WIDGET = tool_named(tools, "svc_reviews_widget")
SEARCH = tool_named(tools, "svc_reviews_search")
GET = tool_named(tools, "svc_reviews_get")
APPROVE = tool_named(tools, "svc_reviews_approve")
MODERATE = tool_named(tools, "svc_reviews_moderate")
EDIT = tool_named(tools, "svc_reviews_edit")
REPLY = tool_named(tools, "svc_reviews_reply")
DELETE = tool_named(tools, "svc_reviews_delete")
ADD = tool_named(tools, "svc_reviews_add")
IMPORT = tool_named(tools, "svc_reviews_import")
EXPORT = tool_named(tools, "svc_reviews_export")

HOME = "/app/reviews"

P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool, **arguments: Any) -> Any:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
    """A page for signed-in people, by default for looking only. What there is not is a 404; any other refusal goes back
    to the page above and is told there."""

    def wrap(view: Shown[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404(missing.message) from None
            except Refusal as refusal:
                path = refusal.issues[0].path if isinstance(refusal, InvalidInput) else ""
                if path in ("page_id", "item_id") or not methods:
                    raise Http404(refusal.message) from None
                messages.error(request, refusal.message)
                return redirect_whole(request, _above(request))

        return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

    return wrap


def _above(request: HttpRequest) -> str:
    """The testimonial for what was tried on one, `/app/reviews/PAGE` for the rest of a page."""
    parts = request.path.split("/")
    if len(parts) > 6 and parts[4] == "items":
        return "/".join(parts[:6])
    return "/".join(parts[:4]) if len(parts) > 4 else HOME


def whole_number(text: str | None, default: int, most: int) -> int:
    """A number of the address, or the default where it is none."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(int(text), most)
