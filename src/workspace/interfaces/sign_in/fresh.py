"""A fresh sign-in: whoever changes keys, members or second factors has proved who they are within the last minutes."""

from __future__ import annotations

import time

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest


def is_fresh(request: HttpRequest) -> bool:
    """Whether this browser signed in, or confirmed it, within ACCOUNT_REAUTHENTICATION_TIMEOUT seconds."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return any(time.time() - record["at"] < app_settings.REAUTHENTICATION_TIMEOUT for record in records)


# For views: asks to confirm the sign-in where it is stale, and then goes on with what was asked for.
fresh_sign_in = reauthentication_required
