"""Recent sign-ins, which changes to keys, members and second factors require."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse

View = TypeVar("View", bound=Callable[..., HttpResponse])


def has_recent_login(request: HttpRequest) -> bool:
    """Return whether the person signed in or reauthenticated within ACCOUNT_REAUTHENTICATION_TIMEOUT seconds."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return any(time.time() - record["at"] < app_settings.REAUTHENTICATION_TIMEOUT for record in records)


def require_recent_login(view: View) -> View:
    """Require a recent sign-in for the view.

    Otherwise, ask the person to reauthenticate, then continue with the request.
    """
    guarded: View = reauthentication_required(view)
    return guarded
