"""The page after an email with a link was sent.

It names the address, can send the email again, and links back to the form with the entered values. It looks the same
for known and unknown addresses.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from workspace.interfaces.sign_in.allauth_internals import send_verification_email

SESSION_KEY = "mailed_to"


def remember_sign_up(request: HttpRequest, email: str, **typed: str) -> None:
    """Store the recipient of the email and the entered values, except the password, in the session."""
    held = get_remembered_sign_up(request)
    same = held if held.get("email") == email else {}
    request.session[SESSION_KEY] = {**same, "email": email, **typed}


def get_remembered_sign_up(request: HttpRequest) -> dict[str, Any]:
    """Return the stored values, keyed by the names of the sign-up fields."""
    held = request.session.get(SESSION_KEY)
    return held if isinstance(held, dict) else {}


@require_safe
def sent_page(request: HttpRequest) -> HttpResponse:
    context = {"address": get_remembered_sign_up(request).get("email", ""), "is_again": "again" in request.GET}
    return render(request, "account/verification_sent.html", context)


@require_POST
def resend_email(request: HttpRequest) -> HttpResponse:
    """Send the email again, within the limits for all emails to an address."""
    address = EmailAddress.objects.filter(
        email=get_remembered_sign_up(request).get("email", ""), verified=False
    ).first()
    if address is not None:
        send_verification_email(request, address)
    return redirect(f"{reverse('account_email_verification_sent')}?again")
