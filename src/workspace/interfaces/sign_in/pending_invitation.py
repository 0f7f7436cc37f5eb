"""A member's invitation that somebody followed before they were signed in, remembered by their browser."""

from __future__ import annotations

from django.http import HttpRequest

from workspace.accounts.models import MemberInvitation

_KEY = "workspace_invitation"


def remember(request: HttpRequest, token: str) -> None:
    request.session[_KEY] = token


def find_invitation(request: HttpRequest) -> MemberInvitation | None:
    """The open invitation that this browser came with."""
    token = request.session.get(_KEY)
    return MemberInvitation.find_by_token(token) if isinstance(token, str) else None


def forget(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)
