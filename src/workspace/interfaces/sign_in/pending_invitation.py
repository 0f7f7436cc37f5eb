"""An invitation by a member that was opened before sign-in, stored in the session."""

from __future__ import annotations

from django.http import HttpRequest

from workspace.accounts.models import MemberInvitation

_KEY = "workspace_invitation"


def store_invitation(request: HttpRequest, token: str) -> None:
    request.session[_KEY] = token


def find_invitation(request: HttpRequest) -> MemberInvitation | None:
    """Return the open invitation of this session, or None."""
    token = request.session.get(_KEY)
    return MemberInvitation.find_by_token(token) if isinstance(token, str) else None


def clear_invitation(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)
