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
from workspace.products.card import lead_tools  # noqa: F401 - it fills the box
from workspace.products.card.tools import tools
from workspace.toolkit.errors import InvalidInput, NotFound, Refusal
from workspace.toolkit.tool import Tool

LIST = tool_named(tools, "svc_card_list")
CREATE = tool_named(tools, "svc_card_create")
GET = tool_named(tools, "svc_card_get")
EDIT = tool_named(tools, "svc_card_edit")
PAUSE = tool_named(tools, "svc_card_pause")
RESUME = tool_named(tools, "svc_card_resume")
DELETE = tool_named(tools, "svc_card_delete")
LEADS = tool_named(tools, "svc_card_leads")
EXPORT = tool_named(tools, "svc_card_export_leads")
REMOVE_LEAD = tool_named(tools, "svc_card_remove_lead")
STATS = tool_named(tools, "svc_card_stats")

HOME = "/app/card"

P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool, **arguments: Any) -> Any:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
    """A page for signed-in people, by default for looking only. A card that there is not is a 404; any other refusal
    goes back to the card, or to the list, and is told there."""

    def wrap(view: Shown[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404(missing.message) from None
            except Refusal as refusal:
                if isinstance(refusal, InvalidInput) or not methods:
                    raise Http404(refusal.message) from None
                messages.error(request, refusal.message)
                return redirect_whole(request, HOME)

        return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

    return wrap


def whole_number(text: str | None, default: int, least: int, most: int) -> int:
    """A number of the address, or the default where it is none or out of bounds."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(max(int(text), least), most)
