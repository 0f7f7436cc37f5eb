"""The functions of allauth that its documentation does not promise, in one place.

allauth keeps them in modules named `internal` and may change them in any release. No other module imports from those
modules, so a new version of allauth needs a look at this file and at its test only.
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
    """Store in the session that the person proved who they are by this method."""
    _record_authentication(request, person, method=method, **details)


def send_verification_email(request: HttpRequest, address: EmailAddress) -> bool:
    """Email the link that confirms the address of a new person. Return False if a rate limit forbids another email."""
    return bool(send_verification_email_to_address(request, address, signup=True))


def find_pending_person(request: HttpRequest) -> Any | None:
    """Return the person whose password was right and whose second step is missing, or None."""
    login = unstash_login(request, peek=True)
    return None if login is None else login.user


def cancel_pending_login(request: HttpRequest) -> None:
    """Forget a sign-in that waits for its second step."""
    clear_login(request)
