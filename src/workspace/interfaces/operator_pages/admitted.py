"""Who may see it: whoever runs the installation. For all others there is no such page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import page

HOME = "/app/operator"
A_PAGE = 50
P = ParamSpec("P")
Shown = Callable[Concatenate[SignedInRequest, P], HttpResponse]


def for_operators(*methods: str) -> Callable[[Shown[P]], Callable[..., HttpResponse]]:
    def wrap(view: Shown[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.is_operator:
                raise Http404
            return view(request, *args, **kwargs)

        return page(*methods)(guarded)

    return wrap
