"""Functions of allauth that its documentation does not guarantee, in one place.

allauth keeps them in modules named `internal` and may change them in any release. No other module imports from those
modules, so only this file and its test need a check for a new version of allauth.
"""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.flows.login import record_authentication as _record_authentication
from allauth.account.internal.stagekit import clear_login, unstash_login
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest


def record_authentication(request: HttpRequest, person: AbstractBaseUser, method: str, **details: Any) -> None:
    """Record in the session that the person authenticated with this method."""
    _record_authentication(request, person, method=method, **details)


def send_verification_email(request: HttpRequest, address: EmailAddress) -> bool:
    """Email the link that confirms a new person's address. Return False if a rate limit forbids another email."""
    return bool(send_verification_email_to_address(request, address, signup=True))


def find_pending_person(request: HttpRequest) -> Any | None:
    """Return the person who entered the correct password but not the second step, or None."""
    login = unstash_login(request, peek=True)
    return None if login is None else login.user


def cancel_pending_login(request: HttpRequest) -> None:
    """Discard a sign-in that waits for its second step."""
    clear_login(request)
