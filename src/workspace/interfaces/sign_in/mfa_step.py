"""Somebody who has typed the password and not yet the code."""

from __future__ import annotations

from allauth.account.internal.stagekit import clear_login, unstash_login
from allauth.mfa.base.views import authenticate
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def second_step(request: HttpRequest) -> HttpResponse:
    """Allauth's page for the code. Whose second step was removed meanwhile signs in anew: allauth would send them from
    the one page to the other and back for ever."""
    login = unstash_login(request, peek=True)
    if login is not None and not is_mfa_enabled(login.user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]):
        clear_login(request)
        return redirect("account_login")
    response: HttpResponse = authenticate(request)
    return response
