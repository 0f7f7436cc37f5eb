"""Pages over tools: calling one, and what becomes of a refusal that no form shows.

@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.pause, id=id)
    ...
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.plan_limits import refuse_new_item
from workspace.dashboard.session import SignedInRequest, redirect_full_page, require_sign_in
from workspace.lib.errors import BusyError, InvalidInputError, NotFoundError, ToolError, UnavailableError
from workspace.tools.tool import Tool

P = ParamSpec("P")
T = TypeVar("T")
SignedInView = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call_tool(request: SignedInRequest, tool: Tool[T], **arguments: Any) -> T:
    """The data of a tool run as the signed-in person's account. Raises a ToolError."""
    return execute_tool(tool, request.caller, arguments).data


class PageDecorator(Protocol):
    def __call__(self, *methods: str) -> Callable[[SignedInView[P]], View[P]]: ...


def build_page_decorator(
    *, home: str = "", ids: Collection[str] | None = None, above: Callable[[HttpRequest], str] | None = None
) -> PageDecorator:
    """A decorator for pages of signed-in people, by default for looking only. What there is not is a 404, and so is an
    id that cannot be one (the arguments `ids`, or every one called `id` or `…_id`); any other refusal goes back to the
    page above, and is told there. `above(request)` tells which page that is: without it, `HOME/ID` for what is below
    it, else `home`, which is `/app/PRODUCT`."""

    def page(*methods: str) -> Callable[[SignedInView[P]], View[P]]:
        def wrap(view: SignedInView[P]) -> View[P]:
            @wraps(view)
            def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
                try:
                    return refuse_new_item(request) or view(request, *args, **kwargs)
                except NotFoundError as missing:
                    raise Http404(missing.message) from None
                except UnavailableError:
                    raise  # the page above could not say it any better
                except ToolError as refusal:
                    if _is_about_id(refusal, ids) or not (methods or isinstance(refusal, BusyError)):
                        raise Http404(refusal.message) from None
                    messages.error(request, refusal.message)
                    return redirect_full_page(request, above(request) if above else _parent_url(request, home))

            return require_http_methods(list(methods) or ["GET", "HEAD"])(require_sign_in(guarded))

        return wrap

    return page


page = build_page_decorator()


def _is_about_id(refusal: ToolError, ids: Collection[str] | None) -> bool:
    if not isinstance(refusal, InvalidInputError):
        return False
    path = refusal.issues[0].path
    return path == "id" or path.endswith("_id") if ids is None else path in ids


def _parent_url(request: HttpRequest, home: str) -> str:
    parts = request.path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 else home or "/".join(parts[:3])


def clean_text(text: str | None, most: int) -> str:
    """A text of the address, one line of what can be shown; databases do not take every character."""
    return "".join(char for char in text or "" if char.isprintable())[:most].strip()


def parse_whole_number(text: str | None, default: int, least: int, most: int) -> int:
    """A number of the address, or the default where it is none; within `least` and `most`."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(max(int(text), least), most)
