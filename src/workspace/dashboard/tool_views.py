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

from workspace.accounts.dispatch import perform
from workspace.dashboard.plan_limits import refuse_new
from workspace.dashboard.session import SignedInRequest, redirect_whole, signed_in
from workspace.lib.errors import Busy, InvalidInput, NotFound, Refusal, Unavailable
from workspace.tools.tool import Tool

P = ParamSpec("P")
T = TypeVar("T")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call(request: SignedInRequest, tool: Tool[T], **arguments: Any) -> T:
    """The data of a tool run as the signed-in person's account. Raises a Refusal."""
    return perform(tool, request.caller, arguments).data


class PageDecorator(Protocol):
    def __call__(self, *methods: str) -> Callable[[Shown[P]], View[P]]: ...


def pages(
    *, home: str = "", ids: Collection[str] | None = None, above: Callable[[HttpRequest], str] | None = None
) -> PageDecorator:
    """A decorator for pages of signed-in people, by default for looking only. What there is not is a 404, and so is an
    id that cannot be one (the arguments `ids`, or every one called `id` or `…_id`); any other refusal goes back to the
    page above, and is told there. `above(request)` tells which page that is: without it, `HOME/ID` for what is below
    it, else `home`, which is `/app/PRODUCT`."""

    def page(*methods: str) -> Callable[[Shown[P]], View[P]]:
        def wrap(view: Shown[P]) -> View[P]:
            @wraps(view)
            def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
                try:
                    return refuse_new(request) or view(request, *args, **kwargs)
                except NotFound as missing:
                    raise Http404(missing.message) from None
                except Unavailable:
                    raise  # the page above could not say it any better
                except Refusal as refusal:
                    if _is_about_id(refusal, ids) or not (methods or isinstance(refusal, Busy)):
                        raise Http404(refusal.message) from None
                    messages.error(request, refusal.message)
                    return redirect_whole(request, above(request) if above else _above(request, home))

            return require_http_methods(list(methods) or ["GET", "HEAD"])(signed_in(guarded))

        return wrap

    return page


page = pages()


def _is_about_id(refusal: Refusal, ids: Collection[str] | None) -> bool:
    if not isinstance(refusal, InvalidInput):
        return False
    path = refusal.issues[0].path
    return path == "id" or path.endswith("_id") if ids is None else path in ids


def _above(request: HttpRequest, home: str) -> str:
    parts = request.path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 else home or "/".join(parts[:3])


def words(text: str | None, most: int) -> str:
    """A text of the address, one line of what can be shown; databases do not take every character."""
    return "".join(char for char in text or "" if char.isprintable())[:most].strip()


def whole_number(text: str | None, default: int, least: int, most: int) -> int:
    """A number of the address, or the default where it is none; within `least` and `most`."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(max(int(text), least), most)
