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
from workspace.products.qr import bulk_tools, scan_tools  # noqa: F401 - they fill the box
from workspace.products.qr.tools import tools
from workspace.toolkit.errors import InvalidInput, NotFound, Refusal
from workspace.toolkit.tool import Tool

LIST = tool_named(tools, "svc_qr_list")
CREATE = tool_named(tools, "svc_qr_create")
GET = tool_named(tools, "svc_qr_get")
EDIT = tool_named(tools, "svc_qr_edit")
RETARGET = tool_named(tools, "svc_qr_update_target")
UNDO = tool_named(tools, "svc_qr_undo")
PAUSE = tool_named(tools, "svc_qr_pause")
RESUME = tool_named(tools, "svc_qr_resume")
DELETE = tool_named(tools, "svc_qr_delete")
STATS = tool_named(tools, "svc_qr_stats")
EXPORT = tool_named(tools, "svc_qr_export_scans")
CHECK = tool_named(tools, "svc_qr_check")
BULK = tool_named(tools, "svc_qr_bulk_create")

HOME = "/app/qr"

P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool, **arguments: Any) -> Any:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
    """A page for signed-in people, by default for looking only. A code that there is not is a 404; any other refusal
    goes back to the code, or to the list, and is told there."""

    def wrap(view: Shown[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except NotFound as missing:
                raise Http404(missing.message) from None
            except Refusal as refusal:
                if isinstance(refusal, InvalidInput) and refusal.issues[0].path == "id":
                    raise Http404("There is no such QR code") from None
                if not methods:
                    raise Http404(refusal.message) from None
                messages.error(request, refusal.message)
                return redirect_whole(request, _above(request))

        return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

    return wrap


def _above(request: HttpRequest) -> str:
    """The code's own page for what was tried on a code, else the list."""
    parts = request.path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 else HOME


def words(text: str | None, most: int) -> str:
    """A text of the address, one line of what can be shown; databases do not take every character."""
    return "".join(char for char in text or "" if char.isprintable())[:most].strip()


def whole_number(text: str | None, default: int, least: int, most: int) -> int:
    """A number of the address, or the default where it is none or out of bounds."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(max(int(text), least), most)
