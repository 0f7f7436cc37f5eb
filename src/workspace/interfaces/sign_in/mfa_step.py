"""The second step of a sign-in, after the password."""

from __future__ import annotations

from allauth.mfa.base.views import authenticate
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from workspace.interfaces.sign_in.allauth_internals import cancel_pending_login, find_pending_person


def second_step(request: HttpRequest) -> HttpResponse:
    """Return allauth's page for the code.

    A person whose second factor has been removed in the meantime signs in again. Otherwise allauth would redirect them
    between the two pages forever.
    """
    person = find_pending_person(request)
    if person is not None and not is_mfa_enabled(person, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]):
        cancel_pending_login(request)
        return redirect("account_login")
    response: HttpResponse = authenticate(request)
    return response
