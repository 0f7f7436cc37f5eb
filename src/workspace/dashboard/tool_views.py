"""Pages that call tools, and handling of errors that no form shows.

@page("POST")
def pause(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.pause, id=id)
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
from workspace.dashboard.new_item_limit import render_limit_reached
from workspace.dashboard.session import SignedInRequest, redirect_full_page, require_sign_in
from workspace.lib.errors import BusyError, InvalidInputError, NotFoundError, ToolError, UnavailableError
from workspace.tools.tool import Tool

P = ParamSpec("P")
T = TypeVar("T")
SignedInView = Callable[Concatenate[SignedInRequest, P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def call_tool(request: SignedInRequest, tool: Tool[T], **arguments: Any) -> T:
    """Run a tool for the signed-in person's account and return its data. Raise a ToolError if it fails."""
    return execute_tool(tool, request.caller, arguments).data


class PageDecorator(Protocol):
    def __call__(self, *methods: str) -> Callable[[SignedInView[P]], View[P]]: ...


def build_page_decorator(
    *,
    list_path: str = "",
    id_arguments: Collection[str] | None = None,
    find_parent_url: Callable[[HttpRequest], str] | None = None,
) -> PageDecorator:
    """Return a decorator for pages of signed-in people, by default for GET and HEAD only.

    NotFoundError and invalid ids become a 404. Ids are the arguments in `id_arguments`, or by default all named `id` or
    `…_id`. For any other error, redirect to the parent page, which shows the error. `find_parent_url(request)` returns
    the URL of that page. By default, it is `LIST_PATH/ID` for pages below an item, and otherwise `list_path`, which is
    `/app/PRODUCT`.
    """

    def page(*methods: str) -> Callable[[SignedInView[P]], View[P]]:
        def wrap(view: SignedInView[P]) -> View[P]:
            @wraps(view)
            def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
                try:
                    return render_limit_reached(request) or view(request, *args, **kwargs)
                except NotFoundError as missing:
                    raise Http404(missing.message) from None
                except UnavailableError:
                    raise  # the page above would have the same problem
                except ToolError as refusal:
                    if _is_about_id(refusal, id_arguments) or not (methods or isinstance(refusal, BusyError)):
                        raise Http404(refusal.message) from None
                    messages.error(request, refusal.message)
                    return redirect_full_page(
                        request, find_parent_url(request) if find_parent_url else _parent_url(request, list_path)
                    )

            return require_http_methods(list(methods) or ["GET", "HEAD"])(require_sign_in(guarded))

        return wrap

    return page


page = build_page_decorator()


def _is_about_id(refusal: ToolError, id_arguments: Collection[str] | None) -> bool:
    if not isinstance(refusal, InvalidInputError):
        return False
    path = refusal.issues[0].path
    return path == "id" or path.endswith("_id") if id_arguments is None else path in id_arguments


def _parent_url(request: HttpRequest, list_path: str) -> str:
    parts = request.path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 else list_path or "/".join(parts[:3])


def clean_text(text: str | None, max_length: int) -> str:
    """Return text from the query as one printable line, because databases reject some characters."""
    return "".join(char for char in text or "" if char.isprintable())[:max_length].strip()


def parse_whole_number(text: str | None, default: int, minimum: int, maximum: int) -> int:
    """Parse a number from the query.

    Limit the number to the range from `minimum` to `maximum`. Return the default if it is missing or invalid.
    """
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 9:
        return default
    return min(max(int(text), minimum), maximum)
