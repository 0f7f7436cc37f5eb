"""What only the owner of an account may do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.accounts import permissions
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.interfaces.sign_in.recent_login import fresh_sign_in

P = ParamSpec("P")


def owns(request: SignedInRequest) -> bool:
    return request.caller.reach.role == permissions.OWNER


def by_owner(
    view: Callable[Concatenate[SignedInRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Only for the owner, and only soon after a sign-in; members are told whom to ask."""
    fresh = fresh_sign_in(view)

    @signed_in
    @wraps(view)
    def guarded(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not owns(request):
            request.may_only_look = False  # type: ignore[attr-defined]  # the page says it itself
            return render(request, "account_pages/owner_only.html", status=403)
        response: HttpResponse = fresh(request, *args, **kwargs)
        return response

    return guarded
