"""A fresh sign-in: whoever changes keys, members or second factors has proved who they are within the last minutes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse

View = TypeVar("View", bound=Callable[..., HttpResponse])


def is_fresh(request: HttpRequest) -> bool:
    """Whether this browser signed in, or confirmed it, within ACCOUNT_REAUTHENTICATION_TIMEOUT seconds."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return any(time.time() - record["at"] < app_settings.REAUTHENTICATION_TIMEOUT for record in records)


def require_recent_login(view: View) -> View:
    """Ask to confirm a stale sign-in before `view` answers, then go on with what was asked for."""
    guarded: View = reauthentication_required(view)
    return guarded
