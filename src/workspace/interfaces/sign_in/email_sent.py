"""What comes after a mail with a link was sent: a page that names the address, sends the mail again, and leads back to
the form with all that was typed. It says the same of every address, whether we know it or not."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

SESSION_KEY = "mailed_to"


def remember_email(request: HttpRequest, email: str, **typed: str) -> None:
    """Keep for this browser where its mail went, with what was typed beside the address (never a password)."""
    held = get_remembered(request)
    same = held if held.get("email") == email else {}
    request.session[SESSION_KEY] = {**same, "email": email, **typed}


def get_remembered(request: HttpRequest) -> dict[str, Any]:
    """By the names of the sign-up's fields."""
    held = request.session.get(SESSION_KEY)
    return held if isinstance(held, dict) else {}


@require_safe
def sent_page(request: HttpRequest) -> HttpResponse:
    context = {"address": get_remembered(request).get("email", ""), "is_again": "again" in request.GET}
    return render(request, "account/verification_sent.html", context)


@require_POST
def resend(request: HttpRequest) -> HttpResponse:
    """Within the limits that all mails to one address have."""
    address = EmailAddress.objects.filter(email=get_remembered(request).get("email", ""), verified=False).first()
    if address is not None:
        send_verification_email_to_address(request, address, signup=True)
    return redirect(f"{reverse('account_email_verification_sent')}?again")
