"""Access to the administrator's pages, which do not exist for anyone else, and pagination of their lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.db.models import QuerySet
from django.http import Http404, HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page, parse_whole_number

HOME = "/app/operator"
PAGE_SIZE = 50
P = ParamSpec("P")
SignedInView = Callable[Concatenate[SignedInRequest, P], HttpResponse]


def require_operator(*methods: str) -> Callable[[SignedInView[P]], Callable[..., HttpResponse]]:
    """Return a decorator that limits a page to administrators. Everyone else gets a 404."""

    def wrap(view: SignedInView[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.is_operator:
                raise Http404
            return view(request, *args, **kwargs)

        return page(*methods)(guarded)

    return wrap


def paginate(request: SignedInRequest, queryset: QuerySet[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the page of rows at the query's `offset`, and the list's data for `{% pager %}`.

    Raise Http404 for an offset after the end.
    """
    at = parse_whole_number(request.GET.get("offset"), 0, 0, 10_000_000)
    rows, total = list(queryset[at : at + PAGE_SIZE]), queryset.count()
    if at and not rows:
        raise Http404
    return rows, {"offset": at, "count": len(rows), "total": total, "has_more": at + len(rows) < total}
