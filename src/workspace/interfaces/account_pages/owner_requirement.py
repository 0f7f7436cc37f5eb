"""A decorator for views that only an owner of the account may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.accounts import permissions
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.interfaces.sign_in.recent_login import require_recent_login

P = ParamSpec("P")


def is_owner(request: SignedInRequest) -> bool:
    return request.caller.permission_scope.role == permissions.OWNER


def require_owner(
    view: Callable[Concatenate[SignedInRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Require an owner with a recent sign-in. Show other members which owner to ask."""
    fresh = require_recent_login(view)

    @require_sign_in
    @wraps(view)
    def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_owner(request):
            request.may_only_look = False  # type: ignore[attr-defined]  # the page itself explains it
            return render(request, "account_pages/owner_only.html", status=403)
        response: HttpResponse = fresh(request, *args, **kwargs)
        return response

    return guarded
